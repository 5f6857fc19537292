/** Converts the records of one topic to blocks of rows, and counts those left out. */
import type { IncomingRecord } from "../../../lib/engines/broker/broker.ts";
import { readsBroker } from "../../../lib/engines/store/clickhouse/migrate.ts";
import type { ColumnStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { ProbeBlock } from "../../../lib/engines/store/clickhouse/probe-block.ts";
import { RejectedBlock } from "../../../lib/engines/store/clickhouse/rejected-block.ts";
import { ReplyBlock, replyBlockTable } from "../../../lib/engines/store/clickhouse/reply-block.ts";
import {
  TakenRecords,
  type TakenRow,
  takenQuery,
} from "../../../lib/engines/store/clickhouse/taken-records.ts";
import { UpdateBlock } from "../../../lib/engines/store/clickhouse/update-block.ts";

/** One part of a batch: a block, and the table it goes to. */
export interface Part {
  /** Deduplication token of a batch's parts, the same each time it is built. */
  readonly name: string;
  readonly table: string;
  readonly block: Uint8Array;
}

export interface Feed {
  /** Rows and bytes waiting to be inserted. */
  readonly rows: number;
  readonly bytes: number;
  /** Messages rejected since the start, by reason. */
  readonly rejected: ReadonlyMap<string, number>;
  /** Duplicate messages skipped since the start. */
  readonly repeated: number;
  /** Whether this topic's records are to be stored at all. */
  isWanted(store: ColumnStore): Promise<boolean>;
  /** Reads which records are already stored; call it before the first record. */
  learn(store: ColumnStore): Promise<void>;
  add(record: IncomingRecord): void;
  /** Takes the waiting rows for one batch; empty when there are none. */
  take(): Part[];
}

class Counts extends Map<string, number> {
  count(reason: string, by = 1): void {
    if (by > 0) {
      this.set(reason, (this.get(reason) ?? 0) + by);
    }
  }
}

/** Writes replies and bad messages, these with their bytes, to the tables where views read them. */
export class ReplyFeed implements Feed {
  readonly rejected = new Counts();
  readonly #taken = new TakenRecords();
  readonly #replies = new ReplyBlock(this.#taken);
  readonly #bad = new RejectedBlock();

  get rows(): number {
    return this.#replies.rows + this.#bad.rows;
  }

  get bytes(): number {
    return this.#replies.bytes + this.#bad.bytes;
  }

  get repeated(): number {
    return this.#replies.repeated;
  }

  /** A ClickHouse server that reads the broker itself stores them from there. */
  async isWanted(store: ColumnStore): Promise<boolean> {
    return !(await readsBroker(store));
  }

  async learn({ client }: ColumnStore): Promise<void> {
    const found = await client.query({ query: takenQuery, format: "JSONEachRow" });
    this.#taken.load(await found.json<TakenRow>());
  }

  add(record: IncomingRecord): void {
    const { topic, partition, offset } = record;
    for (const { reason, bytes } of this.#replies.add(record, Date.now())) {
      this.rejected.count(reason);
      this.#bad.add({ topic, partition, offset, reason, bytes });
    }
  }

  take(): Part[] {
    const blocks = [
      ["replies", replyBlockTable, this.#replies],
      ["rejected", "measure.from_broker", this.#bad],
    ] as const;
    return blocks
      .filter(([, , { rows }]) => rows > 0)
      .map(([name, table, block]) => {
        const part = { name, table, block: block.toBytes() };
        block.clear();
        return part;
      });
  }
}

/** Submitted probes to `measure.probes`. Agents set bad records aside; here they are counted. */
export class ProbeFeed implements Feed {
  readonly rejected = new Counts();
  readonly repeated = 0;
  readonly #probes = new ProbeBlock();

  get rows(): number {
    return this.#probes.rows;
  }

  get bytes(): number {
    return this.#probes.bytes;
  }

  async isWanted(): Promise<boolean> {
    return true;
  }

  /** Records of probes have no numbers. */
  async learn(): Promise<void> {}

  add({ value, headers, timestampMs }: IncomingRecord): void {
    this.rejected.count("probeRecord", this.#probes.add(value, headers, timestampMs));
  }

  take(): Part[] {
    if (this.#probes.rows === 0) {
      return [];
    }
    const part = { name: "probes", table: "measure.probes", block: this.#probes.toBytes() };
    this.#probes.clear();
    return [part];
  }
}

/** Updates received by BMP collectors, to `bmp.updates`. Other messages are counted. */
export class UpdateFeed implements Feed {
  readonly rejected = new Counts();
  readonly repeated = 0;
  readonly #updates = new UpdateBlock();

  get rows(): number {
    return this.#updates.rows;
  }

  get bytes(): number {
    return this.#updates.bytes;
  }

  async isWanted(): Promise<boolean> {
    return true;
  }

  /** Records of updates have no numbers. */
  async learn(): Promise<void> {}

  add({ value }: IncomingRecord): void {
    for (const { reason } of this.#updates.add(value)) {
      this.rejected.count(reason);
    }
  }

  take(): Part[] {
    if (this.#updates.rows === 0) {
      return [];
    }
    const part = { name: "updates", table: "bmp.updates", block: this.#updates.toBytes() };
    this.#updates.clear();
    return [part];
  }
}
