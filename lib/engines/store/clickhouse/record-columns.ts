/** The headers of a record of replies as columns of its rows. Similar records come one after another. */
import { replyHeaders } from "../../../net/wire/target-header.ts";
import { headerBytesMax } from "./limits.ts";
import type { NativeColumn } from "./native-block.ts";
import { RowColumn } from "./row-column.ts";
import { sequenceOf, writerOf } from "./taken-records.ts";
import { TextColumn } from "./text-column.ts";

type Headers = Readonly<Record<string, string>>;

const utf8 = new TextEncoder();
const instanceMax = 0xffffffff;

export class RecordColumns {
  /** Who numbered the record, as column `producer` has it; empty without a name that numbers. */
  writer = "";
  /** Its number; 0 without one. */
  sequence = 0;
  readonly #measurementIds = new TextColumn();
  readonly #agents = new TextColumn();
  readonly #producers = new TextColumn();
  readonly #instances = new RowColumn(4);
  readonly #sequences = new RowColumn(8);
  readonly #texts = [this.#measurementIds, this.#agents, this.#producers];
  readonly #fixed = [...this.#texts.map(({ places }) => places), this.#instances, this.#sequences];
  /** The headers of the previous record. */
  #isKnown = false;
  #measurementId: string | undefined;
  #agent: string | undefined;
  #instance: string | undefined;
  #producer: string | undefined;
  #partition = 0;
  /** The values for the rows of the record. */
  #measurementPlace = 0;
  #agentPlace = 0;
  #producerPlace = 0;
  #instanceNumber = 0;

  get bytes(): number {
    return this.#texts.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Reads the headers; false when one is longer than `headerBytesMax`. */
  open(headers: Headers, partition: number): boolean {
    if (!this.#isSame(headers, partition) && !this.#learn(headers, partition)) {
      this.#isKnown = false;
      return false;
    }
    this.sequence = this.writer === "" ? 0 : sequenceOf(headers[replyHeaders.sequence] ?? "");
    return true;
  }

  #isSame(headers: Headers, partition: number): boolean {
    return (
      this.#isKnown &&
      this.#partition === partition &&
      this.#measurementId === headers[replyHeaders.measurementId] &&
      this.#agent === headers[replyHeaders.probeAgent] &&
      this.#instance === headers[replyHeaders.probeInstance] &&
      this.#producer === headers[replyHeaders.producer]
    );
  }

  #learn(headers: Headers, partition: number): boolean {
    this.#measurementId = headers[replyHeaders.measurementId];
    this.#agent = headers[replyHeaders.probeAgent];
    this.#instance = headers[replyHeaders.probeInstance];
    this.#producer = headers[replyHeaders.producer];
    this.#partition = partition;
    const texts = [this.#measurementId, this.#agent, this.#instance, this.#producer];
    if (texts.some(isLong)) {
      return false;
    }
    const producer = this.#producer ?? "";
    this.writer = writerOf(producer, partition);
    this.#measurementPlace = this.#measurementIds.placeOf(this.#measurementId ?? "");
    this.#agentPlace = this.#agents.placeOf(this.#agent ?? "");
    this.#producerPlace = this.#producers.placeOf(producer === "" ? "" : `${producer}/${partition}`);
    this.#instanceNumber = instanceOf(this.#instance ?? "");
    this.#isKnown = true;
    return true;
  }

  grow(rows: number): void {
    for (const column of this.#fixed) {
      column.grow(rows);
    }
  }

  /** Writes the record's values to its rows. */
  fill(first: number, end: number): void {
    const [low, high] = [this.sequence >>> 0, Math.floor(this.sequence / 2 ** 32)];
    for (let row = first; row < end; row++) {
      this.#measurementIds.places.u32[row] = this.#measurementPlace;
      this.#agents.places.u32[row] = this.#agentPlace;
      this.#producers.places.u32[row] = this.#producerPlace;
      this.#instances.u32[row] = this.#instanceNumber;
      this.#sequences.u32[2 * row] = low;
      this.#sequences.u32[2 * row + 1] = high;
    }
  }

  columns(rows: number): NativeColumn[] {
    const type = "LowCardinality(String)";
    this.#instances.end(rows);
    this.#sequences.end(rows);
    return [
      { name: "measurement_id", type, data: this.#measurementIds.data(rows) },
      { name: "probe_agent", type, data: this.#agents.data(rows) },
      { name: "producer", type, data: this.#producers.data(rows) },
      { name: "probe_instance", type: "UInt32", data: [this.#instances] },
      { name: "sequence", type: "UInt64", data: [this.#sequences] },
    ];
  }

  clear(): void {
    this.#isKnown = false;
    for (const column of this.#texts) {
      column.clear();
    }
  }
}

/** A character has three bytes at most. */
function isLong(text: string | undefined): boolean {
  return text !== undefined && 3 * text.length > headerBytesMax && utf8.encode(text).length > headerBytesMax;
}

/** 0 for text that is not an instance number. */
function instanceOf(text: string): number {
  const number = /^[0-9]{1,10}$/.test(text) ? Number(text) : 0;
  return number <= instanceMax ? number : 0;
}
