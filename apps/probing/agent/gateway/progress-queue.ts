/** Progress that the gateway has not acknowledged yet: the newest figures of each measurement. */
import * as v from "valibot";
import { type ProgressBatch, progressBatchSchema } from "../../../../lib/measuring/probing/agent-report.ts";
import { messageCharsMax, progressReportsMax } from "../../../../lib/measuring/probing/limits.ts";
import type { ProgressReport } from "../consume/measurement-progress.ts";
import { progressWaitingMax } from "../limits.ts";

const measurementId = progressBatchSchema.pipe[0].item.entries.measurement_id;

export class ProgressQueue {
  /** Dropped for newer ones of other measurements, since the start. */
  forgotten = 0;
  /** Oldest first. */
  readonly #reports = new Map<string, ProgressReport>();

  get size(): number {
    return this.#reports.size;
  }

  /** A measurement whose id is not a UUID is not from a gateway. */
  add(reports: readonly ProgressReport[]): void {
    for (const report of reports) {
      if (v.is(measurementId, report.measurementId)) {
        this.#reports.delete(report.measurementId);
        this.#reports.set(report.measurementId, report);
      }
    }
    for (const id of [...this.#reports.keys()].slice(0, -progressWaitingMax)) {
      this.#reports.delete(id);
      this.forgotten++;
    }
  }

  /** Passes the oldest to `send`; sent reports are removed, unless they have changed by then. */
  async flush(send: (batch: ProgressBatch) => Promise<unknown>): Promise<void> {
    const batch = [...this.#reports.values()].slice(0, progressReportsMax);
    if (batch.length === 0) {
      return;
    }
    await send(batch.map(toWire));
    for (const report of batch) {
      if (this.#reports.get(report.measurementId) === report) {
        this.#reports.delete(report.measurementId);
      }
    }
  }
}

function toWire(report: ProgressReport): ProgressBatch[number] {
  return {
    measurement_id: report.measurementId,
    sent_probes: report.sentProbes,
    is_complete: report.isComplete,
    received_replies: report.receivedReplies,
    failed_probes: report.failedProbes,
    error: report.error?.slice(0, messageCharsMax) ?? null,
    held_probes: report.heldProbes,
    is_stopped: report.isStopped,
  };
}
