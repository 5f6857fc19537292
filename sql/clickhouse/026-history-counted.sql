-- The measurements whose rows in history are complete, and how many raw rows were counted: more of them are late ones.
CREATE TABLE measure.history_counted
(
    date Date COMMENT 'day of the first submitted probe, UTC' CODEC(Delta, ZSTD(1)),
    measurement_id String CODEC(ZSTD(1)),
    probe_rows UInt64 COMMENT 'rows in measure.probes' CODEC(ZSTD(1)),
    reply_rows UInt64 COMMENT 'rows in measure.replies with the measurement' CODEC(ZSTD(1)),
    time_counted DateTime64(3, 'UTC') COMMENT 'version of the row' CODEC(Delta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(time_counted)
PARTITION BY date
ORDER BY measurement_id
TTL date + toIntervalDay(${history_days})
SETTINGS ttl_only_drop_parts = 1
