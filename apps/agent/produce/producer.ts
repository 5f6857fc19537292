/** The producer: replies off the receivers' rings, as records to the broker. */
import { join } from "node:path";
import {
  replyHeaderBytes,
  replyKeyOffset,
  replyMeasurementOffset,
  replyMessageBytesOffset,
} from "../../../ffi/hotpath/memory-layout.ts";
import { openBroker } from "../../../lib/broker/open.ts";
import { type ProducerCounter, producerCounterNames } from "../agent-counters.ts";
import type { BrokerConfig } from "../config/config.ts";
import { MeasurementTable } from "../consume/measurement-table.ts";
import { ByteRing } from "../engine/byte-ring.ts";
import { Counters } from "../engine/counters.ts";
import type { PeerInstance } from "../engine/engine-types.ts";
import { Hold } from "../engine/hold.ts";
import { MeasurementBoard } from "../engine/measurement-board.ts";
import { RingBell } from "../engine/ring-bell.ts";
import { Outbox } from "./outbox.ts";
import { type Batch, ReplyBatcher } from "./reply-batcher.ts";
import { Spool } from "./spool.ts";

export interface ProducerStart {
  readonly agentId: string;
  /** Our instances, then peers: see EngineConfig. */
  readonly senders: readonly PeerInstance[];
  readonly broker: BrokerConfig;
  readonly stateDir: string;
  readonly spoolBytesMax: number;
  /** Ring of each receiver. */
  readonly replies: readonly SharedArrayBuffer[];
  readonly measurements: SharedArrayBuffer;
  /** See measurement-board.ts. */
  readonly board: SharedArrayBuffer;
  readonly hold: SharedArrayBuffer;
  readonly counters: SharedArrayBuffer;
  /** Int32: one of `producerPhases`. */
  readonly stop: SharedArrayBuffer;
}

/** `flush`: no more replies come; publish what there is. `end`: what is not published goes to the spool. */
export const producerPhases = { run: 0, flush: 1, end: 2 } as const;

const chunkBytes = 65_536;
/** Longest wait for a reply; one that comes ends it. */
const idleMs = 1000;

export class Producer {
  readonly #start: ProducerStart;
  readonly #rings: readonly ByteRing[];
  readonly #bell: RingBell;
  readonly #batcher: ReplyBatcher;
  readonly #hold: Hold;
  readonly #board: MeasurementBoard;
  readonly #counters: Counters<ProducerCounter>;
  readonly #phase: Int32Array;
  readonly #onFailure: (text: string) => void;
  readonly #chunk = Buffer.allocUnsafeSlow(chunkBytes);
  readonly #view = new DataView(this.#chunk.buffer, this.#chunk.byteOffset);
  #batchSinceMs = 0;
  #waitingBatch: Batch | null = null;

