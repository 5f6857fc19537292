/** The gateway's metrics, on their own registry. Names are stable. */
import { Counter, Gauge, Registry } from "prom-client";
import { type HttpMetrics, httpMetrics } from "../../../lib/engines/observe/http-metrics.ts";
import { Sight } from "../../../lib/engines/observe/sight.ts";

export interface GatewayMetrics {
  readonly registry: Registry;
  readonly http: HttpMetrics;
  readonly sight: Sight;
  /** A submission was accepted: probes x agents. */
  submitted(probes: number): void;
  /** The broker has acknowledged these records. */
  published(records: number): void;
  brokerFailed(): void;
  /** Refused submissions that `vantage admin trace` will not find. */
  refusalsLost(count: number): void;
  /** Streamed responses: +1 or -1. */
  streams(change: 1 | -1): void;
  /** A streamed response failed before its end. */
  streamBroken(): void;
  /** A destination list file could not be reloaded; its last good version stays active. */
  badList(list: string): void;
}

interface Gauges {
  readonly waiting: () => number;
  readonly spoolBytes: () => number;
}

export function gatewayMetrics(gauges: Gauges): GatewayMetrics {
  const registry = new Registry();
  const registers = [registry];
  const submissions = new Counter({
    name: "vantage_gateway_submissions_total",
    help: "Submissions that were accepted",
    registers,
  });
  const probes = new Counter({
    name: "vantage_gateway_submitted_probes_total",
    help: "Probes x agents of accepted submissions",
    registers,
  });
  const records = new Counter({
    name: "vantage_gateway_published_records_total",
    help: "Records that the broker has acknowledged",
    registers,
  });
  const failures = new Counter({
    name: "vantage_gateway_broker_failures_total",
    help: "Calls that the broker did not accept; they are repeated",
    registers,
  });
  const lost = new Counter({
    name: "vantage_gateway_lost_refusals_total",
    help: "Refused submissions that were not stored, so vantage admin trace does not find them",
    registers,
  });
  const badLists = new Counter({
    name: "vantage_gateway_bad_lists_total",
    help: "Times that a list of destinations was invalid, by list",
    labelNames: ["list"],
    registers,
  });
  const streams = new Gauge({
    name: "vantage_gateway_streams",
    help: "Results and events that are being sent",
    registers,
  });
  const broken = new Counter({
    name: "vantage_gateway_broken_streams_total",
    help: "Results and events that could not be sent to their end",
    registers,
  });
  addGauges(registry, gauges);
  return {
    registry,
    http: httpMetrics(registry),
    sight: new Sight(registry),
    submitted: (count) => {
      submissions.inc();
      probes.inc(count);
    },
    published: (count) => records.inc(count),
    brokerFailed: () => failures.inc(),
    refusalsLost: (count) => lost.inc(count),
    streams: (change) => streams.inc(change),
    streamBroken: () => broken.inc(),
    badList: (list) => badLists.inc({ list }),
  };
}

function addGauges(registry: Registry, { waiting, spoolBytes }: Gauges): void {
  const registers = [registry];
  new Gauge({
    name: "vantage_gateway_waiting_measurements",
    help: "Measurements that wait for the broker",
    registers,
    collect() {
      this.set(waiting());
    },
  });
  new Gauge({
    name: "vantage_gateway_spool_bytes",
    help: "Probes on disk that wait for the broker",
    registers,
    collect() {
      this.set(spoolBytes());
    },
  });
}
