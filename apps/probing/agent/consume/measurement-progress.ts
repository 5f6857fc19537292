/**
 * The progress of one measurement at this agent: absolute counts, so that they continue after a restart.
 *
 * A probe's index in its measurement is its record's `first_probe` plus its position in the record. A measurement has
 * a target for each source address; each has all the probes, and the counts add up. Packets that senders have not
 * reported yet count as not sent.
 */

import type { HostHold } from "../../../../lib/measuring/probing/host-hold.ts";
import type { TargetHeader } from "../../../../lib/net/wire/target-header.ts";
import type { MeasurementCounts } from "../engine/measurement-board.ts";
import type { UnjournaledCounts } from "../keep/recover-replies.ts";
import type { SentProbes } from "../keep/sent-probes.ts";
import { hostPauseGraceMs } from "../limits.ts";
import { type ProbeJob, targetOf } from "./probe-job.ts";
import { type ProbeRange, ProbeRanges } from "./probe-ranges.ts";
import type { JournalLine } from "./progress-journal.ts";
import { arePassed } from "./sent-watermark.ts";

/** A progress report for the gateway. */
export interface ProgressReport {
  readonly measurementId: string;
  readonly sentProbes: number;
  readonly receivedReplies: number;
  /** Probes that were not sent: refused by the kernel, blocked, filtered, or without a source. */
  readonly failedProbes: number;
  readonly isComplete: boolean;
  /** Why this agent cannot send any, or any more, of it. */
  readonly error: string | null;
  /** Probes that were delayed because their destination was at its rate limit. */
  readonly heldProbes: number;
  /** It was cancelled and the rings hold none of its probes: these counts are final. */
  readonly isStopped: boolean;
  /** The gateway's name for its user at this agent; null = it gave none. */
  readonly user: string | null;
  /** The request that submitted it; null = none is known. */
  readonly requestId: string | null;
  /** Requested source addresses; none = the agent chose. */
  readonly sources: readonly string[];
}

interface TargetProgress {
  /** Probes that have certainly been sent. */
  readonly left: ProbeRanges;
  hasEnded: boolean;
}

export class MeasurementProgress {
  readonly id: string;
  /** Its number on the board; null = none yet. */
  number: number | null = null;
  /** The gateway has stopped it. */
  isCancelled = false;
  usedAtMs: number;
  /** Nothing is sent after this time; null when the writer gave none. */
  notAfterMs: number | null = null;
  error: string | null = null;
  user: string | null = null;
  requestId: string | null = null;
  /** Replies and failed probes, including those before a restart. */
  #replied = 0;
  #failedProbes = 0;
  #heldProbes = 0;
  /** For records given up while some of their probes were delayed: probes after these that had been sent. */
  #probesAhead = 0;
  #packetsQueued = 0;
  #packetsTaken = 0;
  #packetsFailed = 0;
  /** How often each probe is sent: the maximum over the instances that it uses. */
  #packetsPerProbe = 1;
  readonly #targets = new Map<string, TargetProgress>();
  /** Ranges by list that a killed process had sent, of targets whose records have not been delivered again yet. */
  readonly #leftOfLists = new Map<number, ProbeRange>();
  readonly #jobs = new Set<ProbeJob>();

  constructor(id: string, nowMs: number) {
    this.id = id;
    this.usedAtMs = nowMs;
  }

  /** The target's first index from `from` on that has not been sent yet. */
  coveredTo(target: string, from: number): number {
    return this.#targets.get(target)?.left.coveredTo(from) ?? from;
  }

  /** Adds probes that a killed process had sent. */
  leave({ list, from, to }: SentProbes): void {
    this.#leftOfLists.set(list, { from, to });
  }

  /** Adds counts that a killed process had not journaled. */
  credit({ failed, replied }: UnjournaledCounts): void {
    this.#failedProbes += failed;
    this.#replied += replied;
  }

  /** Assigns the list to the target: probes of the list that were sent before count as sent, from this record on. */
  adopt(target: string, list: number, from: number): void {
    const left = this.#leftOfLists.get(list);
    if (left !== undefined && from < left.to) {
      this.#target(target).left.add({ from: Math.min(from, left.from), to: left.to });
    }
  }

  /** Marks a record that was sent completely before. */
  pass(header: TargetHeader): void {
    this.#target(targetOf(header)).hasEnded ||= header.endOfMeasurement;
    this.notAfterMs = Math.max(this.notAfterMs ?? 0, header.notAfterMs ?? 0) || null;
  }

