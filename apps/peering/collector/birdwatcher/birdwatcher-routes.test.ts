import { expect, test } from "bun:test";
import { Problem } from "../../../../lib/engines/http/problem.ts";
import { noAttributes, type PathAttributes } from "../../../../lib/net/bgp/path-attributes.ts";
import { type RouteEvent, type RoutePeer, sessionEvent } from "../../../../lib/net/bgp/route-event.ts";
import { address } from "../../../../lib/net/ip/address.ts";
import { parsePrefix } from "../../../../lib/net/ip/prefix.ts";
import { LiveTable } from "../../../../lib/net/rib/live-table.ts";
import { birdwatcherRoutes } from "./birdwatcher-routes.ts";
import { answerPathsMax } from "./limits.ts";

interface BirdwatcherAnswer {
  readonly routes: readonly {
    readonly network: string;
    readonly from_protocol: string;
    readonly primary: boolean;
  }[];
  readonly protocols: Readonly<
    Record<string, { readonly state: string; readonly routes: object; readonly channels: object }>
  >;
  readonly symbols: readonly string[];
}

const router = address("192.0.2.1");
const sinceUs = BigInt(Date.UTC(2026, 10, 23, 11)) * 1000n;
const [near, far] = ["bgp_2001_db8__9", "bgp_192_0_2_7"];

const from = (text: string, table: RoutePeer["table"]) => ({
  timeUs: null,
  peer: { table, address: address(text), asn: 64_500, routerId: "192.0.2.9" },
});

function announce(
  text: string,
  peer: string,
  table: RoutePeer["table"] = "in",
  more: Partial<PathAttributes> = {},
): RouteEvent {
  const prefix = parsePrefix(text);
  if (prefix === null) {
    throw new Error(text);
  }
  const attributes = { ...noAttributes(), asPath: [64_500], nextHop: address("2001:db8::9"), ...more };
  return {
    ...from(peer, table),
    kind: "announce",
    family: null,
    route: { prefix, pathId: null },
    attributes,
  };
}

const full: Partial<PathAttributes> = {
  ...{
    origin: "EGP",
    asPath: [64_500, [64_501, 64_502]],
    med: 7,
    localPreference: 200,
    onlyToCustomer: 64_500,
  },
  ...{ communities: [[64_500, 1]], largeCommunities: [[64_500, 65_520, 1]] },
  extendedCommunities: ["0002fbf400000007", "0203000186a00007", "4300000000000001"],
};

/**
 * The near one is received before and after the policy, and is sent a route of the far one, which has both families.
 */
const events: readonly RouteEvent[] = [
  sessionEvent("peer-up", from("2001:db8::9", "in")),
  announce("2001:db8:51::/48", "2001:db8::9", "in", full),
  announce("2001:db8:51::/48", "2001:db8::9", "in-post-policy", full),
  announce("2001:db8:66::/48", "2001:db8::9"),
  announce("2001:db8:51::/48", "192.0.2.7", "in-post-policy"),
  announce("2001:db8::/32", "192.0.2.7", "in-post-policy"),
  announce("198.51.100.0/24", "192.0.2.7", "in-post-policy"),
  announce("2001:db8:77::/48", "192.0.2.7", "in-post-policy", { largeCommunities: [[1, 2, 3]] }),
  announce("2001:db8::/32", "2001:db8::9", "out-post-policy"),
  // Its policy for the near one has left this out.
  announce("198.51.100.0/24", "2001:db8::9", "out"),
];

function scene(received: readonly RouteEvent[] = events) {
  const table = new LiveTable({ rejectReasons: new Map([["1:2:3", "RPKI invalid"]]) });
  const tell = (all: readonly RouteEvent[]) => {
    for (const event of all) {
      table.apply(router, event, sinceUs);
    }
  };
  tell(received);
  table.apply(address("192.0.2.2"), announce("203.0.113.0/24", "2001:db8::9"), sinceUs);
  const failures: unknown[] = [];
  const failed = (error: unknown) => failures.push(error);
  const app = birdwatcherRoutes({ table, nameOf: () => "router", failed });
  app.onError((error, c) =>
    error instanceof Problem ? error.toResponse(c.req.url) : c.text(String(error), 500),
  );
  const get = async (path: string) => {
    const answer = await app.request(`/birdwatcher/192.0.2.1/${path}`);
    return { code: answer.status, ...((await answer.json()) as BirdwatcherAnswer) };
  };
  const networks = async (path: string) => {
    const { routes } = await get(path);
    return routes.map(({ network, from_protocol: name }) => `${network} ${name}`).sort();
  };
  return { table, tell, app, get, networks, failures };
}

