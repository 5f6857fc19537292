import { expect, test } from "bun:test";
import { noAttributes, type PathAttributes } from "../bgp/path-attributes.ts";
import type { RouteEvent, RoutePeer } from "../bgp/route-event.ts";
import { address } from "../ip/address.ts";
import { formatPrefix, type Prefix, parsePrefix } from "../ip/prefix.ts";
import { LiveTable } from "./live-table.ts";
import type { ReceivedEvent } from "./received-event.ts";

const router = address("192.0.2.1");

function prefix(text: string): Prefix {
  const parsed = parsePrefix(text);
  if (parsed === null) {
    throw new TypeError(text);
  }
  return parsed;
}

const peer = (table: RoutePeer["table"] = "in", text = "192.0.2.9"): RoutePeer => ({
  ...{ table, address: address(text), asn: 64_500, routerId: "10.0.0.1" },
});

const plain = { timeUs: null, family: null, route: null, attributes: noAttributes() };

const announce = (
  text: string,
  from = peer(),
  more: Partial<PathAttributes> = {},
  pathId = null,
): RouteEvent => ({
  ...{ ...plain, kind: "announce", peer: from, route: { prefix: prefix(text), pathId } },
  attributes: { ...noAttributes(), asPath: [64_500, 64_501], ...more },
});

const withdraw = (text: string, from = peer()): RouteEvent => ({
  ...{ ...plain, kind: "withdraw", peer: from, route: { prefix: prefix(text), pathId: null } },
});

const session = (kind: "peer-up" | "peer-down", from = peer()): RouteEvent => ({
  ...plain,
  kind,
  peer: from,
});
const tableEnd = (family: 4 | 6, from = peer()): RouteEvent => ({
  ...plain,
  kind: "table-end",
  peer: from,
  family,
});

/** A table that hears these, and what it says of each. */
function received(events: readonly RouteEvent[], table = new LiveTable()) {
  const said: ReceivedEvent[] = [];
  const stop = table.listen((one) => said.push(one));
  let receivedUs = 1_000_000n;
  for (const event of events) {
    table.apply(router, event, receivedUs++);
  }
  stop();
  return { table, said };
}

const synthetic = (said: readonly ReceivedEvent[]) =>
  said
    .filter(({ isSynthetic }) => isSynthetic)
    .map(
      ({ event }) => `${event.kind} ${event.route && formatPrefix(event.route.prefix)} ${event.peer.table}`,
    );

const found = (all: Iterable<{ prefix: Prefix }>) => [...all].map((one) => formatPrefix(one.prefix));

test("has all peers' paths, and finds prefixes around and within", () => {
  const other = peer("in", "192.0.2.8");
  const texts = ["198.51.100.0/24", "198.51.0.0/16", "198.51.100.128/25", "0.0.0.0/0", "2001:db8::/32"];
  const { table } = received([...texts.map((text) => announce(text)), announce("198.51.100.0/24", other)]);
  expect(table.exact(prefix("198.51.100.0/24"))).toHaveLength(2);
  expect(table.exact(prefix("198.51.100.0/25"))).toEqual([]);
  const longest = table.longest(address("198.51.100.7"));
  expect(longest && [formatPrefix(longest.prefix), longest.paths.length]).toEqual(["198.51.100.0/24", 2]);
  expect(table.longest(address("2001:db9::"))).toBeNull();
  expect(found(table.lessSpecific(prefix("198.51.100.0/24")))).toEqual(["0.0.0.0/0", "198.51.0.0/16"]);
  expect(found(table.moreSpecific(prefix("198.51.0.0/16")))).toEqual([
    "198.51.100.0/24",
    "198.51.100.128/25",
  ]);
  // Equal attributes are one object, whoever sent them.
  expect(table.counts).toEqual({ prefixes: 5, paths: 6, attributes: 1 });
  const [first, second] = table.exact(prefix("198.51.100.0/24"));
  expect(first?.attributes).toBe(second?.attributes as PathAttributes);
});

