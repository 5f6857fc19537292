/** A record whose probes are being put into the senders' rings, some at a time, without an object for each. */
import { type Address, addressBytes, isIpv4 } from "../../../../lib/net/ip/address.ts";
import { ProbeCursor } from "../../../../lib/net/wire/probe-codec.ts";
import type { TargetHeader } from "../../../../lib/net/wire/target-header.ts";
import type { ConsumerCounter } from "../agent-counters.ts";
import type { ProbeMetadata } from "../engine/probe-queue.ts";
import { heldProbesMax, heldRetryMs } from "../limits.ts";
import { costOf, type DestinationPace, type PaceLimits } from "./destination-pace.ts";
import type { SenderFeed } from "./sender-feed.ts";
import { SentWatermark, type WatermarkTime } from "./sent-watermark.ts";
import type { Source } from "./source-rules.ts";
import type { TargetRecord } from "./target-record.ts";

type Count = (name: ConsumerCounter, count: number) => void;

interface JobTurn {
  readonly feeds: readonly SenderFeed[];
  readonly count: Count;
  readonly measurement: number;
  readonly nowMs: number;
  /** Monotonic time, for the pace. */
  readonly paceMs: number;
  readonly pace: DestinationPace;
  readonly probesMax: number;
  /** Whether the destination must not be probed. */
  readonly blocks: (destination: Address) => boolean;
}

/** Records of one measurement with the same target are parts of the same list of probes. */
export function targetOf({ srcIp, notAfterMs }: TargetHeader): string {
  return `${srcIp} ${notAfterMs ?? ""}`;
}

/** A target hashed to the 16 bits that a ring has for it: a measurement has few targets, so collisions are rare. */
export function listOf(target: string): number {
  return 1 + (Bun.hash.crc32(target) % 0xffff);
}

/** List number of probes that overtake others: the last one sent doesn't imply that those before it were. */
const outOfOrder = 0;

/** Whether its probes can be distinguished from another run's: without an end time, a name may be reused. */
export function isCounted({ measurementId, firstProbe, notAfterMs }: TargetHeader): boolean {
  return measurementId !== null && firstProbe !== null && notAfterMs !== null;
}

/** A probe whose destination is at its rate limit. */
interface HeldProbe {
  /** Index in the record, and offset of its message in the record's bytes. */
  readonly index: number;
  readonly at: number;
  copiesLeft: number;
  askAgainMs: number;
  /** The destination's limit allows it; it may still wait for the ring. */
  isAllowed: boolean;
}

/** The sender of a probe, and its index in the record. */
interface Way {
  readonly source: Source | null;
  readonly feed: SenderFeed | undefined;
  readonly index: number;
}

/**
 * Holds probes whose destination is at its rate limit, some hundred in a record at most, and continues with the next
 * ones; held probes are sent when the limit allows. When nothing else is left the job stalls, and its partition
 * continues with the next record.
 */
export class ProbeJob {
  readonly record: TargetRecord;
  /** Index in the measurement of the record's first probe. */
  readonly from: number;
  readonly target: string;
  isDone = false;
  /** Set at the end: for each sender that was used, the position that it must reach before the record is complete. */
  readonly marks = new Map<SenderFeed, number>();
  packetsQueued = 0;
  /** Read and not queued: blocked, filtered, or without a source. */
  probesUnsent = 0;
  /** How often each probe is sent, at most. */
  packetsPerProbe = 1;
  /** How far it has been sent; for a record that is not counted, nothing until it is complete. */
  readonly left: SentWatermark;
  readonly #cursor: ProbeCursor;
  readonly #list: number;
  readonly #place: { -readonly [Key in keyof ProbeMetadata]: ProbeMetadata[Key] };
  #probesRead = 0;
  #probesToSkip: number;
  /** Copies of the probe at the cursor still to send; 0 = next probe. */
  #copiesLeft = 0;
  #source: Source | null = null;
  /** Held probes, in the order of the record. */
  #held: HeldProbe[] = [];
  /** Probes held since the start. */
  probesHeld = 0;
  /** On the clock of the pace: until then the job only waits. */
  stalledUntilMs = 0;
  #limits: PaceLimits | null = null;