test("each route has the texts and types that birdwatcher gives it", async () => {
  const { get } = scene();
  const answer = await get(`routes/protocol/${near}`);
  expect<object>(answer).toEqual({
    code: 200,
    api: {
      ...{ Version: expect.stringMatching(/^Vantage /), result_from_cache: false },
      cache_status: {
        cached_at: { date: expect.stringMatching(/Z$/), timezone_type: "UTC", timezone: "UTC" },
        orig_ttl: 0,
      },
    },
    ...{ ttl: expect.stringMatching(/Z$/), cached_at: expect.stringMatching(/Z$/) },
    routes: [
      {
        ...{ network: "2001:db8:51::/48", gateway: "2001:db8::9", learnt_from: "2001:db8::9", interface: "" },
        ...{ from_protocol: near, age: "2026-11-23 11:00:00", primary: false, metric: 200 },
        type: ["BGP", "univ"],
        bgp: {
          ...{ origin: "EGP", as_path: ["64500", "64501", "64502"], next_hop: "2001:db8::9" },
          ...{ local_pref: "200", med: "7", otc: "64500" },
          ...{ communities: [[64_500, 1]], large_communities: [[64_500, 65_520, 1]] },
          ext_communities: [
            ["rt", "64500", "7"],
            ["ro", "100000", "7"],
            ["generic", "1124073472", "1"],
          ],
        },
      },
    ],
  });
});

test("routes by neighbour, by table, refused, sent and not sent", async () => {
  const { networks } = scene();
  const [near51, far51] = [`2001:db8:51::/48 ${near}`, `2001:db8:51::/48 ${far}`];
  const [wide, four] = [`2001:db8::/32 ${far}`, `198.51.100.0/24 ${far}`];
  expect(await networks(`routes/protocol/${far}`)).toEqual([four, far51, wide].sort());
  expect(await networks("routes/peer/2001:db8::9")).toEqual([near51]);
  expect(await networks("routes/table/master")).toEqual([four, near51, far51, wide].sort());
  expect(await networks("routes/table/master4")).toEqual([four]);
  expect(await networks("routes/table/master6/peer/192.0.2.7")).toEqual([far51, wide].sort());
  expect(await networks(`routes/filtered/${near}`)).toEqual([`2001:db8:66::/48 ${near}`]);
  expect(await networks("routes/table/master6/filtered")).toEqual([
    `2001:db8:66::/48 ${near}`,
    `2001:db8:77::/48 ${far}`,
  ]);
  expect(await networks(`routes/export/${near}`)).toEqual([`2001:db8::/32 ${near}`]);
  expect(await networks(`routes/noexport/${near}`)).toEqual([four, far51].sort());
});

test("routes to a prefix, and to the longest that the router itself has", async () => {
  const { networks } = scene();
  const both = [`2001:db8:51::/48 ${far}`, `2001:db8:51::/48 ${near}`];
  expect(await networks("routes/prefix?prefix=2001:db8:51::/48")).toEqual(both);
  expect(await networks("route/net/2001:db8:51::7")).toEqual(both);
  expect(await networks("route/net/2001:db8:51:8000::/mask/49")).toEqual(both);
  expect(await networks("route/net/2001:db8:66::7/table/master6")).toEqual([`2001:db8::/32 ${far}`]);
  // Another router has it.
  expect(await networks("route/net/203.0.113.1")).toEqual([]);
  expect(await networks("route/net/2001:db8:51::7/table/master4")).toEqual([]);
});

