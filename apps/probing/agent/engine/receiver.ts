/**
 * One receiver: packets of an interface in, Reply records out to a ring.
 *
 * A record has the layout of `repliesAt` in ffi/hotpath/memory-layout.ts; the measurement and the round-trip time in
 * microseconds are filled in here, from the tick table of the instance whose key fits. When replies are not read, the
 * ring fills, this waits, and the kernel's capture ring takes what it can: each stage counts its losses.
 */
import { Capture } from "../../../../ffi/capture.ts";
import { Hotpath } from "../../../../ffi/hotpath/hotpath.ts";
import {
  counterCount,
  repliesAt,
  replyHeaderBytes,
  replyKeyOffset,
  replyMeasurementOffset,
  replySentTickOffset,
} from "../../../../ffi/hotpath/memory-layout.ts";
import { rttUnknownTenthMs } from "../../../../lib/net/packet/reply.ts";
import type { EchoTargets, TcpProof } from "../../../../lib/net/packet/tag.ts";
import { tickUs } from "../../../../lib/net/packet/time-code.ts";
import {
  replyRttOffset,
  replyRttUsOffset,
  replyTimeReceivedNsOffset,
} from "../../../../lib/net/wire/layout.ts";
import { ByteRing } from "./byte-ring.ts";
import { Counters, receiverCounterNames } from "./counters.ts";
import { EchoMemory } from "./echo-memory.ts";
import { SourceTable } from "./source-table.ts";
import { TcpMemory } from "./tcp-memory.ts";
import { recordHeaderBytes, ThreadRecording } from "./thread-recording.ts";
import { TickTable } from "./tick-table.ts";
import type { ReceiverStart } from "./worker-messages.ts";

/**
 * How long one read waits for a packet or for `wakeFd`; also the interval for reading the kernel's counters.
 */
const waitMs = 1000;
const roomWaitMs = 10;
/** The ring is written in pieces, so that a batch need not fit it whole. */
const pieceBytesMax = 65536;
/** Start of the data section in our messages: lib/net/wire/reply-codec.ts. */
const messageDataAt = 16;
const nsPerTick = 1000 * tickUs;
const highUnitNs = 2 ** 32 % nsPerTick;

export class Receiver implements Disposable {
  readonly #hotpath = new Hotpath();
  readonly #capture: Capture;
  readonly #ring: ByteRing;
  readonly #ticks: readonly TickTable[];
  readonly #sources: SourceTable;
  #sourcesVersion = 0;
  readonly #counters: Counters<(typeof receiverCounterNames)[number]>;
  readonly #recording: ThreadRecording;
  readonly #stop: Int32Array;

  constructor(start: ReceiverStart) {
    this.#sources = new SourceTable(start.sources);
    const memories = start.tcp.map((buffer) => new TcpMemory(buffer));
    // There is no state of a peer's probes here.
    const tcp: TcpProof = { hasLeft: (key, tick, print) => memories[key]?.has(tick, print) ?? false };
    const echoed = start.echoes.map((buffer) => new EchoMemory(buffer));
    const echoes: EchoTargets = { copy: (key, tick, into) => echoed[key]?.copy(tick, into) ?? 0 };
    this.#hotpath.configureReceive({ ...start, sources: [], tcp, echoes });
    const { interfaceName, dns, wakeFd } = start;
    this.#capture = new Capture(this.#hotpath, interfaceName, { waitMs, dns, wakeFd });
    this.#followSources();
    this.#ring = new ByteRing(start.replies);
    this.#ticks = start.ticks.map((buffer) => new TickTable(buffer));
    this.#counters = new Counters(receiverCounterNames, start.counters);
    this.#recording = new ThreadRecording(start.recording);
    this.#stop = new Int32Array(start.stop);
  }

  run(): void {
    while (Atomics.load(this.#stop, 0) === 0) {
      this.#followSources();
      const end = this.#capture.read();
      if (this.#recording.any) {
        this.#readEach(this.#capture.recordsAt, end);
      } else {
        this.#readAll(this.#capture.recordsAt, end);
      }
      this.#count();
    }
  }

  [Symbol.dispose](): void {
    this.#capture[Symbol.dispose]();
  }

  #followSources(): void {
    const version = this.#sources.version;
    const sources = version === this.#sourcesVersion ? null : this.#sources.read();
    if (sources !== null) {
      this.#hotpath.setSources(sources);
      this.#sourcesVersion = version;
    }
  }

