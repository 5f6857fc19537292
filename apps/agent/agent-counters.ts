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
  /** Records of a cancelled measurement. */
  "records_cancelled",
  /** Records whose probes had all left before: a gateway that was killed published them again. */
  "records_repeated",
  "record_bytes",
  "probes_read",
  /** Left unsent because `not_after` had passed. */
  "probes_expired",
  /** Left unsent because their measurement was cancelled; those that lay in a ring are `sender_cancelled`. */
  "probes_cancelled",
  /** Passed over in a record, because they had left before. */
  "probes_repeated",
  /** To destinations that must not be probed. */
  "probes_blocked",
  /** Set aside for a while, because their destination got enough at the moment. */
  "probes_held",
  /** Of a family that no instance, or not the requested source, has. */
  "probes_without_source",
  "measurements_ended",
  "commits",
  "commit_failures",
  /** Writes of progress to the state folder that failed: after a crash, probes may be repeated. */
  "journal_failures",
  /** Measurements that were forgotten before their time, because there were too many. */
  "measurements_forgotten",
  /** Lists of destinations that could not be read; the former ones still hold. */
  "destination_lists_bad",
  /** Records in the broker that are not committed yet. */
  "lag_records",
  /** 1 while the broker cannot be read from. */
  "consumer_away",
] as const;

export const producerCounterNames = [
  "replies_taken",
  /** Left in memory by an agent that was killed, and put into the spool at the start. */
  "replies_rescued",
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

/** Kept by the gateway client. */
export const gatewayCounterNames = [
  "gateway_requests",
  /** Requests without an answer, or with one that cannot be used. */
  "gateway_failures",
  /** Answers that the agent's key, or its id, is not accepted. */
  "gateway_refusals",
  "gateway_health_reports",
  "gateway_progress_reports",
  "gateway_config_posts",
  "gateway_blocklist_fetches",
  /** Changes of what the gateway wants. */
  "gateway_orders",
  /** Reports of progress that were dropped for newer ones of other measurements, because too many waited. */
  "gateway_progress_forgotten",
  /** 1 while the gateway cannot be reached, or does not accept this agent. */
  "gateway_away",
  /** The gateway's clock less ours. */
  "gateway_clock_offset_ms",
] as const;

export type GatewayCounter = (typeof gatewayCounterNames)[number];
export type OutletCounter = (typeof outletCounterNames)[number];
export type ConsumerCounter = (typeof consumerCounterNames)[number];
export type ProducerCounter = (typeof producerCounterNames)[number];
