/** The agent's counters as Prometheus metrics, `vantage_agent_…`: names and labels are stable. */
import { Counter, Gauge, Registry } from "prom-client";
import { metricMeanings } from "./metric-meanings.ts";

export interface MetricRow {
  /** Without prefix; `…_total` is added to counters. */
  readonly name: string;
  readonly value: number;
  readonly labels: Readonly<Record<string, string>>;
}

const prefix = "vantage_agent_";
/** Names that become a label value: `filtered_ttl_low` is `sender_filtered{filter="ttl_low"}`. */
const families: readonly (readonly [start: string, name: string, label: string])[] = [
  ["filtered_", "sender_filtered", "filter"],
  ["sender_failed_", "sender_failed", "reason"],
  ["refused_", "receiver_refused", "reason"],
  ["labels_lost_", "labels_lost", "reason"],
  ["sites_lost_", "sites_lost", "reason"],
];

/** `read` is called at each scrape. */
export function agentRegistry(agentId: string, read: () => readonly MetricRow[]): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ agent: agentId });
  for (const row of read().map(familyRow)) {
    if (registry.getSingleMetric(metricName(row.name)) === undefined) {
      addMetric(registry, row, read);
    }
  }
  return registry;
}

function addMetric(registry: Registry, { name, labels }: MetricRow, read: () => readonly MetricRow[]): void {
  const { help = name, isGauge = false } = metricMeanings[name] ?? {};
  const about = { name: metricName(name), help, labelNames: Object.keys(labels) };
  const own = () =>
    read()
      .map(familyRow)
      .filter((row) => row.name === name);
  if (isGauge) {
    const collect = function (this: Gauge) {
      for (const row of own()) {
        this.set(row.labels, row.value);
      }
    };
    registry.registerMetric(new Gauge({ ...about, registers: [], collect }));
    return;
  }
  const collect = function (this: Counter) {
    this.reset();
    for (const row of own()) {
      this.inc(row.labels, row.value);
    }
  };
  registry.registerMetric(new Counter({ ...about, registers: [], collect }));
}

export function metricName(name: string): string {
  return `${prefix}${name}${metricMeanings[name]?.isGauge ? "" : "_total"}`;
}

function familyRow(row: MetricRow): MetricRow {
  for (const [start, name, label] of families) {
    if (row.name.startsWith(start)) {
      return { name, value: row.value, labels: { ...row.labels, [label]: row.name.slice(start.length) } };
    }
  }
  return row;
}
