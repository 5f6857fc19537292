import { expect, test } from "bun:test";
import { noAttributes } from "../../../lib/net/bgp/path-attributes.ts";
import type { RouteEvent } from "../../../lib/net/bgp/route-event.ts";
import { address, formatAddress } from "../../../lib/net/ip/address.ts";
import { prefixOf } from "../../../lib/net/ip/prefix.ts";
import { LiveTable } from "../../../lib/net/rib/live-table.ts";
import { type RouteSearch, routesLike, searchRoutes } from "./route-search.ts";

const routers = ["192.0.2.1", "192.0.2.2"].map(address);
const any: RouteSearch = { origin: null, asn: null, community: null, verdict: null, router: null };
const whole = { from: 1, limit: 10_000, vrps: null };

/** Drawn by a rule, so that a plain filter over the same list is the oracle. */
const drawn = Array.from({ length: 600 }, (_, i) => ({
  prefix: prefixOf(address(`2001:db8:${i.toString(16)}::`), 48),
  router: routers[i % 2] ?? routers[0],
  asPath: [64_500 + (i % 3), ...(i % 5 === 0 ? [[64_600, 64_601 + (i % 2)]] : [64_700 + (i % 7)])],
  communities: i % 4 === 0 ? [[64_500, i % 8] as const] : [],
  largeCommunities: i % 6 === 0 ? [[64_500, 1, 4] as const] : [],
}));

function filled(): LiveTable {
  const table = new LiveTable({ rejectReasons: new Map([["64500:1:4", "RPKI invalid"]]) });
  for (const { prefix, router, ...path } of drawn) {
    const peer = { table: "in" as const, address: address("2001:db8::1"), asn: 64_500, routerId: null };
    const attributes = { ...noAttributes(), ...path };
    const event: RouteEvent = {
      ...{ timeUs: null, peer, kind: "announce", family: null, route: { prefix, pathId: null }, attributes },
    };
    table.apply(router ?? address("192.0.2.1"), event, 1n);
  }
  return table;
}

type Drawn = (typeof drawn)[number];

const cases: readonly (readonly [Partial<RouteSearch>, (path: Drawn) => boolean])[] = [
  [{ origin: 64_702 }, ({ asPath }) => asPath.at(-1) === 64_702],
  [{ origin: 64_602 }, ({ asPath }) => [asPath.at(-1)].flat().includes(64_602)],
  [{ asn: 64_501 }, ({ asPath }) => asPath.flat().includes(64_501)],
  [{ asn: 64_600 }, ({ asPath }) => asPath.flat().includes(64_600)],
  [{ community: "64500:4" }, ({ communities }) => communities.some(([, value]) => value === 4)],
  [{ community: "64500:1:4" }, ({ largeCommunities }) => largeCommunities.length > 0],
  [
    { asn: 64_500, verdict: "rejected" },
    (one) => one.asPath[0] === 64_500 && one.largeCommunities.length > 0,
  ],
  [
    { asn: 64_500, router: "192.0.2.2" },
    ({ asPath, router }) => asPath[0] === 64_500 && router === routers[1],
  ],
  [{ origin: 1 }, () => false],
];

test.each(cases)("%j gives what a plain filter gives, also page by page", async (search, isLike) => {
  const table = filled();
  const expected = drawn
    .filter(isLike)
    .map(({ prefix }) => formatAddress(prefix.base))
    .sort();
  const prefixes = (routes: readonly { prefix: string }[]) =>
    routes.map(({ prefix }) => prefix.split("/")[0]).sort();
  const { routes, next } = await routesLike(table, { ...any, ...search }, whole);
  expect([prefixes(routes), next]).toEqual([expected, null]);
  const paged: { prefix: string }[] = [];
  for (let from: number | null = 1; from !== null; ) {
    const page = await routesLike(table, { ...any, ...search }, { ...whole, from, limit: 7 });
    expect(page.routes.length).toBeLessThanOrEqual(7);
    paged.push(...page.routes);
    from = page.next;
  }
  expect(prefixes(paged)).toEqual(expected);
});

test("a search for everything is refused, and what is not a number or community", async () => {
  const app = searchRoutes(filled(), null).onError((error) => new Response(String(error), { status: 400 }));
  for (const query of [
    "",
    "verdict=rejected",
    "origin=0",
    "asn=x",
    "community=64500",
    "origin=1&verdict=perhaps",
  ]) {
    expect((await app.request(`/api/routes/search?${query}`)).status).toBe(400);
  }
  expect((await app.request("/api/routes/search?origin=64702&limit=3")).status).toBe(200);
});