  #readAll(start: number, end: number): void {
    let from = start;
    while (from < end) {
      from = this.#hotpath.receive(from, end, this.#capture.linkType, this.#capture.fractionNs);
      this.#publish();
    }
  }

  /** One packet at a time, so that each reply's packet is known. */
  #readEach(start: number, end: number): void {
    let from = start;
    while (from < end) {
      const next = from + recordHeaderBytes + this.#hotpath.view.getUint32(from + 8, true);
      this.#hotpath.receive(from, next, this.#capture.linkType, this.#capture.fractionNs);
      if (this.#hotpath.repliesEnd() > repliesAt) {
        this.#attribute(repliesAt);
        const lost = this.#recording.received(this.#hotpath, [from, next], this.#capture.linkType);
        this.#counters.add("capture_not_recorded", lost);
        this.#write(repliesAt, this.#hotpath.repliesEnd());
      }
      from = next;
    }
  }

  #publish(): void {
    const end = this.#hotpath.repliesEnd();
    let pieceAt = repliesAt;
    let at = repliesAt;
    while (at < end) {
      this.#attribute(at);
      const next = at + this.#hotpath.view.getUint32(at, true);
      if (next - pieceAt > pieceBytesMax) {
        this.#write(pieceAt, at);
        pieceAt = at;
      }
      at = next;
    }
    this.#write(pieceAt, end);
  }

  #attribute(at: number): void {
    const view = this.#hotpath.view;
    const key = view.getInt32(at + replyKeyOffset, true);
    const ticks = this.#ticks[key];
    if (key >= this.#ticks.length) {
      // A peer's probe: stamped by another clock, so its RTT is unknown.
      view.setUint16(at + replyHeaderBytes + messageDataAt + replyRttOffset, rttUnknownTenthMs, true);
      this.#counters.add("reply_of_peer", 1);
    } else if (ticks !== undefined) {
      const tick = Number(view.getBigInt64(at + replySentTickOffset, true));
      view.setInt32(at + replyMeasurementOffset, ticks.get(tick), true);
      this.#setRttUs(at + replyHeaderBytes + messageDataAt, ticks.departureNs(tick));
    }
  }

  /** `departureNs`: see `TickTable.departureNs`. A clock that was set back within the tick leaves it unknown. */
  #setRttUs(data: number, departureNs: number): void {
    const view = this.#hotpath.view;
    if (departureNs >= 0) {
      const time = data + replyTimeReceivedNsOffset;
      const receivedNs = nsInTick(view.getUint32(time, true), view.getUint32(time + 4, true));
      const rttNs = nsPerTick * view.getUint16(data + replyRttOffset, true) + receivedNs - departureNs;
      view.setUint32(data + replyRttUsOffset, rttNs < 0 ? 0 : Math.max(1, Math.round(rttNs / 1000)), true);
    }
  }

  #write(from: number, to: number): void {
    const piece = this.#hotpath.bytes.subarray(from, to);
    while (piece.length > 0 && !this.#ring.write(piece)) {
      this.#counters.add("reply_ring_full", 1);
      if (Atomics.load(this.#stop, 0) !== 0) {
        return;
      }
      this.#ring.waitForRoom(roomWaitMs);
    }
  }

  #count(): void {
    for (let i = 0; i < counterCount; i++) {
      this.#counters.setAt(i, this.#hotpath.counter(i));
    }
    const { received, dropped, interfaceDropped } = this.#capture.stats();
    this.#counters.set("capture_received", received);
    this.#counters.set("capture_dropped", dropped);
    this.#counters.set("capture_interface_dropped", interfaceDropped);
  }
}

/** A time of 64 bits, modulo a tick: the sum is exact, as it stays below 2^53 until the year 2600. */
function nsInTick(low: number, high: number): number {
  const sum = high * highUnitNs + low;
  return sum - Math.floor(sum / nsPerTick) * nsPerTick;
}
