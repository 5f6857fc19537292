/**
 * The progress of all of this agent's measurements: the probes sent, kept over restarts, and the probes that must not
 * be sent again, or not any more.
 */
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import type { HostHold } from "../../../../lib/measuring/probing/host-hold.ts";
import type { TargetHeader } from "../../../../lib/net/wire/target-header.ts";
import type { ConsumerCounter } from "../agent-counters.ts";
import type { Counters } from "../engine/counters.ts";
import { MeasurementBoard } from "../engine/measurement-board.ts";
import type { UnjournaledProgress } from "../keep/recover-replies.ts";
import {
  cancelledRememberedMax,
  journalBytesMax,
  measurementsRememberedMax,
  progressKeepMs,
} from "../limits.ts";
import { MeasurementProgress, type ProgressReport } from "./measurement-progress.ts";
import type { PartitionQueue } from "./partition-queue.ts";
import { isCounted, listOf, ProbeJob, targetOf } from "./probe-job.ts";
import { type JournalLine, ProgressJournal } from "./progress-journal.ts";
import { Recordings } from "./recordings.ts";
import { namesOf, type TargetRecord } from "./target-record.ts";

interface ProgressLedgerParts {
  /** Shared memory of recorded-measurements.ts; absent or null = packets are never kept. */
  readonly recorded?: SharedArrayBuffer | null;
  readonly stateDir: string;
  readonly board: SharedArrayBuffer;
  readonly counters: Counters<ConsumerCounter>;
  readonly onFailure: (text: string) => void;
  readonly nowMs: number;
  readonly left?: UnjournaledProgress;
}

export class ProgressLedger {
  readonly #board: MeasurementBoard;
  readonly #journal: ProgressJournal;
  readonly #counters: Counters<ConsumerCounter>;
  readonly #onFailure: (text: string) => void;
  /** Least recently used first. */
  readonly #measurements = new Map<string, MeasurementProgress>();
  /** Oldest first. */
  readonly #cancelled = new Set<string>();
  readonly #reported = new Map<string, string>();
  readonly #recordings: Recordings | null;
  /** Set while the agent's host does not let it send. */
  hostHold: HostHold | null = null;
  #unwritten: JournalLine[] = [];
  #compactAtBytes = journalBytesMax;

  constructor({ stateDir, board, recorded, counters, onFailure, nowMs, left }: ProgressLedgerParts) {
    const onRefused = () => counters.add("recordings_refused", 1);
    this.#recordings = recorded == null ? null : new Recordings(recorded, onRefused);
    this.#board = new MeasurementBoard(board);
    this.#journal = new ProgressJournal(stateDir);
    this.#counters = counters;
    this.#onFailure = onFailure;
    for (const line of this.#journal.read().filter(({ notAfterMs }) => notAfterMs >= nowMs)) {
      this.#of(line.measurementId, nowMs).restore(line);
    }
    for (const probes of left?.probes ?? []) {
      this.#of(probes.measurementId, nowMs).leave(probes);
    }
    for (const one of left?.counts ?? []) {
      this.#of(one.measurementId, nowMs).credit(one);
    }
    this.#compact();
  }

  /** A job for the unsent part of the record; null, and counted, when there is nothing to send. */
  admit(record: TargetRecord, queue: PartitionQueue, nowMs: number): ProbeJob | null {
    const { measurementId, firstProbe } = record.header;
    if (measurementId === null) {
      return new ProbeJob(record);
    }
    const progress = this.#of(measurementId, nowMs);
    const target = targetOf(record.header);
    const from = firstProbe ?? progress.nextOf(target);
    if (isCounted(record.header)) {
      progress.adopt(target, listOf(target), from);
    }
    const known = queue.coveredTo(measurementId, target, progress.coveredTo(target, from));
    const startAt = isCounted(record.header) ? Math.min(known, from + record.probeCount) : from;
    const job = new ProbeJob(record, from, startAt);
    this.#counters.add("probes_repeated", startAt - from);
    if (startAt === job.to && startAt > from) {
      this.#counters.add("records_repeated", 1);
      progress.pass(record.header);
      return null;
    }
    progress.begin(job);
    return job;
  }

  /** Notes that this agent cannot send the measurement, or the rest of it. */
  fail(measurementId: string, reason: string, nowMs: number): void {
    this.#of(measurementId, nowMs).error ??= reason;
  }

  isCancelled({ record }: ProbeJob): boolean {
    const { measurementId } = record.header;
    return measurementId !== null && this.#cancelled.has(measurementId);
  }

