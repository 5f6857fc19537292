/** The stack's figures for Prometheus, `vantage_stack_…`; read from the stack at each scrape. */
import { Counter, Gauge, Registry } from "prom-client";
import { Sight } from "../../lib/engines/observe/sight.ts";
import { addBackupGauge, addDiskGauges } from "../../lib/engines/observe/state-gauges.ts";
import type { Child } from "./child.ts";

const feeds = ["replies", "probes", "updates"] as const;
/** Counters of the ingester, by the name that it gives them. */
const ingestCounters = {
  records: "records taken from the broker",
  rows: "rows given to the store",
  batches: "batches inserted",
  repeated: "duplicate messages, skipped: agents publish again what was not acknowledged",
  storeFailures: "inserts that failed and were tried again",
} as const;
const rejectedName = /^(\w+)\.rejected\.(\w+)$/;

/** The stack, or a standalone part of it. */
export interface Measured {
  /** Where everything of it lies. */
  readonly directory: string;
  readonly children: readonly Pick<Child, "name" | "isUp" | "restarts" | "counters">[];
  /** Rejects when the broker is unavailable. */
  lag(): Promise<Readonly<Record<string, number>>>;
}

export function stackRegistry(stack: Measured): Registry {
  const registry = new Registry();
  addChildren(registry, stack);
  addIngest(registry, stack);
  const sight = new Sight(registry);
  sight.add({
    part: "broker",
    name: "vantage_stack_ingest_lag_records",
    help: "records in the broker that are not stored yet",
    labelNames: ["feed"],
    read: async () => Object.entries(await stack.lag()).map(([feed, value]) => ({ labels: { feed }, value })),
  });
  addDiskGauges(sight, stack.directory);
  addBackupGauge(sight, stack.directory);
  return registry;
}

function addChildren(registry: Registry, stack: Measured): void {
  const labelNames = ["process"];
  registry.registerMetric(
    new Gauge({
      name: "vantage_stack_process_up",
      help: "1 when the process is running",
      labelNames,
      registers: [],
      collect() {
        for (const { name, isUp } of stack.children) {
          this.set({ process: name }, isUp ? 1 : 0);
        }
      },
    }),
  );
  registry.registerMetric(
    new Counter({
      name: "vantage_stack_process_restarts_total",
      help: "times that the process had died and was started again",
      labelNames,
      registers: [],
      collect() {
        this.reset();
        for (const { name, restarts } of stack.children) {
          this.inc({ process: name }, restarts);
        }
      },
    }),
  );
}

function addIngest(registry: Registry, stack: Measured): void {
  const counters = () => stack.children.find(({ name }) => name === "ingester")?.counters() ?? {};
  for (const [name, help] of Object.entries(ingestCounters)) {
    const labelled = (feed: string) => counters()[`${feed}.${name}`] ?? 0;
    addByFeed(registry, { name: `vantage_stack_ingest_${snake(name)}_total`, help, value: labelled });
  }
  addByFeed(registry, {
    name: "vantage_stack_ingest_insert_seconds_total",
    help: "time spent in inserts",
    value: (feed) => (counters()[`${feed}.insertMs`] ?? 0) / 1000,
  });
  registry.registerMetric(
    new Counter({
      name: "vantage_stack_ingest_history_measurements_total",
      help: "measurements counted into the history, again after late rows",
      registers: [],
      collect() {
        this.reset();
        this.inc(counters()["history.measurements"] ?? 0);
      },
    }),
  );
  registry.registerMetric(
    new Counter({
      name: "vantage_stack_ingest_rejected_total",
      help: "rejected messages; those of replies are in measure.replies_rejected",
      labelNames: ["feed", "reason"],
      registers: [],
      collect() {
        this.reset();
        for (const [name, count] of Object.entries(counters())) {
          const [, feed, reason] = rejectedName.exec(name) ?? [];
          if (feed !== undefined && reason !== undefined) {
            this.inc({ feed, reason }, count);
          }
        }
      },
    }),
  );
}

function addByFeed(
  registry: Registry,
  {
    name,
    help,
    value,
  }: { readonly name: string; readonly help: string; readonly value: (feed: string) => number },
): void {
  registry.registerMetric(
    new Counter({
      name,
      help,
      labelNames: ["feed"],
      registers: [],
      collect() {
        this.reset();
        for (const feed of feeds) {
          this.inc({ feed }, value(feed));
        }
      },
    }),
  );
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
