-- Messages of the topic of replies that are no replies: set aside to be looked at, they never stop the others.
CREATE TABLE measure.replies_rejected
(
    date Date COMMENT 'day of time_inserted_ns, UTC',
    time_inserted_ns DateTime64(9, 'UTC') COMMENT 'nanoseconds, UTC',
    topic String COMMENT 'with partition and record_offset: the record in the broker',
    partition UInt64,
    record_offset UInt64,
    reason String,
    raw_message String COMMENT 'the bytes, at most the first 65536',
    agent_id String COMMENT 'what could be read of it; empty as a rule',
    time_received_ns UInt64 COMMENT 'what could be read of it; nanoseconds since 1970'
)
ENGINE = MergeTree
PARTITION BY date
ORDER BY (time_inserted_ns, topic, partition, record_offset)
TTL date + toIntervalDay(${ttl_days})
SETTINGS ttl_only_drop_parts = 1, non_replicated_deduplication_window = 1000
