/** The collector's figures for Prometheus, `vantage_collector_…`; read at each scrape. */
import { Counter, Gauge, type Registry } from "prom-client";
import type { Collector } from "./collector.ts";
import { addRtrMetrics } from "./rpki/rtr-metrics.ts";
import type { RouteWatches } from "./watch/route-watches.ts";

type Figure = readonly [name: string, help: string, read: () => number];

export function addCollectorMetrics(registry: Registry, collector: Collector, watches: RouteWatches): void {
  const { station, outbox, table, followers, vrps, looks } = collector;
  const sum = (of: (follower: (typeof followers)[number]) => number) =>
    followers.reduce((all, one) => all + of(one), 0);
  const lookSum = (of: (counts: { readonly looks: number; readonly failures: number }) => number) =>
    looks.reduce((all, { counts }) => all + of(counts), 0);
  const gauges: readonly Figure[] = [
    ["routers", "routers that are connected by BMP", () => station.sessions.length],
    ["prefixes", "prefixes in the live table", () => table.counts.prefixes],
    ["paths", "paths in the live table", () => table.counts.paths],
    ["attributes", "different sets of path attributes that they share", () => table.counts.attributes],
    ["pending", "updates that wait for the broker", () => outbox.pending],
    [
      "open_gaps",
      "routers that are not connected",
      () => table.gaps.filter(({ toUs }) => toUs === null).length,
    ],
    ["watchers", "readers of changes that are connected", () => watches.open],
    ["vrps", "validated ROA payloads that routes are validated by", () => vrps?.table?.count ?? 0],
    [
      "vrps_passed_over",
      "payloads of the file of VRPs in use that could not be read",
      () => vrps?.passedOver ?? 0,
    ],
    ["vrps_read_timestamp_seconds", "when all of them were there last", () => (vrps?.readAtMs ?? 0) / 1000],
    ["files_stuck", "files of MRT that are damaged", () => sum(({ isStuck }) => (isStuck ? 1 : 0))],
  ];
  for (const [name, help, read] of gauges) {
    const gauge: Gauge = new Gauge({
      ...{ name: `vantage_collector_${name}`, help, registers: [registry] },
      collect: () => gauge.set(read()),
    });
  }
  const counters: readonly Figure[] = [
    ...sourceCounters(collector),
    ["published", "updates that the broker has taken", () => outbox.counts.published],
    ["watches_refused", "readers of changes for whom there was no room", () => watches.counts.refused],
    ["watch_resumes", "readers of changes that were cut off and came back", () => watches.counts.resumed],
    ["watch_changes_missed", "changes that slow readers did not get", () => watches.counts.missed],
    ["looks", "times that routers were asked what they refuse", () => lookSum(({ looks: n }) => n)],
    ["look_failures", "of these, those that had no answer", () => lookSum(({ failures }) => failures)],
    ["vrp_failures", "tries that did not get them", () => vrps?.counts.failures ?? 0],
    ["publish_failures", "tries that the broker did not take", () => outbox.counts.failures],
  ];
  for (const [name, help, read] of counters) {
    const counter: Counter = new Counter({
      ...{ name: `vantage_collector_${name}_total`, help, registers: [registry] },
      collect: () => {
        counter.reset();
        counter.inc(read());
      },
    });
  }
  if (vrps !== null) {
    addRtrMetrics(registry, vrps);
  }
}

/** What routers and files have sent. */
function sourceCounters({ station, followers }: Collector): readonly Figure[] {
  const sum = (of: (follower: (typeof followers)[number]) => number) =>
    followers.reduce((all, one) => all + of(one), 0);
  return [
    ["refused", "connections of routers that may not, or are too many", () => station.counts.refused],
    ["bmp_messages", "messages of BMP", () => station.counts.messages],
    ["bmp_bytes", "bytes of BMP", () => station.counts.bytes],
    ["mrt_records", "records of MRT", () => sum(({ counts }) => counts.records)],
    [
      "broken",
      "messages and records that could not be read, malformed UPDATEs among them",
      () => station.counts.broken + sum(({ counts }) => counts.broken),
    ],
    ["bmp_unknown", "BMP messages of unknown types, skipped", () => station.counts.unknown],
    [
      "attributes_left_out",
      "malformed path attributes that were left out of routes (RFC 7606)",
      () => station.counts.discarded + sum(({ counts }) => counts.discarded),
    ],
  ];
}
