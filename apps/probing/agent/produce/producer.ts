/** The producer: publishes the replies of the receivers' rings as records to the broker. */
import { openBroker } from "../../../../lib/engines/broker/open.ts";
import { type ProducerCounter, producerCounterNames } from "../agent-counters.ts";
import type { BrokerConfig } from "../config/config.ts";
import { ByteRing } from "../engine/byte-ring.ts";
import { Counters } from "../engine/counters.ts";
import type { PeerInstance } from "../engine/engine-types.ts";
import { MeasurementBoard } from "../engine/measurement-board.ts";
import { RingWaiter } from "../engine/ring-waiter.ts";
import { type InhibitSwitch, SendInhibit } from "../engine/send-inhibit.ts";
import { MeasurementTable } from "../measurement-table.ts";
import { BatchLedger } from "./batch-ledger.ts";
import { Outbox } from "./outbox.ts";
import { ReplySource } from "./reply-source.ts";
import { spoolOf } from "./spool.ts";

/** Memory shared by a receiver and the producer, and the name that numbers its records. */
interface ReplyFeed {
  readonly ring: SharedArrayBuffer;
  /** See batch-ledger.ts. */
  readonly ledger: SharedArrayBuffer;
  /** A new name for each start. */
  readonly producer: string;
}

export interface ProducerStart {
  readonly agentId: string;
  /** Our instances, then peers: see EngineConfig. */
  readonly senders: readonly PeerInstance[];
  readonly broker: BrokerConfig;
  readonly stateDir: string;
  readonly spoolBytesMax: number;
  /** One for each receiver. */
  readonly replies: readonly ReplyFeed[];
  readonly measurements: SharedArrayBuffer;
  /** See measurement-board.ts. */
  readonly board: SharedArrayBuffer;
  readonly sendInhibit: SharedArrayBuffer;
  readonly counters: SharedArrayBuffer;
  /** Int32: one of `producerPhases`. */
  readonly stop: SharedArrayBuffer;
}

/** `flush`: no more replies will arrive; publish the rest. `end`: unpublished replies go to the spool. */
export const producerPhases = { run: 0, flush: 1, end: 2 } as const;

/** Longest wait for a reply. */
const idleMs = 1000;

export class Producer {
  readonly #start: ProducerStart;
  readonly #sources: readonly ReplySource[];
  readonly #bell: RingWaiter;
  readonly #sendInhibit: InhibitSwitch<"spoolFull">;
  #isHolding = false;
  readonly #board: MeasurementBoard;
  readonly #counters: Counters<ProducerCounter>;
  readonly #phase: Int32Array;
  readonly #onFailure: (text: string) => void;

  constructor(start: ProducerStart, onFailure: (text: string) => void) {
    const { agentId, senders, broker } = start;
    const { repliesPerRecord, recordBytesMax } = broker;
    const measurements = new MeasurementTable(start.measurements);
    const batcher = { agentId, senders, measurements, repliesPerRecord, recordBytesMax };
    const rings = start.replies.map(({ ring }) => new ByteRing(ring));
    this.#start = start;
    this.#sources = start.replies.map(({ ring, ledger, producer }) => {
      const onTaken = (measurement: number, replies: number) => this.#count(measurement, replies);
      const parts = { ring: new ByteRing(ring), ledger: new BatchLedger(ledger), onTaken };
      return new ReplySource({ ...parts, batcher: { ...batcher, producer } });
    });
    this.#sendInhibit = new SendInhibit(start.sendInhibit).own("spoolFull");
    this.#board = new MeasurementBoard(start.board);
    this.#counters = new Counters(producerCounterNames, start.counters);
    this.#phase = new Int32Array(start.stop);
    this.#bell = new RingWaiter(rings, this.#phase, () => !this.#hasNothing());
    this.#onFailure = onFailure;
  }

  async run(): Promise<void> {
    const { address, login, repliesTopic } = this.#start.broker;
    if (repliesTopic === null) {
      return this.#discard();
    }
    await using broker = await openBroker(address, { login, log: this.#onFailure });
    const spool = spoolOf(this.#start);
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
      // With a backlog the next round is due at once; the broker client's own work still gets its turn.
      await (isBehind ? Bun.sleep(0) : this.#pause());
    }
    if (this.#isIn("end")) {
      this.#takeBatches(outbox);
      outbox.rescue();
    }
  }

  /** True when the rings hold more. */
  #takeBatches(outbox: Outbox): boolean {
    const { batchWaitMs } = this.#start.broker;
    const isBehind = this.#sources.map((source) => source.fill()).some((hasMore) => hasMore);
    this.#showUnattributed();
    // While the broker is idle, a reply does not wait for others; else replies gather for this long.
    const ageMs = outbox.isEmpty || !this.#isIn("run") ? 0 : batchWaitMs;
    for (const source of this.#sources.filter((one) => one.isDue(ageMs))) {
      this.#hand(source, outbox);
    }
    return isBehind && this.#sources.every(({ waiting }) => waiting === null);
  }

  /** A batch that does not fit the outbox waits here, the rings fill behind it, and senders pause. */
  #hand(source: ReplySource, outbox: Outbox): void {
    source.waiting ??= source.take();
    const isFull = !outbox.add(source.waiting);
    source.waiting = isFull ? source.waiting : null;
    if (isFull && !this.#isHolding) {
      this.#counters.add("spool_full", 1);
      this.#onFailure("Senders pause: the broker is unavailable and the spool for replies is full");
    }
    this.#isHolding = this.#sources.some((one) => one.waiting !== null);
    this.#sendInhibit.set("spoolFull", this.#isHolding);
  }

  #count(measurement: number, replies: number): void {
    this.#board.add(measurement, "replied", replies);
    this.#counters.add("replies_taken", replies);
  }

  #showUnattributed(): void {
    const unattributed = this.#sources.reduce((sum, source) => sum + source.unattributed, 0);
    this.#counters.set("replies_unattributed", unattributed);
  }

  async #discard(): Promise<void> {
    while (this.#isIn("run")) {
      for (const source of this.#sources) {
        for (let isBehind = true; isBehind; ) {
          isBehind = source.fill();
          const { replies, onSafe } = source.take();
          onSafe?.();
          this.#counters.add("replies_discarded", replies);
        }
      }
      this.#showUnattributed();
      await this.#pause();
    }
  }

  /** So replies in quick succession gather; the first one after a pause does not wait. */
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
    return this.#sources.every(({ isIdle }) => isIdle);
  }

  #isIn(phase: keyof typeof producerPhases): boolean {
    return Atomics.load(this.#phase, 0) === producerPhases[phase];
  }
}
