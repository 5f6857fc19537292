/** A record on its way into the senders' rings, some probes a turn, without an object for each. */
import { type Address, addressBytes, isIpv4 } from "../../../lib/ip/address.ts";
import { ProbeCursor } from "../../../lib/wire/probe-codec.ts";
import type { TargetHeader } from "../../../lib/wire/target-header.ts";
import type { ConsumerCounter } from "../agent-counters.ts";
import type { ProbePlace } from "../engine/probe-queue.ts";
import { LeftTrail, type Look } from "./left-trail.ts";
import type { Outlet } from "./outlet.ts";
import type { Source } from "./source-rules.ts";
import type { TargetRecord } from "./target-record.ts";

export type Count = (name: ConsumerCounter, count: number) => void;

export interface JobTurn {
  readonly outlets: readonly Outlet[];
  readonly count: Count;
  readonly measurement: number;
  readonly nowMs: number;
  readonly probesMax: number;
  /** Whether the destination must not be probed. */
  readonly blocks: (destination: Address) => boolean;
}

/** Records of one measurement with the same target are parts of the same list of probes. */
export function targetOf({ srcIp, notAfterMs }: TargetHeader): string {
  return `${srcIp} ${notAfterMs ?? ""}`;
}

/** A target as the 16 bits that a ring has for it: a measurement has few targets, so they hardly ever meet. */
export function listOf(target: string): number {
  return Bun.hash.crc32(target) & 0xffff;
}

/** Whether its probes can be told from those of another run: without an end in time it may be the same name again. */
export function isCounted({ measurementId, firstProbe, notAfterMs }: TargetHeader): boolean {
  return measurementId !== null && firstProbe !== null && notAfterMs !== null;
}

export class ProbeJob {
  readonly record: TargetRecord;
  /** Index in the measurement of the record's first probe. */
  readonly from: number;
  readonly target: string;
  isDone = false;
  /** Set at the end: for each outlet that was used, how far it must have come before the record is done for good. */
  readonly marks = new Map<Outlet, number>();
  packetsQueued = 0;
  /** Read and not queued: blocked, filtered, or without a source. */
  probesUnsent = 0;
  /** How often each probe is sent, at most. */
  packetsPerProbe = 1;
  /** What of it has left; of one that is not counted, nothing until all has. */
  readonly left: LeftTrail;
  readonly #cursor: ProbeCursor;
  readonly #place: { -readonly [Key in keyof ProbePlace]: ProbePlace[Key] };
  #probesRead = 0;
  #probesToSkip: number;
  /** Where the probe at the cursor goes, and how often still; 0 = on to the next. */
  #copiesLeft = 0;
  #source: Source | null = null;

  /** The probes before index `startAt` left in an earlier life, or with another copy of the record. */
  constructor(record: TargetRecord, from = record.header.firstProbe ?? 0, startAt = from) {
    this.record = record;
    this.from = from;
    this.target = targetOf(record.header);
    this.left = new LeftTrail(startAt);
    this.#probesToSkip = startAt - from;
    this.#cursor = new ProbeCursor(record.value);
    const list = listOf(this.target);
    this.#place = { src: new Uint8Array(addressBytes), measurement: 0, index: 0, list };
  }

  /** Index after the record's last probe. */
  get to(): number {
    return this.from + this.record.probeCount;
  }

  /** Index after the last probe that is wholly in the rings, or will never be. */
  get position(): number {
    return this.from + this.#probesRead - Math.sign(this.#copiesLeft);
  }

  /** Queues up to `probesMax` probes; fewer when a ring has enough. Returns how many it is done with. */
  turn(turn: JobTurn): number {
    const { notAfterMs } = this.record.header;
    if (notAfterMs !== null && turn.nowMs > notAfterMs) {
      this.giveUp(turn.count, "expired");
      return 0;
    }
    let count = 0;
    while (count < turn.probesMax && this.#queueOne(turn)) {
      count++;
    }
    if (this.isDone) {
      turn.count("records_taken", 1);
    }
    return count;
  }

  /** Looks how far it has left; true when that is further than at the last look. */
  hasComeFurther(look: Look): boolean {
    return isCounted(this.record.header) && this.left.follow(this.isDone ? null : this, look);
  }

  /** Nothing more of it goes into a ring. */
  giveUp(count: Count, why: "expired" | "cancelled"): void {
    count(`probes_${why}`, this.to - this.position);
    count(`records_${why}`, 1);
    this.isDone = true;
  }

  /** False when there are no more, or no room. */
  #queueOne(turn: JobTurn): boolean {
    if (this.#copiesLeft === 0 && !this.#next(turn)) {
      return false;
    }
    const outlet = turn.outlets[this.#source?.instance ?? -1];
    while (this.#copiesLeft > 0 && this.#source !== null && outlet !== undefined) {
      this.#place.src = this.#source.address;
      this.#place.measurement = turn.measurement;
      this.#place.index = this.from + this.#probesRead - 1;
      if (!outlet.offer(this.#cursor, this.#place)) {
        return false;
      }
      this.#copiesLeft--;
      this.packetsQueued++;
      this.marks.set(outlet, outlet.queued);
    }
    return true;
  }

  #next(turn: JobTurn): boolean {
    if (this.#cursor.next >= this.record.value.length) {
      this.isDone = true;
      return false;
    }
    this.#cursor.advance();
    this.#probesRead++;
    if (this.#probesToSkip > 0) {
      this.#probesToSkip--;
      return true;
    }
    turn.count("probes_read", 1);
    this.#copiesLeft = this.#copiesOf(turn);
    this.probesUnsent += this.#copiesLeft === 0 ? 1 : 0;
    return true;
  }

  /** How often the probe at the cursor is to be sent; 0, and counted, when it is not. */
  #copiesOf({ outlets, count, blocks }: JobTurn): number {
    const { ipv4, ipv6 } = this.record.sources;
    this.#source = isIpv4(this.#cursor.dst) ? ipv4 : ipv6;
    const outlet = outlets[this.#source?.instance ?? -1];
    if (outlet === undefined) {
      count("probes_without_source", 1);
      return 0;
    }
    if (blocks(this.#cursor.dst)) {
      count("probes_blocked", 1);
      return 0;
    }
    this.packetsPerProbe = Math.max(this.packetsPerProbe, outlet.packets);
    return outlet.passes(this.#cursor.ttl) ? outlet.packets : 0;
  }
}