  constructor(start: ProducerStart, onFailure: (text: string) => void) {
    const { agentId, senders, broker } = start;
    const { repliesPerRecord, recordBytesMax } = broker;
    this.#start = start;
    this.#rings = start.replies.map((buffer) => new ByteRing(buffer));
    const measurements = new MeasurementTable(start.measurements);
    this.#batcher = new ReplyBatcher({
      source: this.#chunk,
      agentId,
      senders,
      measurements,
      repliesPerRecord,
      recordBytesMax,
    });
    this.#hold = new Hold(start.hold);
    this.#board = new MeasurementBoard(start.board);
    this.#counters = new Counters(producerCounterNames, start.counters);
    this.#phase = new Int32Array(start.stop);
    this.#bell = new RingBell(this.#rings, this.#phase);
    this.#onFailure = onFailure;
  }

  async run(): Promise<void> {
    const { address, login, repliesTopic } = this.#start.broker;
    if (repliesTopic === null) {
      return this.#discard();
    }
    await using broker = await openBroker(address, { login, log: this.#onFailure });
    const spool = new Spool(join(this.#start.stateDir, "spool"), this.#start.spoolBytesMax);
    const counters = this.#counters;
    const outbox = new Outbox({ broker, topic: repliesTopic, spool, counters, onFailure: this.#onFailure });
    const publishing = outbox.run(() => this.#isIn("end") || (this.#isIn("flush") && this.#isIdle(outbox)));
    await this.#collect(outbox);
    outbox.wake();
    await publishing;
  }

  /** Takes replies while there is room for their batches. */
  async #collect(outbox: Outbox): Promise<void> {
    while (!this.#isIn("end") && !(this.#isIn("flush") && this.#isIdle(outbox))) {
      const isBehind = this.#takeBatches(outbox);
      // Behind, the next round is due at once; the broker's own work still has its turn.
      await (isBehind ? Bun.sleep(0) : this.#pause());
    }
    if (this.#isIn("end")) {
      this.#takeBatches(outbox);
      outbox.rescue();
    }
  }

  /** True when there is more in the rings. */
  #takeBatches(outbox: Outbox): boolean {
    const { batchWaitMs } = this.#start.broker;
    const isBehind = this.#rings.map((ring) => this.#fill(ring)).some((hasMore) => hasMore);
    // While the broker has nothing of ours to do, a reply does not wait for others; else they gather, for so long.
    const isDue =
      outbox.isEmpty || performance.now() - this.#batchSinceMs >= batchWaitMs || !this.#isIn("run");
    if (this.#waitingBatch !== null || (!this.#batcher.isEmpty && (this.#batcher.isFull || isDue))) {
      this.#hand(outbox);
    }
    return isBehind && this.#waitingBatch === null;
  }

  /** What the outbox has no room for waits here, the rings fill behind it, and senders pause. */
  #hand(outbox: Outbox): void {
    this.#waitingBatch ??= this.#batcher.take();
    const isFull = !outbox.add(this.#waitingBatch);
    if (isFull && !this.#hold.has("spoolFull")) {
      this.#counters.add("spool_full", 1);
      this.#onFailure("Senders pause: the broker is away and the spool for replies is full");
    }
    this.#hold.set("spoolFull", isFull);
    this.#waitingBatch = isFull ? this.#waitingBatch : null;
  }

  /** Into the batch; true when it was full before the ring was empty. */
  #fill(ring: ByteRing): boolean {
    while (!this.#batcher.isFull) {
      if (this.#batcher.isEmpty) {
        this.#batchSinceMs = performance.now();
      }
      if (this.#takeChunk(ring) === 0) {
        return false;
      }
    }
    return true;
  }

  /** Some replies of a ring into the batch; returns their bytes. */
  #takeChunk(ring: ByteRing): number {
    const size = ring.peek(this.#chunk);
    let at = 0;
    while (at + replyHeaderBytes <= size && at + this.#view.getUint32(at, true) <= size) {
      const message = at + replyHeaderBytes;
      const bytes = this.#view.getUint32(at + replyMessageBytesOffset, true);
      const measurement = this.#view.getInt32(at + replyMeasurementOffset, true);
      this.#board.add(measurement, "replied", 1);
      const sender = this.#view.getInt32(at + replyKeyOffset, true);
      this.#batcher.add(measurement, sender, message, message + bytes);
      this.#counters.add("replies_taken", 1);
      at += this.#view.getUint32(at, true);
    }
    ring.advance(at);
    this.#counters.set("replies_unattributed", this.#batcher.unattributed);
    return at;
  }

  async #discard(): Promise<void> {
    while (this.#isIn("run")) {
      for (const ring of this.#rings) {
        while (this.#takeChunk(ring) > 0) {
          this.#counters.add("replies_discarded", this.#batcher.take().replies);
        }
      }
      await this.#pause();
    }
  }

  /** So replies that come soon after each other gather; the first one after a while does not wait. */
  async #pause(): Promise<void> {
    await Bun.sleep(this.#start.broker.pollMs);
    if (this.#hasNothing()) {
      await this.#bell.wait(producerPhases.run, idleMs);
    }
  }

  #isIdle(outbox: Outbox): boolean {
    return this.#hasNothing() && outbox.isEmpty;
  }

  #hasNothing(): boolean {
    const ringsAreEmpty = this.#rings.every((ring) => ring.usedBytes() === 0);
    return ringsAreEmpty && this.#batcher.isEmpty && this.#waitingBatch === null;
  }

  #isIn(phase: keyof typeof producerPhases): boolean {
    return Atomics.load(this.#phase, 0) === producerPhases[phase];
  }
}
