/**
 * One sender: sends the probes of its ring as frames on its interface, at its rate.
 *
 * The loop allocates nothing for a probe. A batch carries one send time, so it is kept short: 64 packets leave in
 * less than a tick (0.1 ms) at a million a second. At rates at which it costs nothing, each batch has a tick of its
 * own (`Pace.isTickwise`): then replies are timed to the microsecond, not to the tick.
 */
import { Clock } from "../../../../ffi/clock.ts";
import { batchFramesMax, type FrameSender } from "../../../../ffi/frame-sender.ts";
import { Hotpath } from "../../../../ffi/hotpath/hotpath.ts";
import {
  dnsQuestionShift,
  iovecBytes,
  iovecLengthAt,
  iovecPaddingLengthAt,
  iovecsAt,
  probeBytes,
  probeFlagsAt,
  probeIndexAt,
  probeMeasurementAt,
  probeProtocolAt,
  probeSizeAt,
  probesAt,
  stopEqual,
  stopNoRoute,
  stopPadding,
} from "../../../../ffi/hotpath/memory-layout.ts";
import { errnoNumbers } from "../../../../ffi/libc.ts";
import { findLink } from "../../../../ffi/netlink/link.ts";
import { tickOfUs, wireTimeCode, wrapOf } from "../../../../lib/net/packet/time-code.ts";
import { protocolTcp } from "../../../../lib/net/wire/layout.ts";
import { openBackEnd, tooLargeFor } from "./back-end.ts";
import { ByteRing } from "./byte-ring.ts";
import { Counters, senderCounterNames } from "./counters.ts";
import { Departures } from "./departures.ts";
import { EchoMemory } from "./echo-memory.ts";
import { FlowRoutes } from "./flow-routes.ts";
import { MeasurementBoard } from "./measurement-board.ts";
import { NextHops, type SenderRoutes } from "./next-hops.ts";
import { idleSenderMs, Pace } from "./pace.ts";
import { measurementRun } from "./probe-queue.ts";
import { TcpMemory } from "./tcp-memory.ts";
import { ThreadRecording } from "./thread-recording.ts";
import { TickTable } from "./tick-table.ts";
import type { SenderStart } from "./worker-messages.ts";

/** A full device queue drains within this; then the frame counts as failed. */
const retriesMax = 2000;
const retryUs = 100;
const [failedUs, notSentUs] = [-1, 0];

export class Sender implements Disposable {
  readonly #clock = new Clock();
  readonly #hotpath = new Hotpath();
  readonly #socket: FrameSender;
  readonly #routes: SenderRoutes;
  readonly #ring: ByteRing;
  readonly #departures: Departures;
  readonly #tcp: TcpMemory;
  readonly #echoes: EchoMemory;
  readonly #pace: Pace;
  readonly #board: MeasurementBoard;
  readonly #counters: Counters<(typeof senderCounterNames)[number]>;
  readonly #sentAtUs: Float64Array;
  readonly #recording: ThreadRecording;
  readonly #stop: Int32Array;
  readonly #onFailure: (text: string) => void;
  readonly #forgottenText: string;

