/**
 * One topic of the embedded broker: its records, and its groups' offsets.
 *
 * Writes are atomic for readers of all processes: a killed writer leaves nothing partial.
 */
import { statSync } from "node:fs";
import type { IncomingRecord, OutgoingRecord, Position, RecordPosition } from "../broker.ts";
import { partitionOf } from "../partition-of.ts";
import { readBytesMax, walBytes } from "./limits.ts";
import { LogConnection } from "./log-connection.ts";
import type { LogStatements, PartitionOffset } from "./log-statements.ts";
import { RecordPacker } from "./record-pack.ts";
import { Retention, type RetentionLimits } from "./retention.ts";
import { WriteQueue } from "./write-queue.ts";

export interface LogLimits extends RetentionLimits {
  /** How long to try for the lock before the log counts as unavailable. */
  readonly giveUpMs: number;
}

export class TopicLog {
  readonly topic: string;
  readonly #connection: LogConnection;
  readonly #retention: Retention;
  readonly #queue: WriteQueue;
  readonly #watchers = new Set<() => void>();
  #foreignVersion = -1;
  #version = 0;

  constructor(folder: string, topic: string, limits: LogLimits) {
    this.topic = topic;
    this.#connection = new LogConnection(folder, topic, limits.giveUpMs);
    this.#retention = new Retention(topic, this.#connection, limits, () => this.#cutWriteAheadLog());
    this.#queue = new WriteQueue(`write to "${topic}"`, this.#connection, () => this.#written());
  }

  /** Publishes all in one transaction; `bytes` = their total size. */
  async publish(records: readonly OutgoingRecord[], bytes: number): Promise<RecordPosition[]> {
    await this.#retention.makeRoom(bytes);
    return await this.#queue.write(bytes, (log) => {
      this.#retention.helpAlong(log);
      return append(log, records, Date.now());
    });
  }

  join(group: string): Promise<void> {
    return this.#queue.write(0, (log) => log.join(group));
  }

  commit(group: string, partition: number, nextOffset: bigint): Promise<void> {
    return this.#queue.write(0, (log) => log.commit(group, partition, Number(nextOffset)));
  }

  positions(group: string): Promise<Position[]> {
    return this.#connection.read(`read positions of "${this.topic}"`, (log) => {
      const committed = new Map(log.groupOffsets(group).map((one) => [one.partition, one.committed]));
      return log.offsets().map(({ partition, nextOffset }) => {
        const first = log.firstOffset(partition) ?? nextOffset;
        const position = Math.max(first, committed.get(partition) ?? 0);
        return { partition, committed: BigInt(position), end: BigInt(nextOffset) };
      });
    });
  }

  /** For each partition the offset that the next record will get. */
  ends(): Promise<PartitionOffset[]> {
    return this.#connection.read(`read "${this.topic}"`, (log) => log.offsets());
  }

  read(from: PartitionOffset, recordsMax: number): Promise<IncomingRecord[]> {
    return this.#connection.read(`read "${this.topic}"`, (log) =>
      log.read(this.topic, from, { recordsMax, bytesMax: readBytesMax }),
    );
  }

  /** A number that changes when there may be new records. */
  version(): Promise<number> {
    return this.#connection.read(`read "${this.topic}"`, (log) => {
      const foreign = log.version();
      if (foreign !== this.#foreignVersion) {
        this.#foreignVersion = foreign;
        this.#version++;
      }
      return this.#version;
    });
  }

  /** Calls back when this process has written; writes of other processes only show in `version`. */
  watch(wake: () => void): () => void {
    this.#watchers.add(wake);
    return () => this.#watchers.delete(wake);
  }

  /** The file to which every writer appends first; it is there while the log is open. */
  get writtenFile(): string {
    return `${this.#connection.path}-wal`;
  }

  /** Finishes pending writes, then closes the file. */
  async close(): Promise<void> {
    await this.#retention.stop();
    await this.#queue.close();
    this.#connection.close();
  }

  #written(): void {
    this.#version++;
    for (const wake of this.#watchers) {
      wake();
    }
  }

  /** SQLite does this itself at `walBytes`, except while readers block it. */
  #cutWriteAheadLog(): void {
    const size = statSync(this.writtenFile, { throwIfNoEntry: false })?.size ?? 0;
    if (size > 2 * walBytes) {
      this.#connection.cutWriteAheadLog();
    }
  }
}

const packer = new RecordPacker();

function append(
  log: LogStatements,
  records: readonly OutgoingRecord[],
  publishedAtMs: number,
): RecordPosition[] {
  const next = new Map(log.offsets().map((one) => [one.partition, one.nextOffset]));
  const touched = new Set<number>();
  const places: RecordPosition[] = [];
  for (let pack = packer.pack(records, 0); pack !== null; pack = packer.pack(records, places.length)) {
    const partition = partitionOf(pack.key, log.partitions);
    const first = next.get(partition) ?? 0;
    const end = first + pack.records;
    log.insert(partition, end - 1, publishedAtMs, pack);
    for (let offset = first; offset < end; offset++) {
      places.push({ partition, offset: BigInt(offset) });
    }
    next.set(partition, end);
    touched.add(partition);
  }
  for (const partition of touched) {
    log.advance(partition, next.get(partition) ?? 0);
  }
  return places;
}
