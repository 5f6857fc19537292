/** Groups replies into records of the topic `measure-replies`, and records into batches. */
import type { OutgoingRecord } from "../../../../lib/engines/broker/broker.ts";
import { replyHeaders } from "../../../../lib/net/wire/target-header.ts";
import type { PeerInstance } from "../engine/engine-types.ts";
import { batchBytesMax, batchRecordsMax } from "../limits.ts";
import { type MeasurementTable, noMeasurement } from "../measurement-table.ts";

export interface Batch {
  readonly records: readonly OutgoingRecord[];
  readonly replies: number;
  readonly bytes: number;
  /** Called when the broker or the disk has it. */
  readonly onSafe?: () => void;
}

export interface BatcherConfig {
  /** The buffer that added messages are in. */
  readonly source: Buffer;
  readonly agentId: string;
  /** The producer that numbers the records, and its next number. */
  readonly producer: string;
  readonly firstNumber: number;
  /** Senders of probes, by the index in a reply: our instances, then peers. */
  readonly senders: readonly PeerInstance[];
  readonly measurements: MeasurementTable;
  readonly repliesPerRecord: number;
  /** With key and headers. */
  readonly recordBytesMax: number;
}

/** One record under construction: replies of one measurement to probes of one sender. */
interface Group {
  readonly headers: Readonly<Record<string, string>>;
  readonly value: RecordBuffer;
  replies: number;
  isOpen: boolean;
}

/** Key and headers have less than this: ids of 240, 120 and 240 bytes, and the names. */
const overheadBytes = 1024;
/** Measurements kept with their headers. */
const groupsMax = 4096;
/** Size of a record's first buffer: a reply or two. */
const bufferBytesMin = 512;

export class ReplyBatcher {
  readonly #config: BatcherConfig;
  #groups = new Map<number, Group>();
  /** Groups with replies in this batch, in the order of their first one: the same replies make the same records. */
  #open: Group[] = [];
  #records: OutgoingRecord[] = [];
  #replies = 0;
  #bytes = 0;
  /** Replies without a known measurement, since the start. */
  unattributed = 0;
  /** Number of the next record. */
  nextNumber: number;

  constructor(config: BatcherConfig) {
    this.#config = config;
    this.nextNumber = config.firstNumber;
  }

  /** Records of this batch that cannot grow any more. */
  get recordsClosed(): number {
    return this.#records.length;
  }

  get isEmpty(): boolean {
    return this.#replies === 0;
  }

  /** Time to take the batch: the next reply may not fit. */
  get isFull(): boolean {
    return this.#bytes >= batchBytesMax || this.#records.length >= batchRecordsMax;
  }

  /**
   * Copies the message at `from` to `to` of the source. `sender` and `measurement` are as in the reply's ring record;
   * -1 = not known. Four numbers, because this is called for each reply.
   */
  add(measurement: number, sender: number, from: number, to: number): void {
    const group = this.#groupOf(measurement, sender);
    if (!(replyHeaders.measurementId in group.headers)) {
      this.unattributed++;
    }
    if (!group.isOpen) {
      group.isOpen = true;
      this.#open.push(group);
    }
    if (group.value.bytes + to - from > this.#config.recordBytesMax - overheadBytes) {
      this.#close(group);
    }
    group.value.append(this.#config.source, from, to);
    group.replies++;
    this.#bytes += to - from;
    this.#replies++;
    if (group.replies >= this.#config.repliesPerRecord) {
      this.#close(group);
    }
  }

  /** The batch so far. */
  take(): Batch {
    for (const group of this.#open) {
      this.#close(group);
      group.isOpen = false;
    }
    this.#open = [];
    if (this.#groups.size > groupsMax) {
      this.#groups = new Map();
    }
    const batch = { records: this.#records, replies: this.#replies, bytes: this.#bytes };
    this.#records = [];
    this.#replies = 0;
    this.#bytes = 0;
    return batch;
  }

  #groupOf(measurement: number, sender: number): Group {
    const name = (measurement + 1) * 128 + sender + 1;
    const known = this.#groups.get(name);
    if (known !== undefined) {
      return known;
    }
    const headers = this.#headersOf(measurement, sender);
    const group = { headers, value: new RecordBuffer(), replies: 0, isOpen: false };
    this.#groups.set(name, group);
    return group;
  }

  #headersOf(measurement: number, sender: number): Record<string, string> {
    const { agentId, producer, senders, measurements } = this.#config;
    const id = measurement <= noMeasurement ? null : measurements.nameOf(measurement);
    const who = senders[sender];
    return {
      [replyHeaders.agent]: agentId,
      ...(id === null ? {} : { [replyHeaders.measurementId]: id }),
      ...(who === undefined
        ? {}
        : { [replyHeaders.probeAgent]: who.agentId, [replyHeaders.probeInstance]: String(who.instanceId) }),
      [replyHeaders.producer]: producer,
    };
  }

  #close(group: Group): void {
    if (group.replies > 0) {
      const headers = { ...group.headers, [replyHeaders.sequence]: String(this.nextNumber++) };
      this.#records.push({ key: this.#config.agentId, value: group.value.take(), headers });
      group.replies = 0;
    }
  }
}

/** The value of a record under construction: bytes are appended, without an object for each piece. */
class RecordBuffer {
  bytes = 0;
  #buffer = Buffer.allocUnsafeSlow(bufferBytesMin);

  /** Copies `source` from `from` to `to`. */
  append(source: Buffer, from: number, to: number): void {
    const end = this.bytes + to - from;
    if (end > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(end, 2 * this.#buffer.length));
      this.#buffer.copy(larger, 0, 0, this.bytes);
      this.#buffer = larger;
    }
    source.copy(this.#buffer, this.bytes, from, to);
    this.bytes = end;
  }

  /** A copy of the bytes; the buffer is emptied and keeps its memory. */
  take(): Uint8Array {
    const value = new Uint8Array(this.bytes);
    this.#buffer.copy(value, 0, 0, this.bytes);
    this.bytes = 0;
    return value;
  }
}
