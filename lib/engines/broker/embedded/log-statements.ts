/** All statements on one topic's file, as typed calls: the only SQL that runs while records flow. */
import type { Database } from "bun:sqlite";
import type { IncomingRecord, OutgoingRecord } from "../broker.ts";
import { PackReader } from "./record-pack.ts";

export interface PartitionOffset {
  readonly partition: number;
  readonly nextOffset: number;
}

interface GroupOffset {
  readonly partition: number;
  readonly committed: number | null;
}

/** `offset` is the last record's. */
type RecordRow = {
  offset: number;
  published_at_ms: number;
  key: string;
  headers: string;
  value: Uint8Array;
  records: number;
};

const inPartition = "id >= (?1 << 48) + ?2 AND id < ((?1 + 1) << 48)";
const offsetOfId = "id & 0xffffffffffff";

export class LogStatements {
  readonly partitions: number;
  readonly retentionMs: number;
  readonly #database: Database;
  readonly #pageBytes: number;
  readonly #version;
  readonly #offsets;
  readonly #insert;
  readonly #advance;
  readonly #read;
  readonly #first;
  readonly #join;
  readonly #commit;
  readonly #groupOffsets;
  readonly #readByAll;
  readonly #expired;
  readonly #delete;

  constructor(database: Database) {
    this.#database = database;
    const topic = database
      .query<{ partitions: number; retention_ms: number }, []>("SELECT partitions, retention_ms FROM topic")
      .get();
    this.partitions = topic?.partitions ?? 0;
    this.retentionMs = topic?.retention_ms ?? 0;
    this.#pageBytes = this.#pragma("page_size");
    this.#version = database.query<{ data_version: number }, []>("PRAGMA data_version");
    this.#offsets = database.query<PartitionOffset, []>(
      "SELECT partition, next_offset AS nextOffset FROM lane ORDER BY partition",
    );
    this.#insert = database.query<null, [number, number, number, string, string, Uint8Array, number]>(
      "INSERT INTO pack VALUES ((?1 << 48) + ?2, ?3, ?4, ?5, ?6, ?7)",
    );
    this.#advance = database.query<null, [number, number]>(
      "UPDATE lane SET next_offset = ?2 WHERE partition = ?1",
    );
    this.#read = database.query<RecordRow, [number, number, number]>(
      `SELECT ${offsetOfId} AS offset, published_at_ms, key, headers, value, records
       FROM pack WHERE ${inPartition} ORDER BY id LIMIT ?3`,
    );
    this.#first = database.query<{ offset: number }, [number]>(
      `SELECT (${offsetOfId}) - records + 1 AS offset FROM pack
       WHERE id >= (?1 << 48) AND id < ((?1 + 1) << 48) ORDER BY id LIMIT 1`,
    );
    this.#join = database.query<null, [string]>(
      "INSERT OR IGNORE INTO consumer_group SELECT ?1, partition, NULL FROM lane",
    );
    this.#commit = database.query<null, [string, number, number]>(
      "INSERT OR REPLACE INTO consumer_group VALUES (?1, ?2, ?3)",
    );
    this.#groupOffsets = database.query<GroupOffset, [string]>(
      "SELECT partition, committed FROM consumer_group WHERE name = ?1",
    );
    this.#readByAll = database.query<PartitionOffset, []>(
      "SELECT partition, min(ifnull(committed, 0)) AS nextOffset FROM consumer_group GROUP BY partition",
    );
    // Only the oldest rows are read, so a step costs the same however large the log is.
    this.#expired = database.query<{ offset: number | null }, [number, number, number, number]>(
      `SELECT max(offset) AS offset FROM (
         SELECT ${offsetOfId} AS offset, published_at_ms FROM pack
         WHERE id >= (?1 << 48) AND id < ((?1 + 1) << 48) ORDER BY id LIMIT ?4)
       WHERE published_at_ms < ?2 OR offset < ?3`,
    );
    this.#delete = database.query<null, [number, number]>(
      "DELETE FROM pack WHERE id >= (?1 << 48) AND id <= (?1 << 48) + ?2",
    );
  }

  /** Changes when another connection, of this process or another, has written. */
  version(): number {
    return this.#version.get()?.data_version ?? 0;
  }

  offsets(): PartitionOffset[] {
    return this.#offsets.all();
  }

  /** A record, or a pack of some; `offset` is the last one's. */
  insert(
    partition: number,
    offset: number,
    publishedAtMs: number,
    row: OutgoingRecord & { readonly records: number },
  ): void {
    const headers = JSON.stringify(row.headers);
    this.#insert.run(partition, offset, publishedAtMs, row.key, headers, row.value, row.records);
  }

  advance(partition: number, nextOffset: number): void {
    this.#advance.run(partition, nextOffset);
  }

  /** Records from an offset on, in order, until there are `recordsMax` or the rows' values exceed `bytesMax`. */
  read(
    topic: string,
    from: PartitionOffset,
    limits: { recordsMax: number; bytesMax: number },
  ): IncomingRecord[] {
    const records: IncomingRecord[] = [];
    let bytes = 0;
    for (const row of this.#read.iterate(from.partition, from.nextOffset, limits.recordsMax)) {
      addRecords(records, row, { topic, ...from }, limits.recordsMax);
      bytes += row.value.byteLength;
      if (bytes >= limits.bytesMax || records.length >= limits.recordsMax) {
        break;
      }
    }
    return records;
  }

  /** Offset of the oldest record; null when there are none. */
  firstOffset(partition: number): number | null {
    return this.#first.get(partition)?.offset ?? null;
  }

  join(group: string): void {
    this.#join.run(group);
  }

  commit(group: string, partition: number, nextOffset: number): void {
    this.#commit.run(group, partition, nextOffset);
  }

  groupOffsets(group: string): GroupOffset[] {
    return this.#groupOffsets.all(group);
  }

  /** For each partition the offset before which every group has committed; empty without groups. */
  readByAll(): PartitionOffset[] {
    return this.#readByAll.all();
  }

  /**
   * The last record of the last one among the partition's oldest `rowsMax` rows that is older than `beforeMs` or before
   * `beforeOffset`; null without one.
   */
  lastToGo(partition: number, beforeMs: number, beforeOffset: number, rowsMax: number): number | null {
    return this.#expired.get(partition, beforeMs, beforeOffset, rowsMax)?.offset ?? null;
  }

  /** Everything up to and with an offset. */
  deleteUpTo(partition: number, offset: number): void {
    this.#delete.run(partition, offset);
  }

  /** Used bytes of the file; free ones are reused before the file grows. */
  usedBytes(): number {
    return (this.#pragma("page_count") - this.#pragma("freelist_count")) * this.#pageBytes;
  }

  #pragma(name: "page_size" | "page_count" | "freelist_count"): number {
    const row = this.#database.query<Record<string, number>, []>(`PRAGMA ${name}`).get();
    return row?.[name] ?? 0;
  }
}

/** Adds the records of a row from an offset on, until there are `recordsMax`. */
function addRecords(
  records: IncomingRecord[],
  row: RecordRow,
  { topic, partition, nextOffset }: PartitionOffset & { readonly topic: string },
  recordsMax: number,
): void {
  const { key, published_at_ms: timestampMs, value } = row;
  const headers: Readonly<Record<string, string>> = JSON.parse(row.headers);
  if (row.records === 1) {
    records.push({ topic, partition, offset: BigInt(row.offset), timestampMs, key, headers, value });
    return;
  }
  const pack = new PackReader(headers, value);
  for (let offset = row.offset - row.records + 1; offset <= row.offset; offset++) {
    if (offset < nextOffset) {
      pack.skip();
    } else if (records.length < recordsMax) {
      const record = pack.next();
      records.push({ topic, partition, offset: BigInt(offset), timestampMs, key, ...record });
    }
  }
}