test("a path is replaced, withdrawn, and apart from another of the same peer", () => {
  const twice = { ...announce("198.51.100.0/24"), route: { prefix: prefix("198.51.100.0/24"), pathId: 7 } };
  const { table } = received([
    announce("198.51.100.0/24"),
    twice,
    announce("198.51.100.0/24", peer(), { med: 5 }),
  ]);
  expect(
    table.exact(prefix("198.51.100.0/24")).map(({ pathId, attributes }) => [pathId, attributes.med]),
  ).toEqual([
    [null, 5],
    [7, null],
  ]);
  received([withdraw("198.51.100.0/24"), withdraw("203.0.113.0/24")], table);
  expect(table.exact(prefix("198.51.100.0/24")).map(({ pathId }) => pathId)).toEqual([7]);
  expect(table.counts).toEqual({ prefixes: 1, paths: 1, attributes: 1 });
  const [state] = table.peers().map(({ tables }) => tables.get("in"));
  expect(state).toMatchObject({ paths: 1, announcements: 3, withdrawals: 2 });
});

test("what is not left after the policy was rejected, with the reason of its large community", () => {
  const rejectReasons = new Map([["64500:65520:1", "RPKI invalid"]]);
  const table = new LiveTable({ rejectReasons });
  const mark: Partial<PathAttributes> = { largeCommunities: [[64_500, 65_520, 1]] };
  received([announce("198.51.100.0/24"), announce("203.0.113.0/24")], table);
  expect(table.exact(prefix("203.0.113.0/24"))[0]?.verdict).toBe("unknown");
  received(
    [announce("198.51.100.0/24", peer("in-post-policy")), announce("10.0.0.0/8", peer(), mark)],
    table,
  );
  // Tagged by the router, and kept until a later filter.
  received([announce("10.1.0.0/16"), announce("10.1.0.0/16", peer("in-post-policy"), mark)], table);
  received([announce("10.2.0.0/16", peer("local"))], table);
  const verdicts = (text: string) =>
    table.exact(prefix(text)).map(({ verdict, reason }) => [verdict, reason]);
  expect(verdicts("198.51.100.0/24")).toEqual(Array(2).fill(["accepted", null]));
  expect(verdicts("203.0.113.0/24")).toEqual([["rejected", null]]);
  expect(verdicts("10.1.0.0/16")).toEqual(Array(2).fill(["rejected", "RPKI invalid"]));
  expect(verdicts("10.2.0.0/16")).toEqual([[null, null]]);
  // Piece by piece, as who must not hold up others reads it.
  const rejected: string[] = [];
  for (let next: number | null = 1; next !== null; ) {
    const page = table.rejected(next, 2);
    rejected.push(...page.paths.map((path) => `${formatPrefix(path.prefix)} ${path.table} ${path.reason}`));
    next = page.next;
  }
  expect(rejected.sort()).toEqual([
    "10.0.0.0/8 in RPKI invalid",
    "10.1.0.0/16 in RPKI invalid",
    "203.0.113.0/24 in null",
  ]);
});

test("what a router was asked and has refused is rejected, until the path changes or nobody knows", () => {
  const table = new LiveTable();
  const path = (text: string, seconds: number, from = peer(), pathId: number | null = null): RouteEvent => ({
    ...announce(text, from),
    ...{ timeUs: BigInt(seconds) * 1_000_000n, route: { prefix: prefix(text), pathId } },
  });
  const other = peer("in", "192.0.2.8");
  received(
    [path("198.51.100.0/24", 10), path("198.51.100.0/24", 10, other), path("203.0.113.0/24", 10)],
    table,
  );
  received([path("10.0.0.0/8", 10, peer(), 1), path("10.0.0.0/8", 10, peer(), 2)], table);
  const refused = ["198.51.100.0/24", "203.0.113.0/24", "10.0.0.0/8"].map((text, i) => ({
    ...{ peer: address("192.0.2.9"), prefix: prefix(text), reason: i === 0 ? "too long" : null },
  }));
  const verdicts = (text: string) =>
    table
      .exact(prefix(text))
      .map(({ verdict, reason }) => `${verdict} ${reason}`)
      .sort();
  // The second of the look has not gone by when the path comes: it may have changed behind it.
  table.refusals.set(router, { atUs: 10_999_999, refused });
  expect(verdicts("203.0.113.0/24")).toEqual(["unknown null"]);
  table.refusals.set(router, { atUs: 11_000_000, refused });
  expect(verdicts("198.51.100.0/24")).toEqual(["rejected too long", "unknown null"]);
  expect(verdicts("203.0.113.0/24")).toEqual(["rejected null"]);
  // BIRD does not say which of several paths.
  expect(verdicts("10.0.0.0/8")).toEqual(["unknown null", "unknown null"]);
  expect(table.rejected(1, 100).paths).toHaveLength(2);
  received([path("203.0.113.0/24", 11)], table);
  expect(verdicts("203.0.113.0/24")).toEqual(["unknown null"]);
  expect([table.refusals.has(router), table.refusals.has(address("192.0.2.2"))]).toEqual([true, false]);
  table.refusals.set(router, null);
  expect(verdicts("198.51.100.0/24")).toEqual(["unknown null", "unknown null"]);
});

