import { expect, test } from "bun:test";
import { Problem } from "../../../lib/engines/http/problem.ts";
import { noAttributes } from "../../../lib/net/bgp/path-attributes.ts";
import { type RouteEvent, type RoutePeer, sessionEvent } from "../../../lib/net/bgp/route-event.ts";
import { address } from "../../../lib/net/ip/address.ts";
import { prefixOf } from "../../../lib/net/ip/prefix.ts";
import { LiveTable } from "../../../lib/net/rib/live-table.ts";
import { lookingGlassData, peerCountData, ripestatRoutes } from "./ripestat.ts";

const router = address("192.0.2.1");
const nowMs = Date.UTC(2026, 10, 23);

const from = (text: string, table: RoutePeer["table"] = "in") => ({
  timeUs: null,
  peer: { table, address: address(text), asn: 64_500, routerId: null },
});

function announce(text: string, table: RoutePeer["table"] = "in"): RouteEvent {
  const route = { prefix: prefixOf(address("2001:db8:51::"), 48), pathId: null };
  const attributes = {
    ...noAttributes(),
    ...{
      origin: "IGP" as const,
      asPath: [64_500, [64_501, 64_502], 64_503],
      nextHop: address("2001:db8::9"),
    },
    ...{ communities: [[64_500, 1] as const, [64_500, 2] as const], largeCommunities: [[1, 2, 3] as const] },
  };
  return { ...from(text, table), kind: "announce", family: null, route, attributes };
}

const events = [
  sessionEvent("peer-up", from("2001:db8::1")),
  announce("2001:db8::1"),
  announce("2001:db8::1", "in-post-policy"),
  announce("2001:db8::2", "in-post-policy"),
  announce("2001:db8::3", "out"),
  { ...sessionEvent("table-end", from("2001:db8::1")), family: 6 as const },
];

function received(): LiveTable {
  const table = new LiveTable();
  for (const event of events) {
    table.apply(router, event, BigInt(nowMs) * 1000n);
  }
  return table;
}

test("a prefix, and an address in it, give each peer that has sent it, once", () => {
  const table = received();
  const data = lookingGlassData(table, "2001:db8:51::/48", nowMs);
  expect(data?.rrcs.map(({ rrc, peers }) => [rrc, peers.map(({ peer }) => peer).sort()])).toEqual([
    ["192.0.2.1", ["2001:db8::1", "2001:db8::2"]],
  ]);
  expect(lookingGlassData(table, "2001:db8:51::7", nowMs)?.rrcs).toEqual(data?.rrcs ?? []);
  expect(lookingGlassData(table, "2001:db8:51::/49", nowMs)?.rrcs).toEqual([]);
  expect(lookingGlassData(table, "fifty-one", nowMs)).toBeNull();
});

test("a path has RIPEstat's names and texts", () => {
  const entries = lookingGlassData(received(), "2001:db8:51::/48", nowMs)?.rrcs[0]?.peers ?? [];
  expect(entries.find(({ peer }) => peer === "2001:db8::1")).toEqual({
    ...{ asn_origin: "64503", as_path: "64500 {64501,64502} 64503", prefix: "2001:db8:51::/48" },
    ...{ community: "64500:1 64500:2", largeCommunity: "1:2:3", extendedCommunity: "", origin: "IGP" },
    ...{ last_updated: "2026-11-23T00:00:00", latest_time: "2026-11-23T00:00:00" },
    ...{ peer: "2001:db8::1", next_hop: "2001:db8::9" },
  });
});

test("paths of a router that is lost count no more", () => {
  const table = received();
  table.lose(router);
  expect(lookingGlassData(table, "2001:db8:51::/48", nowMs)?.rrcs).toEqual([]);
});

