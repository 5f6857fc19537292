/** Publishes the spool as records, some at a time, and keeps their offsets. */
import { slices } from "../../../../lib/base/list/slices.ts";
import type { Broker, OutgoingRecord, RecordPosition } from "../../../../lib/engines/broker/broker.ts";
import { publishBytesMax } from "../../../../lib/engines/submission/limits.ts";
import type { ProbeSpool } from "../../../../lib/engines/submission/probe-spool.ts";
import type { RecordMaker } from "../../../../lib/engines/submission/record-maker.ts";
import { probeMessageBytes } from "../../../../lib/net/wire/probe-codec.ts";
import { PublishMarks } from "./publish-marks.ts";

interface PublishOrder {
  readonly broker: Broker;
  readonly topic: string;
  readonly spool: ProbeSpool;
  readonly maker: RecordMaker;
  readonly signal: AbortSignal;
  /** Called after each step. */
  readonly onProgress: (publisher: Publisher) => void;
}

export class Publisher {
  /** Probes published for every target; each step is counted when the broker has acknowledged it. */
  probes = 0;
  records = 0;
  /** The measurement's partition; null before the first record. */
  partition: number | null = null;
  /** Offset after the last record. */
  nextOffset = 0n;
  readonly marks = new PublishMarks();
  readonly #order: PublishOrder;
  /** Slices of the spool that are published in one step. */
  readonly #slices: number;
  readonly #buffer: Uint8Array;

  constructor(order: PublishOrder) {
    this.#order = order;
    const { maker } = order;
    const sliceBytes = maker.probesPerRecord * probeMessageBytes;
    this.#slices = Math.max(1, Math.floor(publishBytesMax / ((sliceBytes + maker.headBytes) * maker.waves)));
    this.#buffer = new Uint8Array(this.#slices * sliceBytes);
  }

  /** Resolves when all is published, or early when the signal is aborted. Rejects like the broker. */
  async run(): Promise<void> {
    const { spool, signal, onProgress } = this.#order;
    while (this.probes < spool.probes && !signal.aborted) {
      await this.#step();
      onProgress(this);
    }
  }

  async #step(): Promise<void> {
    const { spool, maker } = this.#order;
    const messages = spool.read(this.probes, this.#slices * maker.probesPerRecord, this.#buffer);
    const sliceBytes = maker.probesPerRecord * probeMessageBytes;
    const records: OutgoingRecord[] = [];
    for (let at = 0; at < messages.length; at += sliceBytes) {
      const first = this.probes + at / probeMessageBytes;
      records.push(...maker.recordsOf(first, messages.subarray(at, at + sliceBytes)));
    }
    await this.#publish(records);
    this.probes += messages.length / probeMessageBytes;
    this.marks.add(this.nextOffset, this.probes);
  }

  /** In requests within the broker's limit; large records of several waves may need one each. */
  async #publish(records: readonly OutgoingRecord[]): Promise<void> {
    const perRequest = Math.max(1, Math.floor(publishBytesMax / this.#recordBytes()));
    for (const request of slices(records, perRequest)) {
      const places = await this.#order.broker.publish(this.#order.topic, request);
      this.#note(places);
      this.records += request.length;
    }
  }

  #recordBytes(): number {
    return this.#order.maker.probesPerRecord * probeMessageBytes + this.#order.maker.headBytes;
  }

  #note(places: readonly RecordPosition[]): void {
    const last = places.at(-1);
    if (last !== undefined) {
      this.partition = last.partition;
      this.nextOffset = last.offset + 1n;
    }
  }
}