  /** Stops these measurements from now on. */
  cancel(measurementIds: readonly string[], nowMs: number): void {
    for (const id of measurementIds.filter((named) => !this.#cancelled.has(named))) {
      this.#cancelled.add(id);
      // Unknown ones too: the gateway waits for the report that nothing was or will be sent.
      const progress = this.#of(id, nowMs);
      progress.isCancelled = true;
      const { number } = progress;
      if (number !== null) {
        this.#board.stop(number);
      }
    }
    for (const id of [...this.#cancelled].slice(0, -cancelledRememberedMax)) {
      this.#cancelled.delete(id);
    }
  }

  /** Assigns this number to the measurement; its packets and replies are counted under it. */
  numbered(measurementId: string, number: number, nowMs: number): void {
    const progress = this.#of(measurementId, nowMs);
    if (progress.number !== number) {
      this.#board.open(number);
      progress.number = number;
    }
  }

  /** Copies its packets if its user requested them, from now until the measurement has ended. */
  keepPackets({ measurementId, recordsPackets, notAfterMs }: TargetHeader, number: number): void {
    if (recordsPackets === true && measurementId !== null) {
      this.#recordings?.begin(measurementId, number, notAfterMs);
    }
  }

  /** The job is complete: once `write` is called, restarts keep that. */
  left(job: ProbeJob): void {
    const progress = this.#measurements.get(job.record.header.measurementId ?? "");
    progress?.end(job);
    const ends = job.record.header.endOfMeasurement && job.position === job.to;
    this.#note(job, { to: job.position, ends }, progress);
  }

  /** More of the job was sent, but not all: kept likewise, so that a crash repeats little of a long record. */
  leftInPart(job: ProbeJob): void {
    const progress = this.#measurements.get(job.record.header.measurementId ?? "");
    progress?.follow(job);
    this.#note(job, { to: job.left.position, ends: false }, progress);
  }

  /** Drops the jobs of a closed subscription. */
  dropJobs(): void {
    for (const progress of this.#measurements.values()) {
      progress.drop();
    }
  }

  /** Call it before offsets are committed. A full disk only costs repetitions after a crash. */
  write(): void {
    if (this.#unwritten.length === 0) {
      return;
    }
    try {
      this.#journal.append(this.#unwritten);
    } catch (error) {
      this.#counters.add("journal_failures", 1);
      this.#onFailure(`Cannot keep progress: ${systemReason(error)}`);
    }
    this.#unwritten = [];
    if (this.#journal.bytes > this.#compactAtBytes) {
      this.#compact();
    }
  }

  /** Reads the counts of senders and producer, and returns the reports that changed since the last call. */
  reports(nowMs: number): ProgressReport[] {
    this.#endHeld(nowMs);
    const reports: ProgressReport[] = [];
    for (const [id, progress] of this.#measurements) {
      progress.count(this.#board.take(progress.number ?? 0));
      const report = progress.report();
      const text = JSON.stringify(report);
      if (this.#reported.get(id) !== text) {
        this.#reported.set(id, text);
        progress.usedAtMs = nowMs;
        reports.push(report);
        this.#unwritten.push(...progress.lines());
      }
    }
    this.#recordings?.hear(reports, nowMs);
    this.#forget(nowMs);
    return reports;
  }

  /** Ends the measurements that the host's hold outlasts, so that the gateway refunds them and users do not wait. */
  #endHeld(nowMs: number): void {
    for (const [id, progress] of this.hostHold === null ? [] : this.#measurements) {
      const reason = this.hostHold === null ? null : progress.whyHeld(this.hostHold, nowMs);
      if (reason !== null) {
        progress.error ??= reason;
        this.#onFailure(
          `Ended ${namesOf({ measurementId: id, requestId: progress.requestId }).join(", ")}: ${reason}`,
        );
        this.#counters.add("measurements_refused_by_host", 1);
        this.cancel([id], nowMs);
      }
    }
  }

  /** Forgets expired measurements, and the oldest ones beyond the limit. */
  #forget(nowMs: number): void {
    for (const [id, { usedAtMs, notAfterMs }] of this.#measurements) {
      const isOver = nowMs > Math.max(notAfterMs ?? 0, usedAtMs + progressKeepMs);
      const isTooMuch = this.#measurements.size > measurementsRememberedMax;
      if (isOver || isTooMuch) {
        this.#measurements.delete(id);
        this.#reported.delete(id);
        this.#counters.add("measurements_forgotten", isOver ? 0 : 1);
      }
    }
  }

  #note(
    { record, target, from }: ProbeJob,
    { to, ends }: Pick<JournalLine, "to" | "ends">,
    progress?: MeasurementProgress,
  ): void {
    const { measurementId, notAfterMs } = record.header;
    if (progress !== undefined && measurementId !== null && notAfterMs !== null) {
      const probes = { measurementId, target, notAfterMs, from, to, ends };
      this.#unwritten.push({ ...probes, ...progress.totals() });
    }
  }

  #compact(): void {
    try {
      this.#journal.rewrite([...this.#measurements.values()].flatMap((progress) => progress.lines()));
      this.#compactAtBytes = journalBytesMax + 2 * this.#journal.bytes;
    } catch (error) {
      this.#counters.add("journal_failures", 1);
      this.#onFailure(`Cannot keep progress: ${systemReason(error)}`);
    }
  }

  #of(measurementId: string, nowMs: number): MeasurementProgress {
    const known = this.#measurements.get(measurementId) ?? new MeasurementProgress(measurementId, nowMs);
    known.usedAtMs = nowMs;
    this.#measurements.delete(measurementId);
    this.#measurements.set(measurementId, known);
    return known;
  }
}
