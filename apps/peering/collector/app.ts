/** The collector's HTTP API: routers and peers, the table, gaps, a looking glass; health and metrics. */
import { Hono } from "hono";
import type { Registry } from "prom-client";
import type { HttpEnv } from "../../../lib/engines/http/app.ts";
import type { HttpMetrics } from "../../../lib/engines/observe/http-metrics.ts";
import type { Logger } from "../../../lib/engines/observe/log.ts";
import { serviceApp } from "../../../lib/engines/service/service-app.ts";
import { type Address, formatAddress, sameAddress } from "../../../lib/net/ip/address.ts";
import type { Prefix } from "../../../lib/net/ip/prefix.ts";
import type { TableState } from "../../../lib/net/rib/table-state.ts";
import { printable } from "../../../lib/peering/policy/printable.ts";
import { birdwatcherRoutes } from "./birdwatcher/birdwatcher-routes.ts";
import type { Collector } from "./collector.ts";
import { routerNameCharsMax } from "./limits.ts";
import { rejectedRoutes } from "./rejected-routes.ts";
import { ripestatRoutes } from "./ripestat.ts";
import { risRoutes } from "./ris-live/ris-routes.ts";
import { lookupRoutes } from "./route-lookup.ts";
import { searchRoutes } from "./route-search.ts";
import { vrpsStatus } from "./rpki/vrps-status.ts";
import type { RouteWatches } from "./watch/route-watches.ts";
import { watchRoutes } from "./watch/watch-routes.ts";

interface AppParts {
  readonly collector: Collector;
  readonly watches: RouteWatches;
  /** The clock that it has its times from. */
  readonly nowUs: () => bigint;
  readonly registry: Registry;
  readonly metrics: HttpMetrics;
  readonly log: Logger;
  readonly proxies: readonly Prefix[];
}

export function collectorApp(parts: AppParts): Hono<HttpEnv> {
  const { collector, watches, nowUs, registry, metrics, log, proxies } = parts;
  const { table, vrps, past } = collector;
  const status = new Hono<HttpEnv>();
  status.get("/status", (c) => c.json(statusOf(collector)));
  // The clock of the routes' times, for callers that compare clocks.
  status.get("/clock", (c) => c.json({ time_ns: String(nowUs() * 1000n) }));
  const broker = async () => {
    if (collector.outbox.trouble !== null) {
      throw new Error(collector.outbox.trouble);
    }
  };
  const failed = (error: unknown) => log.error("An answer has broken off", { error: String(error) });
  return serviceApp({
    title: "Vantage collector",
    description: "Routers' routes, from BMP and MRT.",
    areas: [
      ...[status, lookupRoutes({ table, vrps, past }), rejectedRoutes(table, vrps), ripestatRoutes(table)],
      searchRoutes(table, vrps),
      ...[watchRoutes({ table, watches, nowUs, vrps }), risRoutes({ table, watches })],
      birdwatcherRoutes({ table, nameOf: (router) => nameOf(collector, router), failed }),
    ],
    watched: { registry, checks: { broker } },
    ...{ log, metrics, proxies },
  });
}

/** The name that a connected router gives itself by BMP. */
function nameOf({ station }: Collector, router: Address): string | null {
  const name = station.sessions.find((one) => sameAddress(one.router, router))?.bmp.name ?? null;
  return name === null ? null : printable(name, routerNameCharsMax);
}

function statusOf({ table, station, followers, outbox, vrps }: Collector) {
  return {
    ...table.counts,
    pending: outbox.pending,
    routers: station.sessions.map(({ router, port, sinceMs, bmp }) => ({
      address: formatAddress(router),
      ...{ port, name: bmp.name, since: new Date(sinceMs).toISOString() },
    })),
    files: followers.map(({ file, isStuck, counts }) => ({ file, is_stuck: isStuck, ...counts })),
    vrps: vrps === null ? null : vrpsStatus(vrps),
    peers: table.peers().map(({ router, address, isLocalTable, asn, isUp, sinceUs, tables }) => ({
      router: formatAddress(router),
      address: isLocalTable ? null : formatAddress(address),
      ...{ asn, is_up: isUp, since: sinceUs === null ? null : timeText(BigInt(sinceUs)) },
      tables: [...tables].map(([name, state]) => tableStatus(name, state)),
    })),
    gaps: table.gaps.map(({ router, fromUs, toUs, reason }) => ({
      router: router === null ? null : formatAddress(router),
      ...{ from: timeText(fromUs), to: toUs === null ? null : timeText(toUs), reason },
    })),
  };
}

function tableStatus(name: string, state: TableState) {
  const { paths, announcements, withdrawals, complete, lastChangeUs } = state;
  const nowUs = 1000 * Date.now();
  return {
    ...{ name, paths, announcements, withdrawals, complete: [...complete] },
    // Families without an End-of-RIB that have stopped growing.
    quiet: ([4, 6] as const).filter((family) => state.completeness(family, nowUs) === "quiet"),
    last_change: lastChangeUs === null ? null : timeText(BigInt(lastChangeUs)),
  };
}

function timeText(timeUs: bigint): string {
  return new Date(Number(timeUs / 1000n)).toISOString();
}