test("neighbours have the counts of the routes that are shown, until the answer is old", async () => {
  const { get, tell } = scene();
  const { protocols } = await get("protocols/bgp");
  expect(protocols[near]).toMatchObject({
    ...{ bird_protocol: "BGP", state: "up", neighbor_address: "2001:db8::9", neighbor_as: 64_500 },
    ...{ state_changed: "2026-11-23 11:00:00", table: "master", neighbor_id: "192.0.2.9" },
    routes: { imported: 1, filtered: 1, preferred: 0, exported: 1 },
  });
  // Nobody says what the far one is sent.
  expect(protocols[far]?.routes).toEqual({ imported: 3, filtered: 1, preferred: 2 });
  expect(protocols[far]?.channels).toMatchObject({
    ipv4: { routes_count: { imported: 1, filtered: 0, preferred: 1 } },
  });
  expect(await get("routes/count/table/master6")).toMatchObject({ routes: 3 });
  expect(await get(`routes/count/protocol/${far}`)).toMatchObject({ routes: 3 });
  expect(await get(`routes/count/primary/${far}`)).toMatchObject({ routes: 2 });
  tell([sessionEvent("peer-down", from("2001:db8::9", "in"))]);
  const { protocols: short } = await get("protocols/short?uncached=true");
  expect([short[near]?.state, short[far]?.state]).toEqual(["down", "up"]);
});

test("the router's own table says which route is primary", async () => {
  const { get } = scene([...events, announce("2001:db8:51::/48", "::", "local", full)]);
  const { routes } = await get("routes/prefix?prefix=2001:db8:51::/48");
  const primary = routes.filter((route) => route.primary);
  expect(primary.map(({ from_protocol: name }) => name)).toEqual([near]);
  expect((await get("symbols/protocols")).symbols.toSorted()).toEqual([near, far].sort());
});

test("a router that is lost is not shown as one that runs, nor are its routes", async () => {
  const { table, get, networks } = scene();
  expect(await get("status")).toMatchObject({
    status: { message: "The collector receives this router's routes" },
  });
  table.lose(router);
  table.gap({ router, fromUs: sinceUs, toUs: null, reason: "reset" });
  expect(await get("status")).toMatchObject({ status: { message: "The router is not connected: reset" } });
  expect((await get("protocols/short")).protocols[near]).toMatchObject({ state: "unknown" });
  expect(await networks("routes/table/master")).toEqual([]);
});

test.each([
  ["../192.0.2.99/status", 404, "unknown_router"],
  ["../router/status", 404, "unknown_router"],
  ["routes/protocol/bgp_192_0_2_99", 404, "unknown_neighbor"],
  ["routes/peer/nobody", 404, "unknown_neighbor"],
  ["routes/table/__proto__", 404, "unknown_table"],
  [`routes/noexport/${far}`, 404, "not_told"],
  ["routes/pipe/filtered?table=T1&pipe=M1", 404, "no_pipes"],
  ["routes/prefix", 400, "invalid_prefix"],
  ["route/net/2001:db8:51::7/mask/48", 400, "invalid_prefix"],
])("%s is refused with a reason that Alice shows", async (path, status, code) => {
  const answer = await scene().get(path);
  expect(answer).toMatchObject({ status, code, error: expect.stringContaining(" ") });
});

test("a router with too many paths is asked for one prefix; places are limited and come back", async () => {
  const { table, app, get, networks } = scene();
  const waiting = await Promise.all(
    [1, 2, 3, 4].map(() => app.request(`/birdwatcher/192.0.2.1/routes/protocol/${near}`)),
  );
  await Promise.all(waiting.map((answer) => answer.body?.cancel()));
  expect(await networks(`routes/protocol/${near}`)).toHaveLength(1);
  const state = table.peers()[0]?.tables.get("in");
  expect(state).toBeDefined();
  if (state !== undefined) {
    state.paths = answerPathsMax;
  }
  expect(await get("routes/table/master")).toMatchObject({ status: 413, code: "too_many_routes" });
  expect(await networks("routes/prefix?prefix=2001:db8:51::/48")).toHaveLength(2);
});
