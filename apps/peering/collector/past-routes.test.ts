/** Routes at earlier times are those that the live table had then: over flaps, lost sessions, and restarts. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { jsonLog } from "../../../lib/engines/observe/log.ts";
import { noAttributes } from "../../../lib/net/bgp/path-attributes.ts";
import type { RouteEvent, RoutePeer } from "../../../lib/net/bgp/route-event.ts";
import { address } from "../../../lib/net/ip/address.ts";
import { prefixOf } from "../../../lib/net/ip/prefix.ts";
import { inTier } from "../../../tests/run/tier.ts";
import { until } from "../../../tests/run/until.ts";
import { Collector } from "./collector.ts";
import { readCollectorConfig } from "./config.ts";
import { routesTo } from "./routes-to.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-past-routes-"));
afterAll(() => rmSync(folder, { recursive: true }));

const startMs = Date.UTC(2026, 0, 31, 12);
const order = { more: false, limit: 1000, vrps: null, pace: { next: () => Promise.resolve() } };
const router = address("192.0.2.1");
const lookups = [
  ...["2001:db8::/32", "2001:db8:1::/48", "2001:db8:1::1", "198.51.100.0/24", "198.51.100.7"],
].flatMap((resource) => [false, true].map((more) => ({ resource, more })));

/** Numbers below a bound, the same each time (MINSTD). */
function draws(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 0x7fffffff;
    return state % below;
  };
}

const peers: readonly RoutePeer[] = [1, 2, 3].flatMap((number) =>
  (["in", "in-post-policy"] as const).map((table) => ({
    ...{ table, address: address(`2001:db8:ffff::${number}`), asn: 64_500 + number, routerId: null },
  })),
);
const prefixes = [
  ...[1, 2, 3].map((one) => prefixOf(address(`2001:db8:${one}::`), 48)),
  ...[prefixOf(address("2001:db8::"), 32), prefixOf(address("2001:db8:1:7::"), 64)],
  ...[prefixOf(address("198.51.100.0"), 24), prefixOf(address("198.51.100.0"), 28)],
];

/** A collector that runs at a clock of the test; its state stays. */
async function start(clock: { ms: number }) {
  const broker = await openBroker(`embedded:${join(folder, "broker")}`);
  const text = `collector: {state_dir: ${join(folder, "state")}, hold_sec: 3600}
bmp: {address: "127.0.0.1:0", routers: []}
kafka: {brokers: "embedded:${folder}"}`;
  const config = readCollectorConfig({ name: "collector.yaml", text }, {});
  const nowUs = () => BigInt(clock.ms) * 1000n;
  const collector = new Collector({ config, broker, log: jsonLog("collector", () => {}), nowUs });
  await collector.start();
  const stopping = new AbortController();
  const running = collector.run(stopping.signal);
  return {
    collector,
    apply: (event: RouteEvent) => collector.table.apply(router, event, nowUs()),
    end: async () => {
      await until(() => collector.outbox.pending === 0);
      stopping.abort();
      await running;
      await collector[Symbol.asyncDispose]();
      await broker[Symbol.asyncDispose]();
    },
  };
}

/** What each lookup finds; whether a path is stale is of today alone. */
function shown(routes: NonNullable<ReturnType<typeof routesTo>>["routes"]): string[] {
  return routes.map(({ is_stale: _, ...route }) => JSON.stringify(route)).toSorted();
}

const turns = inTier({ usual: 100, long: 300 });

test("at each of many moments, over restarts, all lookups are those of the live table then", async () => {
  const draw = draws(11);
  const clock = { ms: startMs };
  const moments: { ms: number; found: string[][] }[] = [];
  let running = await start(clock);
  for (let turn = 1; turn <= turns; turn++) {
    clock.ms += 1 + draw(5000);
    const peer = peers[draw(peers.length)] ?? peers[0];
    if (peer === undefined) {
      throw new Error("no peer");
    }
    const prefix = prefixes[draw(prefixes.length)] ?? null;
    const route = prefix === null ? null : { prefix, pathId: null };
    const attributes = { ...noAttributes(), asPath: [peer.asn, 64_510 + draw(4)] };
    const common = { timeUs: BigInt(clock.ms) * 1000n, peer, family: null };
    const kind = draw(20);
    if (kind < 10) {
      running.apply({ ...common, kind: "announce", route, attributes });
    } else if (kind < 17) {
      running.apply({ ...common, kind: "withdraw", route, attributes: noAttributes() });
    } else if (kind < 18) {
      running.apply({ ...common, kind: "peer-down", route: null, attributes: noAttributes() });
    } else if (kind < 19) {
      running.collector.table.lose(router);
      running.collector.table.sweep(router, BigInt(clock.ms) * 1000n);
    }
    if (turn % 50 === 0) {
      await running.end();
      clock.ms += 60_000;
      running = await start(clock);
    }
    const found = lookups.map(({ resource, more }) =>
      shown(routesTo(running.collector.table, resource, { ...order, more })?.routes ?? []),
    );
    moments.push({ ms: clock.ms, found });
  }
  await until(() => running.collector.outbox.pending === 0);
  const { past } = running.collector;
  expect(moments.flatMap(({ found }) => found.flat()).length).toBeGreaterThan(10 * turns);
  for (const { ms, found } of moments) {
    const later = await Promise.all(
      lookups.map(async ({ resource, more }) =>
        shown((await past.routesTo(ms, resource, { ...order, more }))?.routes ?? []),
      ),
    );
    expect({ ms, later }).toEqual({ ms, later: found });
  }
  expect(await past.routesTo(startMs, "nonsense", order)).toBeNull();
  expect(past.routesTo(startMs - 1, "2001:db8::/32", order)).rejects.toThrow(
    "Routes are kept from 2026-01-31T12:00:00",
  );
  expect(past.routesTo(Date.now() + 60_000, "2001:db8::/32", order)).rejects.toThrow("in the future");
  await running.end();
});