  /** The probes before index `startAt` were sent before a restart, or with another copy of the record. */
  constructor(record: TargetRecord, from = record.header.firstProbe ?? 0, startAt = from) {
    this.record = record;
    this.from = from;
    this.target = targetOf(record.header);
    this.left = new SentWatermark(startAt);
    this.#probesToSkip = startAt - from;
    this.#cursor = new ProbeCursor(record.value);
    this.#list = listOf(this.target);
    const { shape = {} } = record.header;
    this.#place = { src: new Uint8Array(addressBytes), measurement: 0, index: 0, list: this.#list, shape };
  }

  /** Index after the record's last probe. */
  get to(): number {
    return this.from + this.record.probeCount;
  }

  /** Index after the last probe that is completely in the rings, or will never be. */
  get position(): number {
    const [first] = this.#held;
    return first === undefined ? this.#readTo : this.from + first.index;
  }

  /** Probes behind `position` that are in the rings already, or will never be. */
  get probesAhead(): number {
    return this.#readTo - this.position - this.#held.length;
  }

  get #readTo(): number {
    return this.from + this.#probesRead - Math.sign(this.#copiesLeft);
  }

  /** Queues up to `probesMax` probes; fewer when a ring is full enough. Returns the number of probes that are done. */
  turn(turn: JobTurn): number {
    const { notAfterMs } = this.record.header;
    if (notAfterMs !== null && turn.nowMs > notAfterMs) {
      this.giveUp(turn.count, "expired", turn.pace);
      return 0;
    }
    let count = this.#release(turn);
    while (count < turn.probesMax && this.#queueOne(turn)) {
      count++;
    }
    if (this.isDone) {
      turn.count("records_taken", 1);
    }
    return count;
  }

  /** Updates how far it has been sent; true when that is further than at the last call. */
  hasComeFurther(look: WatermarkTime): boolean {
    return isCounted(this.record.header) && this.left.follow(this.isDone ? null : this, look);
  }

  /** Stops it: no more probes go into a ring. */
  giveUp(count: Count, why: "expired" | "cancelled", pace: DestinationPace): void {
    pace.held -= this.isDone ? 0 : this.#held.length;
    count(`probes_${why}`, this.to - this.position - this.probesAhead);
    count(`records_${why}`, 1);
    this.isDone = true;
  }

  /** Queues held probes that may leave now. Returns their number. */
  #release(turn: JobTurn): number {
    if (this.#held.length === 0 || this.#copiesLeft > 0) {
      return 0;
    }
    const before = this.#held.length;
    this.#held = this.#held.filter((held) => turn.paceMs < held.askAgainMs || !this.#releaseOne(held, turn));
    const released = before - this.#held.length;
    turn.pace.held -= released;
    return released;
  }

  /** False when its destination is still at its limit, or the ring has no room for all its copies. */
  #releaseOne(held: HeldProbe, turn: JobTurn): boolean {
    const cursor = new ProbeCursor(this.record.value, held.at);
    cursor.advance();
    const waitMs = held.isAllowed ? 0 : this.#waitMs(cursor, held.copiesLeft, turn);
    if (waitMs > 0) {
      held.askAgainMs = turn.paceMs + Math.min(waitMs, heldRetryMs);
      return false;
    }
    held.isAllowed = true;
    const source = this.#sourceOf(cursor);
    const feed = turn.feeds[source?.instance ?? -1];
    while (held.copiesLeft > 0 && this.#offer(cursor, { source, feed, index: held.index }, turn)) {
      held.copiesLeft--;
    }
    return held.copiesLeft === 0;
  }

  #waitMs({ dst, protocol }: ProbeCursor, copies: number, { pace, paceMs }: JobTurn): number {
    this.#limits ??= pace.limitsOf(this.record.header.share ?? null);
    const isDns = this.record.header.shape?.dns !== undefined;
    return pace.take(dst, copies * costOf(protocol, isDns), this.#limits, paceMs);
  }

  #sourceOf({ dst }: ProbeCursor): Source | null {
    const { ipv4, ipv6 } = this.record.sources;
    return isIpv4(dst) ? ipv4 : ipv6;
  }

  #stall(): false {
    this.stalledUntilMs = Math.min(...this.#held.map(({ askAgainMs }) => askAgainMs));
    return false;
  }

  /** False when the record has no more probes, or the ring has no room. */
  #queueOne(turn: JobTurn): boolean {
    if (this.#copiesLeft === 0 && !this.#next(turn)) {
      return false;
    }
    const feed = turn.feeds[this.#source?.instance ?? -1];
    const way = { source: this.#source, feed, index: this.#probesRead - 1 };
    while (this.#copiesLeft > 0) {
      if (!this.#offer(this.#cursor, way, turn)) {
        return false;
      }
      this.#copiesLeft--;
    }
    return true;
  }

  /** Puts one copy into the ring; false when the ring is full enough. */
  #offer(cursor: ProbeCursor, { source, feed, index }: Way, { measurement, pace }: JobTurn): boolean {
    if (source === null || feed === undefined) {
      return false;
    }
    this.#place.src = source.address;
    this.#place.measurement = measurement;
    this.#place.index = this.from + index;
    this.#place.list = pace.held > 0 ? outOfOrder : this.#list;
    if (!feed.offer(cursor, this.#place)) {
      return false;
    }
    this.packetsQueued++;
    this.marks.set(feed, feed.queued);
    return true;
  }

  #next(turn: JobTurn): boolean {
    if (this.#cursor.next >= this.record.value.length) {
      this.isDone = this.#held.length === 0;
      return this.isDone ? false : this.#stall();
    }
    if (this.#held.length >= heldProbesMax) {
      return this.#stall();
    }
    const at = this.#cursor.next;
    this.#cursor.advance();
    this.#probesRead++;
    if (this.#probesToSkip > 0) {
      this.#probesToSkip--;
      return true;
    }
    turn.count("probes_read", 1);
    const copies = this.#copiesOf(turn);
    this.probesUnsent += copies === 0 ? 1 : 0;
    this.#copiesLeft = copies > 0 && this.#hold(copies, at, turn) ? 0 : copies;
    return true;
  }

  /** Holds and counts the probe at the cursor when its destination is at its limit; returns whether it did. */
  #hold(copies: number, at: number, turn: JobTurn): boolean {
    const waitMs = this.#waitMs(this.#cursor, copies, turn);
    if (waitMs <= 0) {
      return false;
    }
    const askAgainMs = turn.paceMs + Math.min(waitMs, heldRetryMs);
    this.#held.push({
      index: this.#probesRead - 1,
      at,
      copiesLeft: copies,
      askAgainMs,
      isAllowed: false,
    });
    this.probesHeld++;
    turn.pace.held++;
    turn.count("probes_held", 1);
    return true;
  }

  /** How often the probe at the cursor is to be sent; 0, and counted, when it is not. */
  #copiesOf({ feeds, count, blocks }: JobTurn): number {
    this.#source = this.#sourceOf(this.#cursor);
    const feed = feeds[this.#source?.instance ?? -1];
    if (feed === undefined) {
      count("probes_without_source", 1);
      return 0;
    }
    if (blocks(this.#cursor.dst)) {
      count("probes_blocked", 1);
      return 0;
    }
    this.packetsPerProbe = Math.max(this.packetsPerProbe, feed.packets);
    return feed.passes(this.#cursor.ttl) ? feed.packets : 0;
  }
}