  /** The start of a record whose writer does not number probes. */
  nextOf(target: string): number {
    const ends = [...this.#jobs].filter((job) => job.target === target).map(({ to }) => to);
    return Math.max(this.#target(target).left.end, ...ends);
  }

  begin(job: ProbeJob): void {
    this.#target(job.target);
    this.#jobs.add(job);
    this.user ??= job.record.header.share?.user ?? null;
    this.requestId ??= job.record.header.requestId ?? null;
    this.notAfterMs = Math.max(this.notAfterMs ?? 0, job.record.header.notAfterMs ?? 0) || null;
  }

  /** The job is complete: no more of it will be sent. */
  end(job: ProbeJob): void {
    if (!this.#jobs.delete(job)) {
      return;
    }
    this.#packetsQueued += job.packetsQueued;
    this.#packetsPerProbe = Math.max(this.#packetsPerProbe, job.packetsPerProbe);
    this.#failedProbes += job.probesUnsent;
    this.#heldProbes += job.probesHeld;
    this.#probesAhead += job.probesAhead;
    const target = this.#target(job.target);
    target.left.add({ from: job.from, to: job.position });
    target.hasEnded ||= job.record.header.endOfMeasurement && job.position === job.to;
  }

  /** More of an incomplete job has been sent. */
  follow(job: ProbeJob): void {
    if (this.#jobs.has(job)) {
      this.#target(job.target).left.add({ from: job.from, to: job.left.position });
    }
  }

  /**
   * Drops the jobs of a closed subscription: uncommitted records are delivered again, and their sent probes are
   * skipped.
   */
  drop(): void {
    for (const job of this.#jobs) {
      this.#packetsQueued += job.packetsQueued;
      this.#failedProbes += job.left.probesUnsent;
    }
    this.#jobs.clear();
  }

  /** Adds the counts of senders and receivers since the last call. */
  count({ sent, failed, replied }: MeasurementCounts): void {
    this.#packetsTaken += sent + failed;
    this.#packetsFailed += failed;
    this.#replied += replied;
  }

  /** Restores a line of the journal, at the start. */
  restore(line: JournalLine): void {
    const target = this.#target(line.target);
    target.left.add(line);
    target.hasEnded ||= line.ends;
    this.#failedProbes = Math.max(this.#failedProbes, line.failed);
    this.#replied = Math.max(this.#replied, line.replied);
    this.error = line.error ?? this.error;
    this.notAfterMs = Math.max(this.notAfterMs ?? 0, line.notAfterMs);
  }

  /**
   * Everything that the next start needs, in as few lines as possible. Empty for a measurement without an end
   * time.
   */
  lines(): JournalLine[] {
    const { id, notAfterMs } = this;
    if (notAfterMs === null) {
      return [];
    }
    const totals = this.totals();
    return [...this.#targets].flatMap(([target, { left, hasEnded: ends }]) => {
      const ranges = [...left];
      return (ranges.length === 0 ? [{ from: 0, to: 0 }] : ranges).map(({ from, to }) => {
        return { measurementId: id, target, notAfterMs, from, to, ends, ...totals };
      });
    });
  }

  /** Figures that belong to the sent probes. */
  totals(): Pick<JournalLine, "failed" | "replied" | "error"> {
    const unsent = [...this.#jobs].reduce((sum, { left }) => sum + left.probesUnsent, 0);
    return { failed: this.#failed + unsent, replied: this.#replied, error: this.error };
  }

  /** Why the host's hold ends it: it lasts too long for it. Null = it may wait, or has nothing to send. */
  whyHeld({ words, sinceMs, untilMs }: HostHold, nowMs: number): string | null {
    if (this.#jobs.size === 0 || this.isCancelled || this.notAfterMs === null) {
      return null;
    }
    const isTooLong = untilMs === null ? nowMs - sinceMs > hostPauseGraceMs : untilMs > this.notAfterMs;
    return isTooLong ? `The agent is ${words}` : null;
  }

  report(): ProgressReport {
    const jobs = [...this.#jobs];
    const queued = jobs.reduce((sum, job) => sum + job.packetsQueued, this.#packetsQueued);
    const unsent = jobs.reduce((sum, job) => sum + job.probesUnsent, 0);
    const packetsPerProbe = Math.max(this.#packetsPerProbe, ...jobs.map((job) => job.packetsPerProbe));
    const waiting = Math.ceil(Math.max(0, queued - this.#packetsTaken) / packetsPerProbe);
    const failedProbes = this.#failed + unsent;
    const targets = [...this.#targets];
    const ahead = jobs.reduce((sum, job) => sum + job.probesAhead, this.#probesAhead);
    const done = targets.reduce((sum, [name]) => sum + this.#probesDone(name), ahead);
    return {
      measurementId: this.id,
      sentProbes: Math.max(0, done - waiting - failedProbes),
      receivedReplies: this.#replied,
      failedProbes,
      isComplete: targets.length > 0 && jobs.length === 0 && targets.every(([, { hasEnded }]) => hasEnded),
      error: this.error,
      heldProbes: jobs.reduce((sum, { probesHeld }) => sum + probesHeld, this.#heldProbes),
      isStopped: this.isCancelled && jobs.every(({ isDone, marks }) => isDone && arePassed(marks)),
      ...{ user: this.user, requestId: this.requestId },
      sources: [...new Set(targets.map(([name]) => name.split(" ", 1)[0] ?? ""))].filter((ip) => ip !== ""),
    };
  }

  /** Probes of the target that were sent, are in the rings, or will never be: each counted once. */
  #probesDone(name: string): number {
    const done = new ProbeRanges(this.#target(name).left);
    for (const { target, from, position } of this.#jobs) {
      done.add({ from, to: target === name ? position : from });
    }
    return done.size;
  }

  get #failed(): number {
    return this.#failedProbes + Math.floor(this.#packetsFailed / this.#packetsPerProbe);
  }

  #target(name: string): TargetProgress {
    const known = this.#targets.get(name);
    if (known !== undefined) {
      return known;
    }
    const target = { left: new ProbeRanges(), hasEnded: false };
    this.#targets.set(name, target);
    return target;
  }
}
