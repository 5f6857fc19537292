/** Figures of each RPKI cache for Prometheus, `vantage_collector_rtr_…`; read at each scrape. */
import { Counter, Gauge, type Registry } from "prom-client";
import type { RtrCache } from "./rtr-cache.ts";
import type { VrpSource } from "./vrp-source.ts";

/** Nothing where no cache is asked. */
export function addRtrMetrics(registry: Registry, { caches }: VrpSource): void {
  const registers = [registry];
  const gauges: readonly (readonly [name: string, help: string, read: (cache: RtrCache) => number])[] = [
    ["up", "whether a cache is there and has said all", ({ state }) => (state === "current" ? 1 : 0)],
    ["vrps", "validated ROA payloads that it has said", ({ table }) => table?.count ?? 0],
    [
      "answered_timestamp_seconds",
      "when its last answer was whole",
      ({ readAtMs }) => (readAtMs ?? 0) / 1000,
    ],
  ];
  const counters: readonly (readonly [name: string, help: string, read: (cache: RtrCache) => number])[] = [
    ["failures", "sessions and tries that have ended", ({ counts }) => counts.failures],
    ["router_keys", "router keys, skipped", ({ counts }) => counts.routerKeys],
    ["aspas", "ASPAs, skipped", ({ counts }) => counts.aspas],
  ];
  if (caches.length === 0) {
    return;
  }
  const labelNames = ["cache"] as const;
  for (const [name, help, read] of gauges) {
    const gauge: Gauge<"cache"> = new Gauge({
      ...{ name: `vantage_collector_rtr_${name}`, help, labelNames, registers },
      collect: () => {
        for (const cache of caches) {
          gauge.set({ cache: cache.name }, read(cache));
        }
      },
    });
  }
  for (const [name, help, read] of counters) {
    const counter: Counter<"cache"> = new Counter({
      ...{ name: `vantage_collector_rtr_${name}_total`, help, labelNames, registers },
      collect: () => {
        counter.reset();
        for (const cache of caches) {
          counter.inc({ cache: cache.name }, read(cache));
        }
      },
    });
  }
}
