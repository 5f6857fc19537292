/**
 * The port to the message broker: two engines behind it, one contract (tests/contract/broker.contract.ts).
 *
 * `embedded:DIR` is a durable log in one directory, for several processes of one machine; `kafka:HOST:PORT,…` speaks
 * the Kafka protocol. Records of one key keep their order. Delivery is at least once: uncommitted records are
 * delivered again.
 */

export interface Topic {
  readonly name: string;
  readonly partitions: number;
  readonly retentionMs: number;
}

export interface OutgoingRecord {
  /** Records of one key go to one partition. */
  readonly key: string;
  readonly value: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

export interface IncomingRecord extends OutgoingRecord {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  /** When it was published, milliseconds since the epoch. */
  readonly timestampMs: number;
}

/** Partition and offset of a published record. */
export interface RecordPosition {
  readonly partition: number;
  readonly offset: bigint;
}

/** A group's position in one partition. */
export interface Position {
  readonly partition: number;
  /** Offset of the next record that the group has not committed. */
  readonly committed: bigint;
  /** Offset that the next published record will get. */
  readonly end: bigint;
}

export interface Broker extends AsyncDisposable {
  /** Creates a missing topic; an existing one stays unchanged. */
  ensureTopic(topic: Topic): Promise<void>;
  /**
   * Publishes records in order; resolves to the partition and offset of each, in order, once the broker has stored
   * all. With these and `positions` a publisher knows which of its records a group has committed.
   *
   * Rejects with BrokerError: `recordTooLarge` before anything is sent (limit: `recordBytesMax`, key and headers
   * included); `unavailable` after the engine's retries: some records may have been published.
   */
  publish(topic: string, records: readonly OutgoingRecord[]): Promise<readonly RecordPosition[]>;
  /**
   * Joins a consumer group; a group without a commit starts at the earliest record that is kept.
   *
   * Members of a group share the partitions in Kafka; the embedded log has one member for each group and topic, and
   * rejects a second one with BrokerError `refused`.
   */
  subscribe(group: string, topics: readonly string[]): Promise<Subscription>;
  positions(group: string, topic: string): Promise<Position[]>;
  /** Rejects when records would be refused now, as far as can be seen without publishing: a full disk. */
  checkRoom(): Promise<void>;
}

export interface Subscription extends AsyncDisposable {
  /**
   * The next records of one partition, in order; partitions are served round-robin, paused ones are skipped.
   *
   * Resolves with an empty list when nothing came within `waitMs`.
   */
  next(limits: { readonly recordsMax: number; readonly waitMs: number }): Promise<IncomingRecord[]>;
  pause(topic: string, partition: number): void;
  resume(topic: string, partition: number): void;
  /** Commits everything before `nextOffset`. Resolves when the broker has stored it. */
  commit(topic: string, partition: number, nextOffset: bigint): Promise<void>;
}

/** Bytes of one record with key and headers: what every Kafka broker takes by default, less its own overhead. */
export const recordBytesMax = 1_000_000;

export type BrokerErrorCode =
  | "recordTooLarge"
  | "unavailable"
  | "refused"
  /** The partition belongs to another member of the group now. */
  | "moved"
  | "closed"
  | "badAddress"
  | "badLogin";

export class BrokerError extends Error {
  readonly code: BrokerErrorCode;

  constructor(code: BrokerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "BrokerError";
    this.code = code;
  }
}
