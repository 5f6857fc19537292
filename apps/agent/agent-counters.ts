/** Counters of the agent's own workers, beside those of the engine (counters.ts); the same shared memory. */

export const consumerCounterNames = [
  /** Records whose probes were all given to a sender. */
  "records_taken",
  /** Records without a header for this agent. */
  "records_foreign",
  /** Records that cannot be read; they are in the dead letters. */
  "records_bad",
  /** Records whose source address is none of ours; they are in the dead letters. */
  "records_refused",
  /** Records whose `not_after` had passed before all was given to a sender. */
  "records_expired",
  "record_bytes",
  "probes_read",
  /** Left unsent because `not_after` had passed. */
  "probes_expired",
  /** Of a family that no instance, or not the requested source, has. */
  "probes_without_source",
  "measurements_ended",
  "commits",
  "commit_failures",
  /** 1 while the broker cannot be read from. */
  "consumer_away",
] as const;

export const producerCounterNames = [
  "replies_taken",
  "replies_published",
  "reply_records_published",
  "reply_bytes_published",
  /** Replies that no measurement could be named for. */
  "replies_unattributed",
  /** Published nowhere, because `kafka.out_enable` is false. */
  "replies_discarded",
  /** Refused by the broker as too large. */
  "replies_dropped",
  "publish_failures",
  /** Bytes that wait on disk now. */
  "spool_bytes",
  /** Times that the spool was full, and senders paused. */
  "spool_full",
  /** 1 while the broker cannot be written to. */
  "producer_away",
] as const;

/** Of each instance, kept by the consumer. */
export const outletCounterNames = [
  "probes_queued",
  /** Below `min_ttl`. */
  "filtered_ttl_low",
  /** Above `max_ttl`. */
  "filtered_ttl_high",
] as const;

export type OutletCounter = (typeof outletCounterNames)[number];
export type ConsumerCounter = (typeof consumerCounterNames)[number];
export type ProducerCounter = (typeof producerCounterNames)[number];
