/** What an ingester makes of the records of one topic: blocks of rows, and what it had to leave out. */
import type { IncomingRecord } from "../../../lib/broker/broker.ts";
import { ProbeBlock } from "../../../lib/store/clickhouse/probe-block.ts";
import { RejectedBlock } from "../../../lib/store/clickhouse/rejected-block.ts";
import { ReplyBlock } from "../../../lib/store/clickhouse/reply-block.ts";

/** One part of a batch: a block, and the table it goes to. */
export interface Part {
  readonly table: string;
  readonly block: Uint8Array;
}

export interface Feed {
  /** Rows and bytes that wait to be inserted. */
  readonly rows: number;
  readonly bytes: number;
  /** Messages that were no rows since the start, by reason. */
  readonly rejected: ReadonlyMap<string, number>;
  add(record: IncomingRecord): void;
  /** Takes out what waits, for one batch; none when there is nothing. */
  take(): Part[];
}

class Counts extends Map<string, number> {
  count(reason: string, by = 1): void {
    if (by > 0) {
      this.set(reason, (this.get(reason) ?? 0) + by);
    }
  }
}

/** Replies to `measure.from_broker`, from where the view takes them on; bad messages with their bytes, too. */
export class ReplyFeed implements Feed {
  readonly rejected = new Counts();
  readonly #replies = new ReplyBlock();
  readonly #bad = new RejectedBlock();

  get rows(): number {
    return this.#replies.rows + this.#bad.rows;
  }

  get bytes(): number {
    return this.#replies.bytes + this.#bad.bytes;
  }

  add({ topic, partition, offset, value, headers }: IncomingRecord): void {
    for (const { reason, bytes } of this.#replies.add(value, headers, Date.now())) {
      this.rejected.count(reason);
      this.#bad.add({ topic, partition, offset, reason, bytes });
    }
  }

  take(): Part[] {
    const blocks = [this.#replies, this.#bad].filter(({ rows }) => rows > 0);
    return blocks.map((block) => {
      const part = { table: "measure.from_broker", block: block.toBytes() };
      block.clear();
      return part;
    });
  }
}

/** Submitted probes to `measure.probes`. Agents set bad records aside; here they are counted. */
export class ProbeFeed implements Feed {
  readonly rejected = new Counts();
  readonly #probes = new ProbeBlock();

  get rows(): number {
    return this.#probes.rows;
  }

  get bytes(): number {
    return this.#probes.bytes;
  }

  add({ value, headers, timestampMs }: IncomingRecord): void {
    this.rejected.count("probeRecord", this.#probes.add(value, headers, timestampMs));
  }

  take(): Part[] {
    if (this.#probes.rows === 0) {
      return [];
    }
    const part = { table: "measure.probes", block: this.#probes.toBytes() };
    this.#probes.clear();
    return [part];
  }
}