  /** Throws when the interface or the privilege is missing; `onFailure` is called for single failures later on. */
  constructor(start: SenderStart, onFailure: (text: string) => void) {
    const link = findLink(start.instance.interfaceName);
    if (link === null) {
      throw new Error(`Cannot send: there is no interface ${start.instance.interfaceName} (see: ip link)`);
    }
    if (!link.up) {
      throw new Error(`Cannot send: interface ${link.name} is down (see: ip link set ${link.name} up)`);
    }
    this.#hotpath.configureSend({ key: start.key, layer: link.layer, mac: link.mac });
    this.#pace = new Pace(start, this.#clock);
    const { name, backEnd = "packet" } = start.instance;
    const { sender, instead } = openBackEnd(this.#hotpath, link, backEnd);
    this.#socket = sender;
    if (instead !== null) {
      onFailure(`Instance ${name} sends by packet, not by ${backEnd}: ${instead}`);
    }
    this.#forgottenText = `Instance ${name} sends more TCP than it remembers: answers to it are dropped`;
    const Routes = start.instance.routes === "by flow" ? FlowRoutes : NextHops;
    this.#routes = new Routes(this.#hotpath, link, this.#clock);
    this.#ring = new ByteRing(start.probes);
    this.#departures = new Departures(new TickTable(start.ticks), this.#clock, this.#pace);
    this.#tcp = new TcpMemory(start.tcp);
    this.#echoes = new EchoMemory(start.echoes);
    this.#board = new MeasurementBoard(start.board);
    this.#counters = new Counters(senderCounterNames, start.counters);
    this.#sentAtUs = new Float64Array(start.sentAtUs);
    this.#recording = new ThreadRecording(start.recording);
    this.#stop = new Int32Array(start.stop);
    this.#onFailure = onFailure;
    // The first call compiles: better now than between the stamp and the departure of a probe.
    this.#hotpath.fill(0, batchFramesMax, 1, 1);
  }

  /** Sends until the stop flag is set. */
  run(): void {
    while (!this.#stopped()) {
      const nowUs = this.#clock.monotonicUs();
      this.#routes.refresh(nowUs);
      const allowed = this.#pace.allowed(nowUs);
      if (allowed === 0) {
        continue;
      }
      const { first, count: free } = this.#socket.freeSlots();
      if (free === 0) {
        this.#waitForKernel();
        continue;
      }
      const at = probesAt + first * probeBytes;
      const bytesMax = Math.min(allowed, free) * probeBytes;
      const count = this.#ring.peek(this.#hotpath.bytes, at, bytesMax) / probeBytes;
      if (count === 0) {
        this.#ring.waitForBytes(idleSenderMs);
        continue;
      }
      const same = measurementRun(this.#hotpath.view, at, count);
      if (this.#board.isStopped(this.#field(first, probeMeasurementAt))) {
        this.#drop(same);
      } else {
        this.#sendProbes(first, first + same);
      }
    }
  }

  [Symbol.dispose](): void {
    this.#socket[Symbol.dispose]();
    this.#routes[Symbol.dispose]();
  }

  #stopped(): boolean {
    return Atomics.load(this.#stop, 0) !== 0;
  }

  /** Unsent probes do not use up the rate. */
  #drop(count: number): void {
    this.#counters.add("sender_cancelled", count);
    this.#counters.add("sender_read", count);
    this.#ring.advance(count * probeBytes);
  }

  #waitForKernel(): void {
    this.#counters.add("sender_retries", 1);
    this.#clock.sleepUs(retryUs);
  }

