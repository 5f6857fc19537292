import { expect, test } from "bun:test";
import { Problem } from "../../../lib/engines/http/problem.ts";
import { noAttributes } from "../../../lib/net/bgp/path-attributes.ts";
import type { RouteEvent, RoutePeer } from "../../../lib/net/bgp/route-event.ts";
import { address } from "../../../lib/net/ip/address.ts";
import { prefixOf } from "../../../lib/net/ip/prefix.ts";
import { LiveTable } from "../../../lib/net/rib/live-table.ts";
import { VrpTable } from "../../../lib/net/rpki/vrp-table.ts";
import { lookupRoutes } from "./route-lookup.ts";
import { routesTo } from "./routes-to.ts";

const router = address("192.0.2.1");
const all = { more: false, limit: 100, vrps: null };

function announce(prefix: string, length: number, peer: string, table: RoutePeer["table"]): RouteEvent {
  const attributes = {
    ...noAttributes(),
    ...{ asPath: [64_500, [64_501, 64_502]], nextHop: address("2001:db8::9"), origin: "IGP" as const },
    communities: [[65_535, 65_281] as const, [64_500, 7] as const],
    largeCommunities: [[64_500, 65_520, 1] as const].slice(0, peer === "2001:db8::2" ? 1 : 0),
    extendedCommunities: ["4300000000000002"],
  };
  const from = { table, address: address(peer), asn: 64_500, routerId: null };
  const route = { prefix: prefixOf(address(prefix), length), pathId: null };
  return { timeUs: null, peer: from, kind: "announce", family: null, route, attributes };
}

function received(): LiveTable {
  const table = new LiveTable({ rejectReasons: new Map([["64500:65520:1", "RPKI invalid"]]) });
  for (const event of [
    announce("2001:db8:51::", 48, "2001:db8::1", "in"),
    announce("2001:db8:51::", 48, "2001:db8::1", "in-post-policy"),
    announce("2001:db8:51::", 48, "2001:db8::2", "in"),
    announce("2001:db8:51:7::", 64, "2001:db8::1", "in"),
    announce("2001:db8:51:8::", 64, "2001:db8::1", "in"),
  ]) {
    table.apply(router, event, 1_000_000n);
  }
  return table;
}

test("a prefix gives each path, with verdict, reason, RPKI state and communities in words", () => {
  const found = routesTo(received(), "2001:db8:51::/48", all);
  expect(found).toMatchObject({ prefix: "2001:db8:51::/48", is_cut: false });
  expect(found?.routes.map(({ peer, table, verdict, reason }) => [peer, table, verdict, reason])).toEqual([
    ["2001:db8::1", "in", "accepted", null],
    ["2001:db8::1", "in-post-policy", "accepted", null],
    ["2001:db8::2", "in", "rejected", "RPKI invalid"],
  ]);
  expect(found?.routes[2]).toMatchObject({
    ...{ rpki: "invalid", as_path: [64_500, [64_501, 64_502]], next_hop: "2001:db8::9", is_stale: false },
    communities: [
      { value: "65535:65281", meaning: "no export" },
      { value: "64500:7", meaning: null },
      { value: "64500:65520:1", meaning: null },
    ],
    changed_at: new Date(1000),
  });
});

test("an address gives its longest prefix; more specific ones come on demand, up to the limit", () => {
  const table = received();
  expect(routesTo(table, "2001:db8:51:7::1", all)).toMatchObject({ prefix: "2001:db8:51:7::/64" });
  expect(routesTo(table, "2001:db8:52::1", all)).toMatchObject({ prefix: null, routes: [] });
  const wide = routesTo(table, "2001:db8:51::/48", { ...all, more: true, limit: 100 });
  expect(wide?.routes.map(({ prefix }) => prefix).slice(3)).toEqual([
    "2001:db8:51:7::/64",
    "2001:db8:51:8::/64",
  ]);
  const cut = routesTo(table, "2001:db8:51::/48", { ...all, more: true, limit: 4 });
  expect([cut?.routes.length, cut?.is_cut]).toEqual([4, true]);
  expect(routesTo(table, "2001:db8:51::/48", { ...all, more: true, limit: 5 })?.is_cut).toBe(false);
  expect(routesTo(table, "2001:db8:51::/48", { ...all, more: false, limit: 2 })).toMatchObject({
    is_cut: true,
  });
});

test("what is neither a prefix nor an address is refused", () => {
  const app = lookupRoutes({ table: received(), vrps: null, past: null }).onError((error) => {
    return new Response(error instanceof Problem ? error.code : "", { status: 400 });
  });
  for (const resource of ["fifty", "2001:db8:51::1/48", "%20"]) {
    expect(app.request(`/api/routes?resource=${resource}`)).resolves.toMatchObject({ status: 400 });
  }
  expect(routesTo(received(), "2001:db8:51::1/48", all)).toBeNull();
});

test("each path is validated by the VRPs that are known, with those that cover it", () => {
  const vrps = new VrpTable();
  const known = (base: string, length: number, maxLength: number, asn: number) =>
    vrps.add({ prefix: prefixOf(address(base), length), maxLength, asn });
  const table = new LiveTable();
  const shown = () => routesTo(table, "2001:db8:60::/48", { ...all, vrps })?.routes[0]?.origin_validation;
  const event = announce("2001:db8:60::", 48, "2001:db8::1", "in");
  const attributes = { ...event.attributes, asPath: [64_500, 64_501] };
  table.apply(router, { ...event, attributes }, 1n);
  expect(shown()).toEqual({ state: "not-found", cause: null, vrps: [], vrps_count: 0 });
  known("2001:db8::", 32, 40, 64_501);
  const tooShort = { prefix: "2001:db8::/32", max_length: 40, asn: 64_501 };
  expect(shown()).toEqual({ state: "invalid", cause: "length", vrps: [tooShort], vrps_count: 1 });
  known("2001:db8:60::", 48, 48, 64_501);
  expect(shown()).toMatchObject({ state: "valid", cause: null, vrps_count: 2 });
  // Behind a set nobody is the origin.
  table.apply(router, event, 2n);
  expect(shown()).toMatchObject({ state: "invalid", cause: "origin", vrps_count: 2 });
  // Without a path the router itself is.
  table.apply(router, { ...event, attributes: { ...event.attributes, asPath: [] } }, 3n);
  expect(shown()).toMatchObject({ state: "invalid", cause: "origin" });
  known("2001:db8:60::", 44, 48, 64_500);
  expect(shown()).toMatchObject({ state: "valid", vrps_count: 3 });
  for (let asn = 1; asn <= 30; asn++) {
    known("2001:db8:60::", 48, 48, asn);
  }
  expect([shown()?.vrps.length, shown()?.vrps_count]).toEqual([20, 33]);
  expect(routesTo(table, "2001:db8:60::/48", all)?.routes[0]?.origin_validation).toBeNull();
});
