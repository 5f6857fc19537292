/**
 * The TCP probes that one sender has sent within the life of an answer, in shared memory: an answer to TCP brings
 * 8 bits of the tag back, or 24, too few where a host has connections of its own.
 *
 * Time is cut into segments of 8192 ticks (0.82 s). Ten of them are kept, in turn: a wrap of the time code (6.55 s) is
 * eight, one is being written, one is the slack of a receiver that lags. A segment holds prints (lib/net/packet/tag.ts)
 * in the order of departure; an index says where each tick's are. So writing is appending, and looking up reads those
 * of one tick:
 *
 *     index, for each of 81,920 ticks   0 round i32 (0 = being written) | 4 first u32 | 8 count u32
 *     segments, for each of ten         prints u32
 *
 * Size: 983,040 bytes of index, and 41 bytes for each probe a second of the rate: 61 MB at 1,500,000 a second. At
 * `tcpRateMax`, more than a sender reaches, 84 MB. Pages use memory only once written to: without TCP, none
 * does. The collector counts the size as part of each heap that holds it, written to or not, and so lets more
 * garbage gather there: a dry sender with 84 MB of it grew to 540 MB, so a dry sender gets the smallest size.
 *
 * Chance that a foreign answer fits: the prints of its tick (150 at 1,500,000 a second) in 2^32, and 8 bits of tag
 * besides: 1.4 in 10^10 for each instance, and none where no TCP is sent.
 */
import { ticksPerSec } from "../../../../lib/net/packet/time-code.ts";

const segmentTicks = 8192;
const segments = 10;
const slots = segmentTicks * segments;
const slotWords = 3;
const indexWords = slots * slotWords;
/** Raising the rate at run time up to this needs no restart; 2 MB. */
const tcpRateMin = 50_000;
/** Packets/s of TCP: 2^21 prints a segment. The fastest sender that was measured reaches 1.6 million. */
export const tcpRateMax = (2 ** 21 * ticksPerSec) / segmentTicks;
/** A delayed sender catches up. */
const headroom = 1.25;

export class TcpMemory {
  readonly buffer: SharedArrayBuffer;
  readonly #index: Int32Array;
  readonly #prints: Uint32Array;
  /** Prints that a segment has room for. */
  readonly #capacity: number;
  /** The writer's current segment, and the used part of it. */
  #segment = -1;
  #used = 0;
  #lastSlot = 0;
  #lastKept = 0;

  /** Wraps a buffer that `TcpMemory.allocate` made, here or in another thread. */
  constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer;
    this.#index = new Int32Array(buffer, 0, indexWords);
    this.#prints = new Uint32Array(buffer, indexWords * 4);
    this.#capacity = this.#prints.length / segments;
  }

  /** With room for this rate, but at most for `tcpRateMax`. */
  static allocate(rateProbesPerSec: number): TcpMemory {
    const rate = Math.min(tcpRateMax, Math.max(tcpRateMin, rateProbesPerSec * headroom));
    const capacity = Math.ceil((rate * segmentTicks) / ticksPerSec);
    return new TcpMemory(new SharedArrayBuffer((indexWords + segments * capacity) * 4));
  }

  /** Packets/s that it can remember. */
  get rateMax(): number {
    return Math.floor((this.#capacity * ticksPerSec) / segmentTicks);
  }

  /**
   * Remembers probes that are about to leave in a tick; returns how many are forgotten, for lack of room, or because
   * the clock was set back to a tick that had others.
   */
  write(tick: number, prints: Uint32Array): number {
    const segment = Math.floor(tick / segmentTicks);
    if (segment !== this.#segment) {
      this.#segment = segment;
      this.#used = 0;
    }
    const kept = Math.min(prints.length, this.#capacity - this.#used);
    const all = kept === prints.length ? prints : prints.subarray(0, kept);
    this.#prints.set(all, (segment % segments) * this.#capacity + this.#used);
    const forgotten = this.#note(tick, kept);
    this.#used += kept;
    this.#lastKept = kept;
    return prints.length - kept + forgotten;
  }

  /** The last `count` of `total` probes, those of the last `write`, did not leave. */
  takeBack(count: number, total: number): void {
    const kept = Math.max(0, Math.min(this.#lastKept, count - (total - this.#lastKept)));
    Atomics.sub(this.#index, this.#lastSlot + 2, kept);
    this.#used -= kept;
  }

  has(tick: number, print: number): boolean {
    const slot = (tick % slots) * slotWords;
    if (Atomics.load(this.#index, slot) !== roundOf(tick)) {
      return false;
    }
    const first = this.#index[slot + 1] ?? 0;
    const count = Atomics.load(this.#index, slot + 2);
    const segmentAt = (Math.floor(tick / segmentTicks) % segments) * this.#capacity;
    const end = segmentAt + first + count;
    for (let at = segmentAt + first; at < end; at++) {
      if (this.#prints[at] === print) {
        return true;
      }
    }
    return false;
  }

  /** Returns how many prints of this tick are dropped, as a tick's prints must be contiguous. */
  #note(tick: number, kept: number): number {
    const index = this.#index;
    const round = roundOf(tick);
    const slot = (tick % slots) * slotWords;
    const count = index[slot] === round ? (index[slot + 2] ?? 0) : 0;
    this.#lastSlot = slot;
    if (count > 0 && (index[slot + 1] ?? 0) + count === this.#used) {
      Atomics.store(index, slot + 2, count + kept);
      return 0;
    }
    Atomics.store(index, slot, 0);
    index[slot + 1] = this.#used;
    Atomics.store(index, slot + 2, kept);
    Atomics.store(index, slot, round);
    return count;
  }
}

/** The index's round: at least 1, within 31 bits until the year 2528. */
function roundOf(tick: number): number {
  return Math.floor(tick / slots) + 1;
}
