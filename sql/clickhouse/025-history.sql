-- Figures of a measurement by agent and destination, kept longer than its rows. The ingester writes them when no row
-- of the measurement has arrived for a while, and again after late ones: the newest version counts, so read with
-- FINAL. No materialized view, which sees each inserted block by itself: a probe that was read twice, a second answer
-- in a later block, or a process killed between two parts would each change the counts.
CREATE TABLE measure.history
(
    date Date COMMENT 'day of time_submitted, UTC' CODEC(Delta, ZSTD(1)),
    time_submitted DateTime64(3, 'UTC') COMMENT 'of the first probe to the destination; milliseconds, UTC'
        CODEC(Delta, ZSTD(1)),
    measurement_id LowCardinality(String),
    agent_id LowCardinality(String) COMMENT 'agent that sent the probes',
    probe_dst_addr IPv6 COMMENT 'destination' CODEC(ZSTD(1)),
    submitted UInt32 COMMENT 'probes' CODEC(ZSTD(1)),
    answered UInt32 COMMENT 'of them, those with an answer from anywhere' CODEC(ZSTD(1)),
    duplicates UInt32 COMMENT 'further replies to a probe that was already answered' CODEC(ZSTD(1)),
    rtt_replies UInt32 COMMENT 'replies of the destination with a known time' CODEC(ZSTD(1)),
    rtt_p10_us UInt32 COMMENT 'microseconds; 0 without such replies' CODEC(ZSTD(1)),
    rtt_median_us UInt32 CODEC(ZSTD(1)),
    rtt_p90_us UInt32 CODEC(ZSTD(1)),
    rtt_buckets Array(UInt16)
        COMMENT 'ascending; bucket k has the times around 1.02^k microseconds, so that buckets of several rows add up'
        CODEC(ZSTD(1)),
    rtt_bucket_replies Array(UInt32) COMMENT 'replies in each bucket' CODEC(ZSTD(1)),
    flows UInt32 COMMENT 'that were answered' CODEC(ZSTD(1)),
    paths UInt32 COMMENT 'that they took, by their replies' CODEC(ZSTD(1)),
    top_flows UInt32 COMMENT 'flows on the most common path' CODEC(ZSTD(1)),
    path_hash UInt64 COMMENT 'of all paths; another one when a path changes, or a hop on it does not reply; 0 = none'
        CODEC(ZSTD(1)),
    time_counted DateTime64(3, 'UTC') COMMENT 'version of the row' CODEC(Delta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(time_counted)
PARTITION BY date
ORDER BY (measurement_id, probe_dst_addr, agent_id)
TTL date + toIntervalDay(${history_days})
SETTINGS ttl_only_drop_parts = 1