test("the end of a session withdraws its paths in all tables, and no others", () => {
  const other = peer("in", "192.0.2.8");
  const { table, said } = received([
    ...[session("peer-up"), announce("198.51.100.0/24"), announce("198.51.100.0/24", peer("in-post-policy"))],
    ...[announce("198.51.100.0/24", other), announce("198.51.100.0/24", peer("local")), session("peer-down")],
  ]);
  expect(synthetic(said)).toEqual(["withdraw 198.51.100.0/24 in-post-policy", "withdraw 198.51.100.0/24 in"]);
  expect(said.findIndex(({ event }) => event.kind === "peer-down")).toBe(5);
  expect(table.exact(prefix("198.51.100.0/24")).map((path) => path.table)).toEqual(["in", "local"]);
  expect(table.peers().map(({ isUp }) => isUp)).toEqual([false, null, null]);
});

test("after a gap, what was not said again is withdrawn at the end of its family's table, and by a sweep", () => {
  const before = ["198.51.100.0/24", "203.0.113.0/24", "2001:db8:1::/48", "2001:db8:2::/48"];
  const { table } = received([session("peer-up"), ...before.map((text) => announce(text)), tableEnd(4)]);
  table.lose(router);
  table.gap({ router, fromUs: 5n, toUs: null, reason: "connection ended" });
  expect(table.exact(prefix("203.0.113.0/24"))[0]).toMatchObject({ isStale: true, peer: { isUp: null } });
  const changedUs = table.exact(prefix("198.51.100.0/24"))[0]?.changedUs;
  const again = received([session("peer-up"), announce("198.51.100.0/24"), tableEnd(4)], table);
  table.gap({ router, fromUs: 5n, toUs: 9n, reason: "connection ended" });
  expect(synthetic(again.said)).toEqual(["withdraw 203.0.113.0/24 in"]);
  // Said again, but as it was: it has not changed.
  expect(table.exact(prefix("198.51.100.0/24"))[0]).toMatchObject({ isStale: false, changedUs });
  expect([...(table.peers()[0]?.tables.get("in")?.complete ?? [])]).toEqual([4]);
  received([announce("2001:db8:1::/48")], table);
  const said: ReceivedEvent[] = [];
  table.listen((one) => said.push(one));
  table.sweep(router, 77n);
  expect(synthetic(said)).toEqual(["withdraw 2001:db8:2::/48 in"]);
  expect(table.counts.paths).toBe(2);
  expect(table.gaps).toEqual([{ router, fromUs: 5n, toUs: 9n, reason: "connection ended" }]);
});

test("slices have all paths, or those of one router, whatever their size", () => {
  const { table } = received([
    announce("2001:db8::/32"),
    announce("2001:db8:51::/48"),
    announce("192.0.2.0/24"),
  ]);
  const other = address("192.0.2.2");
  table.apply(other, announce("2001:db8:51::/48"), 1n);
  table.apply(other, announce("2001:db8:66::/48"), 1n);
  const read = (nodesMax: number, only: typeof router | null) => {
    const paths: string[] = [];
    for (let from: number | null = 1; from !== null; ) {
      const { found, next }: ReturnType<LiveTable["slice"]> = table.slice(from, nodesMax, only);
      paths.push(...found.flatMap((one) => one.paths.map(() => formatPrefix(one.prefix))));
      from = next;
    }
    return paths.sort();
  };
  for (const size of [1, 2, 1000]) {
    expect(read(size, other)).toEqual(["2001:db8:51::/48", "2001:db8:66::/48"]);
    expect(read(size, null)).toHaveLength(5);
  }
});
