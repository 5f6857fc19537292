/**
 * Destinations of one sender's latest ICMP probes, in shared memory: an echo reply is matched to its probe by its
 * source address, and a host may reply from another of its addresses (RFC 4443 s.4.2). The tag of such a reply is
 * compared with those of the destinations that were probed in its tick.
 *
 *     index, for each time code   0 wrap i32 (0 = being written) | 4 first i32, it wraps | 8 count i32
 *     destinations                16 bytes each, in the order of departure; the oldest is overwritten
 *
 * Size: 786,444 bytes of index, 1 MB of destinations. Pages use memory only once written to: without ICMP, none does.
 */
import { probeBytes, probeProtocolAt, probesAt } from "../../../../ffi/hotpath/memory-layout.ts";
import { ticksPerWrap, wireTimeCode, wrapOf } from "../../../../lib/net/packet/time-code.ts";
import { protocolIcmp, protocolIcmpv6 } from "../../../../lib/net/wire/layout.ts";

const entryWords = 3;
const indexWords = (ticksPerWrap + 1) * entryWords;
const addressWords = 4;
/** The probes of a wrap at 10,000 a second; a power of two. */
const probesMax = 65_536;
const probeWords = probeBytes / 4;

export class EchoMemory {
  readonly buffer: SharedArrayBuffer;
  readonly #words: Int32Array;
  /** The writer's: probes so far, the current tick and its first probe. */
  #next = 0;
  #tick = -1;
  #first = 0;

  /** Wraps a buffer that `EchoMemory.allocate` made, here or in another thread. */
  constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer;
    this.#words = new Int32Array(buffer);
  }

  static allocate(): EchoMemory {
    return new EchoMemory(new SharedArrayBuffer((indexWords + probesMax * addressWords) * 4));
  }

  /** Notes the ICMP probes among those in slots `from` to `end - 1` of a sender's memory, which leave in this tick. */
  write(tick: number, memory: Uint8Array, words: Int32Array, from: number, end: number): void {
    const [before, own] = [this.#next, this.#words];
    let next = before;
    for (let slot = from; slot < end; slot++) {
      const protocol = memory[probesAt + slot * probeBytes + probeProtocolAt];
      if (protocol === protocolIcmp || protocol === protocolIcmpv6) {
        const at = probesAt / 4 + slot * probeWords;
        const to = indexWords + (next & (probesMax - 1)) * addressWords;
        own[to] = words[at] ?? 0;
        own[to + 1] = words[at + 1] ?? 0;
        own[to + 2] = words[at + 2] ?? 0;
        own[to + 3] = words[at + 3] ?? 0;
        next = (next + 1) | 0;
      }
    }
    if (next !== before) {
      this.#next = next;
      this.#index(tick, before);
    }
  }

  #index(tick: number, before: number): void {
    if (tick !== this.#tick) {
      this.#tick = tick;
      this.#first = before;
    }
    const at = wireTimeCode(tick) * entryWords;
    Atomics.store(this.#words, at, 0);
    Atomics.store(this.#words, at + 1, this.#first);
    Atomics.store(this.#words, at + 2, (this.#next - this.#first) | 0);
    Atomics.store(this.#words, at, wrapOf(tick));
  }

  /**
   * Copies the destinations of a tick to the start of `into`; returns how many. Some may be overwritten by then: the
   * tag fits none of these.
   */
  copy(tick: number, into: Int32Array): number {
    const at = wireTimeCode(tick) * entryWords;
    if (Atomics.load(this.#words, at) !== wrapOf(tick)) {
      return 0;
    }
    const first = Atomics.load(this.#words, at + 1);
    const count = Math.min(Atomics.load(this.#words, at + 2), into.length / addressWords);
    for (let i = 0; i < count; i++) {
      const from = indexWords + ((first + i) & (probesMax - 1)) * addressWords;
      into.set(this.#words.subarray(from, from + addressWords), i * addressWords);
    }
    return count;
  }
}
