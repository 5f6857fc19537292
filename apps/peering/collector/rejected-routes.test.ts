import { expect, test } from "bun:test";
import { noAttributes } from "../../../lib/net/bgp/path-attributes.ts";
import type { RouteEvent, RoutePeer } from "../../../lib/net/bgp/route-event.ts";
import { address } from "../../../lib/net/ip/address.ts";
import { prefixOf } from "../../../lib/net/ip/prefix.ts";
import { LiveTable } from "../../../lib/net/rib/live-table.ts";
import { Refusals } from "../../../lib/net/rib/refusals.ts";
import { rejectedNodesMax } from "./limits.ts";
import { rejectedOf } from "./rejected-routes.ts";

const [speaking, silent] = [address("192.0.2.1"), address("192.0.2.2")];
const everything = { router: null, peer: null, from: 1, limit: 1000, vrps: null };

function announce(
  base: string,
  table: RoutePeer["table"],
  largeCommunities: [number, number, number][] = [],
) {
  const from = { table, address: address("192.0.2.9"), asn: 64_500, routerId: null };
  const route = { prefix: prefixOf(address(base), 24), pathId: null };
  const attributes = { ...noAttributes(), asPath: [64_500], largeCommunities };
  const event: RouteEvent = { timeUs: null, peer: from, kind: "announce", family: null, route, attributes };
  return event;
}

/** The first router tells both tables, of which 198.51.100.0/24 is in one; the second tells what it hears alone. */
function received(): LiveTable {
  const table = new LiveTable({ rejectReasons: new Map([["64500:1:4", "RPKI invalid"]]) });
  table.apply(speaking, announce("198.51.100.0", "in"), 1n);
  table.apply(speaking, announce("203.0.113.0", "in"), 1n);
  table.apply(speaking, announce("203.0.113.0", "in-post-policy"), 1n);
  table.apply(silent, announce("198.51.100.0", "in"), 1n);
  table.apply(silent, announce("192.0.2.0", "in", [[64_500, 1, 4]]), 1n);
  return table;
}

const shown = ({ routes }: Awaited<ReturnType<typeof rejectedOf>>) =>
  routes.map(({ router, prefix, reason }) => `${router} ${prefix} ${reason}`).sort();

test("what is before the policy alone, or has a mark, is rejected; who tells no such table is named", async () => {
  const answer = await rejectedOf(received(), everything);
  expect(shown(answer)).toEqual(["192.0.2.1 198.51.100.0/24 null", "192.0.2.2 192.0.2.0/24 RPKI invalid"]);
  expect(answer).toMatchObject({ next: null, routers_without_policy: ["192.0.2.2"] });
  expect(shown(await rejectedOf(received(), { ...everything, router: "192.0.2.2" }))).toHaveLength(1);
  expect(shown(await rejectedOf(received(), { ...everything, peer: "192.0.2.8" }))).toEqual([]);
});

test("who is asked what it refuses is not named", async () => {
  const table = received();
  const prefix = prefixOf(address("198.51.100.0"), 24);
  const refused = [{ peer: address("192.0.2.9"), prefix, reason: "not leased" }];
  table.refusals.set(silent, { atUs: 2_000_000, refused });
  const answer = await rejectedOf(table, { ...everything, router: "192.0.2.2" });
  expect(shown(answer)).toEqual([
    "192.0.2.2 192.0.2.0/24 RPKI invalid",
    "192.0.2.2 198.51.100.0/24 not leased",
  ]);
  expect(answer.routers_without_policy).toEqual([]);
});

test("an answer ends at its limit, and the next begins behind it", async () => {
  const table = received();
  const all: string[] = [];
  for (let from: number | null = 1; from !== null; ) {
    const answer = await rejectedOf(table, { ...everything, from, limit: 1 });
    expect(answer.routes.length).toBeLessThanOrEqual(1);
    all.push(...shown(answer));
    from = answer.next;
  }
  expect(all.sort()).toEqual(shown(await rejectedOf(table, everything)));
});

test("one answer looks at no more of the table than its limit says", async () => {
  const asked: number[] = [];
  const rejected = (from: number, nodesMax: number) => {
    asked.push(nodesMax);
    return { paths: [], next: from + nodesMax };
  };
  const answer = await rejectedOf({ rejected, peers: () => [], refusals: new Refusals() }, everything);
  expect(answer.next).toBe(1 + rejectedNodesMax);
  expect(asked.reduce((sum, one) => sum + one, 0)).toBe(rejectedNodesMax);
});