test("a peer counts as a full feed of a family whose whole table it has told", () => {
  const counts = ({ peer_count: { v4, v6 } }: ReturnType<typeof peerCountData>) =>
    [v4, v6].map(({ full_feed }) => full_feed.map(({ count }) => count));
  const table = received();
  expect(counts(peerCountData(table, nowMs))).toEqual([[0], [1]]);
  table.lose(router);
  expect(counts(peerCountData(table, nowMs))).toEqual([[0], [0]]);
  table.apply(router, sessionEvent("peer-up", from("2001:db8::1")), BigInt(nowMs) * 1000n);
  table.apply(
    router,
    { ...sessionEvent("table-end", from("2001:db8::1")), family: 6 },
    BigInt(nowMs) * 1000n,
  );
  expect(counts(peerCountData(table, nowMs))).toEqual([[0], [1]]);
  table.apply(router, sessionEvent("peer-down", from("2001:db8::1")), BigInt(nowMs) * 1000n);
  expect(counts(peerCountData(table, nowMs))).toEqual([[0], [0]]);
});

test("a peer without End-of-RIB counts when its table has stopped growing, and until its session ends", () => {
  const table = new LiveTable();
  let seconds = 0;
  const at = () => BigInt(nowMs + 1000 * seconds) * 1000n;
  const peer = from("2001:db8::7");
  const announced = (index: number) => {
    const route = { prefix: prefixOf(address(`2001:db8:${index.toString(16)}::`), 48), pathId: null };
    table.apply(router, { ...announce("2001:db8::7"), peer: peer.peer, route }, at());
  };
  const counts = () => {
    const [feed] = peerCountData(table, nowMs + 1000 * seconds).peer_count.v6.full_feed;
    return [feed?.count, feed?.by_end_of_rib, feed?.by_quiet_time];
  };
  table.apply(router, sessionEvent("peer-up", peer), at());
  seconds = 300;
  // Without a path nothing is known.
  expect(counts()).toEqual([0, 0, 0]);
  for (let index = 0; index < 1000; index++, seconds += 0.1) {
    announced(index);
  }
  expect(counts()).toEqual([0, 0, 0]);
  seconds += 59;
  announced(1001);
  announced(5);
  expect(counts()).toEqual([0, 0, 0]);
  seconds += 2;
  expect(counts()).toEqual([1, 0, 1]);
  // What comes later does not change that.
  for (let index = 2000; index < 3000; index++) {
    announced(index);
  }
  expect(counts()).toEqual([1, 0, 1]);
  table.apply(router, { ...sessionEvent("table-end", peer), family: 6 }, at());
  expect(counts()).toEqual([1, 1, 0]);
  table.apply(router, sessionEvent("peer-down", peer), at());
  expect(counts()).toEqual([0, 0, 0]);
  // The same paths again, which were stale.
  table.apply(router, sessionEvent("peer-up", peer), at());
  announced(1);
  table.apply(router, sessionEvent("peer-up", peer), at());
  seconds += 100;
  expect(counts()).toEqual([0, 0, 0]);
  announced(1);
  seconds += 61;
  expect(counts()).toEqual([1, 0, 1]);
});

test("over HTTP: the routes, and what a wrong resource gets", async () => {
  const routes = ripestatRoutes(received());
  routes.onError((error, c) => (error instanceof Problem ? error.toResponse(c.req.url) : c.text("", 500)));
  const get = async (path: string) => {
    const answer = await routes.request(path);
    return { status: answer.status, body: await answer.json() };
  };
  const found = await get("/data/looking-glass/data.json?resource=2001%3Adb8%3A51%3A%3A%2F48&sourceapp=cli");
  expect(found).toMatchObject({ status: 200, body: { data: { rrcs: [{ peers: [{}, {}] }] } } });
  const count = await get("/data/ris-peer-count/data.json");
  expect(count).toMatchObject({ body: { data: { peer_count: { v6: { full_feed: [{ count: 1 }] } } } } });
  for (const wrong of ["", "?resource=2001:db8:51::1/48", `?resource=${"1".repeat(65)}`]) {
    const refused = await get(`/data/looking-glass/data.json${wrong}`);
    expect(refused).toMatchObject({ status: 400, body: { code: "invalid_resource" } });
  }
});
