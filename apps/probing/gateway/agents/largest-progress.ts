/** Merges an agent's reports that arrive late or twice. */
import type { Progress } from "../../../../lib/measuring/probing/agent-report.ts";

/** Two reports of one agent's part as one: counts are absolute and may come in any order, so the largest hold. */
export function largestProgress(before: Progress, report: Progress): Progress {
  return {
    sent_probes: Math.max(before.sent_probes, report.sent_probes),
    received_replies: Math.max(before.received_replies, report.received_replies),
    failed_probes: Math.max(before.failed_probes, report.failed_probes),
    is_complete: before.is_complete || report.is_complete,
    error: before.error ?? report.error,
    held_probes: Math.max(before.held_probes, report.held_probes),
    is_stopped: before.is_stopped || report.is_stopped,
  };
}
