/** Replies off the rings, put together to records of the topic `measure-replies`, and those to batches. */
import type { OutgoingRecord } from "../../../lib/broker/broker.ts";
import { replyHeaders } from "../../../lib/wire/target-header.ts";
import { type MeasurementTable, noMeasurement } from "../consume/measurement-table.ts";
import type { PeerInstance } from "../engine/engine-types.ts";
import { batchBytesMax, batchRecordsMax } from "../limits.ts";
import { RecordBuffer } from "./record-buffer.ts";

export interface Batch {
  readonly records: readonly OutgoingRecord[];
  readonly replies: number;
  readonly bytes: number;
}

export interface BatcherConfig {
  /** Where messages are when they are added. */
  readonly source: Buffer;
  readonly agentId: string;
  /** Who sent the probe, by the index that a reply has: our instances, then peers. */
  readonly senders: readonly PeerInstance[];
  readonly measurements: MeasurementTable;
  readonly repliesPerRecord: number;
  /** With key and headers. */
  readonly recordBytesMax: number;
}

/** One record in the making: replies of one measurement to probes of one sender. */
interface Group {
  readonly headers: Readonly<Record<string, string>>;
  readonly value: RecordBuffer;
  replies: number;
}

/** Key and headers have less than this: ids of 240, 120 and 240 bytes, and the names. */
const overheadBytes = 1024;
/** Measurements that are remembered with their headers. */
const groupsMax = 4096;

export class ReplyBatcher {
  readonly #config: BatcherConfig;
  #groups = new Map<number, Group>();
  #records: OutgoingRecord[] = [];
  #replies = 0;
  #bytes = 0;
  /** Replies without a name for their measurement, since the start. */
  unattributed = 0;

  constructor(config: BatcherConfig) {
    this.#config = config;
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

  /** Everything so far. */
  take(): Batch {
    for (const group of this.#groups.values()) {
      this.#close(group);
    }
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
    const group = { headers: this.#headersOf(measurement, sender), value: new RecordBuffer(), replies: 0 };
    this.#groups.set(name, group);
    return group;
  }

  #headersOf(measurement: number, sender: number): Record<string, string> {
    const { agentId, senders, measurements } = this.#config;
    const id = measurement <= noMeasurement ? null : measurements.nameOf(measurement);
    const who = senders[sender];
    return {
      [replyHeaders.agent]: agentId,
      ...(id === null ? {} : { [replyHeaders.measurementId]: id }),
      ...(who === undefined
        ? {}
        : { [replyHeaders.probeAgent]: who.agentId, [replyHeaders.probeInstance]: String(who.instanceId) }),
    };
  }

  #close(group: Group): void {
    if (group.replies > 0) {
      this.#records.push({ key: this.#config.agentId, value: group.value.take(), headers: group.headers });
      group.replies = 0;
    }
  }
}
