/** The looking glass, over a collector's own routes on a table that holds what strangers say. */
import { expect } from "bun:test";
import { Hono } from "hono";
import { lookupRoutes } from "../../apps/peering/collector/route-lookup.ts";
import { searchRoutes } from "../../apps/peering/collector/route-search.ts";
import { type RunningServer, serve } from "../../lib/engines/http/serve.ts";
import { noAttributes } from "../../lib/net/bgp/path-attributes.ts";
import { address } from "../../lib/net/ip/address.ts";
import { prefixOf } from "../../lib/net/ip/prefix.ts";
import { LiveTable } from "../../lib/net/rib/live-table.ts";
import { Keyboard } from "./keyboard.ts";
import type { Tab } from "./tab.ts";

/** `foreign` is the reason of a refusal. */
export function serveCollector(foreign: string): RunningServer {
  const table = new LiveTable({ rejectReasons: new Map([["64500:1:4", foreign]]) });
  const peer = { table: "in" as const, address: address("2001:db8::9"), asn: 64_500, routerId: null };
  for (let i = 0; i < 12; i++) {
    const attributes = {
      ...{ ...noAttributes(), asPath: [64_500, 64_510 + i], nextHop: address("2001:db8::9") },
      largeCommunities: i === 3 ? [[64_500, 1, 4] as const] : [],
    };
    const route = { prefix: prefixOf(address(`2001:db8:${i + 1}::`), 48), pathId: null };
    const event = { timeUs: null, peer, kind: "announce", family: null, route, attributes } as const;
    table.apply(address("192.0.2.1"), event, 1_700_000_000_000_000n);
  }
  const lookups = lookupRoutes({ table, vrps: null, past: null });
  const app = new Hono().route("/", lookups).route("/", searchRoutes(table, null));
  return serve((request) => app.fetch(request), { host: "127.0.0.1", port: 0 });
}

/** By keys alone: an address, the AS in its path, and what was refused. */
export async function checkRoutes(tab: Tab, url: string, reason: string): Promise<void> {
  const keys = new Keyboard(tab);
  const rows = () =>
    tab.eval<string[][]>(
      "[...document.querySelectorAll('#routes tbody tr')].map((row) => [...row.cells].map((cell) => cell.innerText))",
    );
  await tab.go(`${url}console`);
  await keys.goTo("r", /^\/console\/routes$/);
  await keys.write("[name=resource]", "2001:db8:5::77");
  await tab.press("Enter");
  await keys.arrive(/resource=/);
  expect((await rows()).map(([prefix, router, , , , , path]) => [prefix, router, path])).toEqual([
    ["2001:db8:5::/48", "192.0.2.1", "64500 64514"],
  ]);
  await keys.follow("#routes a[href*='asn=64500']", /asn=64500/);
  expect(await rows()).toHaveLength(12);
  expect(await tab.text("#routes p")).toBe("12 paths of 1 router, 1 of them rejected.");
  await tab.go(`${url}console/routes?community=64500%3A1%3A4`);
  const [refused] = await rows();
  expect(refused?.[4]).toContain(reason);
  await tab.go(`${url}console/routes?origin=AS64513&verdict=accepted`);
  expect(await tab.text("#routes")).toContain("No router has such a path");
}
