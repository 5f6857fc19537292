/** The health report to the gateway, made from the main thread's view. Pure. */
import type { AgentDetails, HealthReport } from "../../../../lib/measuring/probing/agent-report.ts";
import type { HostHold } from "../../../../lib/measuring/probing/host-hold.ts";
import { messageCharsMax } from "../../../../lib/measuring/probing/limits.ts";
import type { Health } from "../observe/health.ts";
import type { Refusal } from "./effective-config.ts";

export interface AgentFigures {
  readonly version: string;
  readonly startedAt: string;
  readonly health: Health;
  /** Every counter by its name, summed over the workers. */
  readonly counters: Readonly<Record<string, number>>;
  readonly queues: readonly { readonly name: string; readonly depth: number; readonly depth_max: number }[];
  readonly captureState: "running" | "degraded" | "down";
  readonly clockSteps: number;
  readonly configVersion: number;
  /** Its operator allows DNS probes. */
  readonly allowsDns: boolean;
  readonly isPaused: boolean;
  readonly isKilled: boolean;
  /** Null = its host lets it send. */
  readonly hostHold: HostHold | null;
  readonly refused: readonly Refusal[];
}

/** Prefixes of counters for what was lost, refused or held back; a report has those that are not zero. */
const losses = [
  ...[
    "sender_failed_",
    "refused_",
    "filtered_",
    "probes_expired",
    "probes_held",
    "probes_blocked",
    "probes_without_source",
  ],
  ...[
    "measurements_refused_by_host",
    "probes_cancelled",
    "probes_repeated",
    "records_bad",
    "records_refused",
    "records_expired",
  ],
  ...["replies_unattributed", "replies_dropped", "reply_stale", "reply_mismatch", "reply_foreign"],
  ...["reply_untagged", "reply_tcp_unproven", "sender_tcp_forgotten", "reply_bad_checksum", "labels_lost_"],
  "sites_lost_",
  ...[
    "reply_ring_full",
    "capture_dropped",
    "capture_interface_dropped",
    "publish_failures",
    "commit_failures",
  ],
  ...["journal_failures", "destination_lists_bad", "gateway_progress_forgotten"],
];

export function healthReport(figures: AgentFigures): HealthReport {
  const { health, refused } = figures;
  const refusals = refused.map(({ instance, key, reason }) => `${instance}.${key} ${reason}`);
  const words = [...health.reasons, ...refusals.map((text) => `refused: ${text}`)].join("; ");
  return {
    healthy: health.status !== "unhealthy",
    message: words === "" ? null : words.slice(0, messageCharsMax),
    details: detailsOf(figures),
  };
}

function detailsOf(figures: AgentFigures): AgentDetails {
  const { counters, hostHold } = figures;
  const of = (name: string) => counters[name] ?? 0;
  return {
    version: figures.version,
    started_at: figures.startedAt,
    config_version: figures.configVersion,
    sends_shapes: true,
    allows_dns: figures.allowsDns,
    paused: figures.isPaused,
    killed: figures.isKilled,
    held_by_host: hostHold === null ? null : hostHold.words,
    capture: {
      state: figures.captureState,
      received: of("capture_received"),
      dropped: of("capture_dropped") + of("capture_interface_dropped"),
    },
    queues: [...figures.queues],
    drops: Object.fromEntries(
      Object.entries(counters).filter(
        ([name, value]) => value > 0 && losses.some((start) => name.startsWith(start)),
      ),
    ),
    clock: { offset_ms: null, within_ms: null, steps: figures.clockSteps },
    broker: {
      readable: of("consumer_away") === 0,
      writable: of("producer_away") === 0,
      lag_records: of("lag_records"),
      spool_bytes: of("spool_bytes"),
    },
    refused: figures.refused.map(({ instance, key, reason }) => ({ instance, key, reason })),
  };
}
