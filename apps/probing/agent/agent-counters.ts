/** Counters of the agent's own workers, beside those of the engine (counters.ts); the same shared memory. */

export const consumerCounterNames = [
  /** Records whose probes were all queued to a sender. */
  "records_taken",
  /** Records without a header for this agent. */
  "records_foreign",
  /** Unreadable records; they are in the dead letters. */
  "records_bad",
  /** Records with a source address that isn't this agent's; they are in the dead letters. */
  "records_refused",
  /** Records whose `not_after` passed before all probes were queued to a sender. */
  "records_expired",
  /** Records of a cancelled measurement. */
  "records_cancelled",
  /** Records whose probes had all been sent before: a gateway that was killed published them again. */
  "records_repeated",
  "record_bytes",
  "probes_read",
  /** Probes not sent because `not_after` had passed. */
  "probes_expired",
  /** Probes not sent because their measurement was cancelled; those already in a ring are `sender_cancelled`. */
  "probes_cancelled",
  /** Probes of a record that were skipped because they had been sent before. */
  "probes_repeated",
  /** Probes to destinations that must not be probed. */
  "probes_blocked",
  /** Probes delayed because their destination was at its rate limit. */
  "probes_held",
  /** Probes of a family that no instance, or not the requested source, has. */
  "probes_without_source",
  "measurements_ended",
  /** Measurements ended because the agent's host did not let it send for longer than they could wait. */
  "measurements_refused_by_host",
  "commits",
  "commit_failures",
  /** Writes of progress to the state folder that failed: after a crash, probes may be repeated. */
  "journal_failures",
  /** Measurements forgotten early, because there were too many. */
  "measurements_forgotten",
  /** Lists of destinations that could not be read; the previous ones stay active. */
  "destination_lists_bad",
  /** Measurements whose packets were not kept as requested, because too many others were being recorded. */
  "recordings_refused",
  /** Records in the broker that are not committed yet. */
  "lag_records",
  /** 1 while the broker cannot be read from. */
  "consumer_away",
] as const;

export const producerCounterNames = [
  "replies_taken",
  /** Replies left in memory by a killed agent, and put into the spool at the start. */
  "replies_rescued",
  "replies_published",
  "reply_records_published",
  "reply_bytes_published",
  /** Replies without a known measurement. */
  "replies_unattributed",
  /** Not published, because `kafka.out_enable` is false. */
  "replies_discarded",
  /** Refused by the broker as too large. */
  "replies_dropped",
  "publish_failures",
  /** Bytes in the spool now. */
  "spool_bytes",
  /** Times that the spool was full, and senders paused. */
  "spool_full",
  /** 1 while the broker cannot be written to. */
  "producer_away",
] as const;

/** Counters of each instance, kept by the consumer. */
export const feedCounterNames = [
  "probes_queued",
  /** Below `min_ttl`. */
  "filtered_ttl_low",
  /** Above `max_ttl`. */
  "filtered_ttl_high",
] as const;

/** Counters kept by the gateway client. */
export const gatewayCounterNames = [
  "gateway_requests",
  /** Requests without a usable response. */
  "gateway_failures",
  /** Responses that reject the agent's key or id. */
  "gateway_refusals",
  "gateway_health_reports",
  "gateway_progress_reports",
  "gateway_config_posts",
  "gateway_blocklist_fetches",
  /** Changes in the gateway's orders. */
  "gateway_orders",
  /** Progress reports dropped for newer ones of other measurements, because too many waited. */
  "gateway_progress_forgotten",
  /** Recordings that the gateway accepted. */
  "gateway_recordings",
  /** Recordings that the gateway refused; they are lost. */
  "gateway_recordings_refused",
  /** 1 while the gateway cannot be reached, or does not accept this agent. */
  "gateway_away",
  /** The gateway's clock minus ours. */
  "gateway_clock_offset_ms",
] as const;

/** Counters kept by the recorder. */
export const recorderCounterNames = [
  /** Packets of a recorded measurement that were lost because its file could not be created. */
  "recording_packets_dropped",
  /** Recordings dropped for newer ones, because too many waited for the gateway. */
  "recordings_dropped",
] as const;

export type GatewayCounter = (typeof gatewayCounterNames)[number];
export type ConsumerCounter = (typeof consumerCounterNames)[number];
export type ProducerCounter = (typeof producerCounterNames)[number];