  /** Fills and sends the probes in slots `from` to `end - 1`, and takes them off the ring, batch by batch. */
  #sendProbes(from: number, end: number): void {
    let first = from;
    let retries = 0;
    // Silent neighbours take long; probes left at a stop stay in the ring.
    while (first < end && !this.#stopped()) {
      // Stamped again in each round: a probe that waited for a neighbour or for room in the queue leaves later than it
      // was filled.
      const batchEnd = Math.min(end, first - (first % batchFramesMax) + batchFramesMax);
      const sameWayEnd = this.#routes.prepare(first, batchEnd);
      const nowUs = this.#departures.next(this.#field(from, probeMeasurementAt));
      const tick = tickOfUs(nowUs);
      const filled = this.#hotpath.fillDeparting(first, sameWayEnd, wireTimeCode(tick), wrapOf(tick));
      if (filled === 0) {
        // An equal probe leaves in the next tick.
        if (this.#hotpath.stopReason() !== stopEqual && !this.#resolve(first)) {
          first += this.#done(1);
        }
        continue;
      }
      this.#noteTimes(first, first + filled, nowUs);
      const sent = this.#sendRemembered(first, filled, tick);
      this.#noteTimes(first + Math.max(0, sent), first + filled, notSentUs);
      if (sent > 0) {
        this.#countSent(first, sent);
        if (this.#recording.any) {
          const lost = this.#recording.sent(this.#hotpath, [first, sent], nowUs);
          this.#counters.add("sender_not_recorded", lost);
        }
        first += this.#done(sent);
        retries = 0;
      } else if (mayRetry(-sent) && retries < retriesMax) {
        retries++;
        this.#waitForKernel();
      } else {
        this.#fail(first, "sender_failed_kernel", `the kernel refused a frame (errno ${-sent})`);
        first += this.#done(1);
      }
    }
  }

  /**
   * Removes probes from the ring, batch by batch: those that a killed agent had not removed, the next one sends again.
   * Returns `count`.
   */
  #done(count: number): number {
    this.#ring.advance(count * probeBytes);
    this.#counters.add("sender_read", count);
    this.#pace.take(count);
    return count;
  }

  /** TCP, ICMP and sizes are remembered before they leave, as a reply may arrive at once; what was not sent is not. */
  #sendRemembered(first: number, count: number, tick: number): number {
    this.#echoes.write(tick, this.#hotpath.bytes, this.#hotpath.words, first, first + count);
    const tcpCount = this.#hotpath.tcpCount();
    if (tcpCount === 0) {
      return this.#send(first, count);
    }
    const forgotten = this.#tcp.write(tick, this.#hotpath.tcpPrints());
    if (forgotten > 0) {
      this.#counters.add("sender_tcp_forgotten", forgotten);
      this.#onFailure(this.#forgottenText);
    }
    const sent = this.#send(first, count);
    this.#tcp.takeBack(this.#rememberedIn(first + Math.max(0, sent), first + count), tcpCount);
    return sent;
  }

  #rememberedIn(from: number, end: number): number {
    const { view } = this.#hotpath;
    let count = 0;
    for (let slot = from; slot < end; slot++) {
      const at = probesAt + slot * probeBytes;
      const isTcp = view.getUint8(at + probeProtocolAt) === protocolTcp;
      const shaped =
        view.getUint16(at + probeSizeAt, true) + (view.getUint8(at + probeFlagsAt) >> dnsQuestionShift);
      count += isTcp || shaped !== 0 ? 1 : 0;
    }
    return count;
  }

  #send(first: number, count: number): number {
    const { dropped: before } = this.#socket;
    const sent = this.#socket.send(first, count);
    if (this.#socket.dropped !== before) {
      this.#counters.add("sender_dropped", this.#socket.dropped - before);
    }
    return sent;
  }

  #countSent(first: number, count: number): void {
    let bytes = 0;
    for (let slot = first; slot < first + count; slot++) {
      const iovec = iovecsAt + slot * iovecBytes;
      bytes += this.#hotpath.view.getUint32(iovec + iovecLengthAt, true);
      bytes += this.#hotpath.view.getUint32(iovec + iovecPaddingLengthAt, true);
    }
    this.#pace.sent(count, bytes);
    this.#counters.add("sender_sent", count);
    this.#counters.add("sender_bytes", bytes);
    this.#board.add(this.#field(first, probeMeasurementAt), "sent", count);
  }

  /**
   * Called before the probes leave, because a reply may arrive at once; unsent ones lose their time again.
   */
  #noteTimes(from: number, end: number, sentAtUs: number): void {
    if (this.#sentAtUs.length > 0) {
      for (let slot = from; slot < end; slot++) {
        this.#sentAtUs[this.#field(slot, probeIndexAt)] = sentAtUs;
      }
    }
  }

  /** False when the probe has been counted as failed, also when resolving did not help. */
  #resolve(slot: number): boolean {
    if (this.#hotpath.stopReason() === stopPadding) {
      this.#fail(slot, "sender_failed_kernel", tooLargeFor(this.#hotpath, this.#socket));
      return false;
    }
    const noRoute = this.#hotpath.stopReason() === stopNoRoute;
    const reason = this.#routes.resolve(slot);
    if (reason === null && this.#hotpath.fill(slot, slot + 1, 1, 1) === 1) {
      return true;
    }
    const counter = noRoute ? "sender_failed_route" : "sender_failed_neighbour";
    this.#fail(slot, counter, reason ?? "its next hop was lost again");
    return false;
  }

  #fail(slot: number, counter: (typeof senderCounterNames)[number], reason: string): void {
    this.#counters.add(counter, 1);
    this.#board.add(this.#field(slot, probeMeasurementAt), "failed", 1);
    this.#noteTimes(slot, slot + 1, failedUs);
    this.#onFailure(`Cannot send a probe: ${reason}`);
  }

  #field(slot: number, offset: number): number {
    return this.#hotpath.view.getUint32(probesAt + slot * probeBytes + offset, true);
  }
}

function mayRetry(errorNumber: number): boolean {
  return [errnoNumbers.ENOBUFS, errnoNumbers.EAGAIN, errnoNumbers.EINTR].includes(errorNumber);
}
