/**
 * Measurements whose packets the engine copies, as their records request: from the first probe until no reply can
 * arrive any more.
 */
import { RecordedMeasurements } from "../engine/recorded-measurements.ts";
import { lateReplyMs, recordingsAtATime } from "../limits.ts";
import type { ProgressReport } from "./measurement-progress.ts";

interface Recording {
  readonly number: number;
  /** Nothing is sent after this; null when the writer gave none. */
  notAfterMs: number | null;
  /** Null while probes may still leave. */
  endedAtMs: number | null;
}

export class Recordings {
  readonly #recorded: RecordedMeasurements;
  readonly #open = new Map<string, Recording>();
  readonly #refused = new Set<string>();
  readonly #onRefused: () => void;

  /** `onRefused` is called once for each measurement that finds too many others. */
  constructor(recorded: SharedArrayBuffer, onRefused: () => void) {
    this.#recorded = new RecordedMeasurements(recorded);
    this.#onRefused = onRefused;
  }

  /** Call it before its probes are queued to a sender, and again with each turn. */
  begin(measurementId: string, number: number, notAfterMs: number | null): void {
    const known = this.#open.get(measurementId);
    if (known?.number === number) {
      known.endedAtMs = null;
      known.notAfterMs = notAfterMs;
      return;
    }
    if (known !== undefined) {
      this.#end(measurementId, known);
    }
    if (this.#open.size >= recordingsAtATime || !this.#recorded.add(number)) {
      this.#refuse(measurementId);
      return;
    }
    this.#open.set(measurementId, { number, notAfterMs, endedAtMs: null });
  }

  /** Reports that changed. */
  hear(reports: readonly ProgressReport[], nowMs: number): void {
    for (const { measurementId, isComplete, isStopped } of reports) {
      const recording = this.#open.get(measurementId);
      if (recording !== undefined && (isComplete || isStopped)) {
        recording.endedAtMs ??= nowMs;
      }
    }
    for (const [measurementId, recording] of this.#open) {
      const endMs = recording.endedAtMs ?? recording.notAfterMs;
      if (endMs !== null && nowMs > endMs + lateReplyMs) {
        this.#end(measurementId, recording);
      }
    }
  }

  #end(measurementId: string, { number }: Recording): void {
    this.#recorded.remove(number);
    this.#open.delete(measurementId);
  }

  #refuse(measurementId: string): void {
    if (this.#refused.size < recordingsAtATime && !this.#refused.has(measurementId)) {
      this.#refused.add(measurementId);
      this.#onRefused();
    }
  }
}
