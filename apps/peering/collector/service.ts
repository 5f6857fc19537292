/** The collector with its HTTP, wired: what `vantage collector` runs, and `vantage stack --exchange`. */
import { randomUUID } from "node:crypto";
import type { Hono } from "hono";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { Broker } from "../../../lib/engines/broker/broker.ts";
import type { HttpEnv } from "../../../lib/engines/http/app.ts";
import { httpMetrics } from "../../../lib/engines/observe/http-metrics.ts";
import type { Logger } from "../../../lib/engines/observe/log.ts";
import { collectorApp } from "./app.ts";
import { Collector } from "./collector.ts";
import type { CollectorConfig } from "./config.ts";
import { addCollectorMetrics } from "./metrics.ts";
import { RouteWatches } from "./watch/route-watches.ts";

interface CollectorService {
  /** To be disposed of by the caller. */
  readonly collector: Collector;
  readonly watches: RouteWatches;
  readonly app: Hono<HttpEnv>;
}

export function makeCollector(config: CollectorConfig, broker: Broker, log: Logger): CollectorService {
  const collector = new Collector({ config, broker, log, nowUs });
  const watches = new RouteWatches(collector.table, randomUUID);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addCollectorMetrics(registry, collector, watches);
  const app = collectorApp({
    ...{ collector, watches, nowUs, registry, log },
    ...{ metrics: httpMetrics(registry), proxies: config.trustedProxies },
  });
  return { collector, watches, app };
}

/** The wall clock, to the microsecond. */
function nowUs(): bigint {
  return BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000));
}
