-- One row for each probe and agent, as submitted. A probe whose record was read twice is here twice: count distinct
-- ones. probe_dst_port is as submitted, so for ICMP it may differ from the 0 of the replies.
CREATE TABLE measure.probes
(
    date Date COMMENT 'day of time_submitted, UTC' CODEC(Delta, ZSTD(1)),
    time_submitted DateTime64(3, 'UTC') COMMENT 'when the broker took the record; milliseconds, UTC'
        CODEC(Delta, ZSTD(1)),
    measurement_id LowCardinality(String) COMMENT 'empty when the submitter gave none',
    agent_id LowCardinality(String) COMMENT 'agent that is to send the probe',
    probe_index UInt64 COMMENT 'place in the measurement, from 0; in the record if the submitter does not count'
        CODEC(Delta, ZSTD(1)),
    probe_src_addr IPv6 COMMENT 'source that was asked for; :: leaves it to the agent' CODEC(ZSTD(1)),
    probe_dst_addr IPv6 COMMENT 'destination' CODEC(ZSTD(1)),
    probe_src_port UInt16 COMMENT 'port; of ICMP the identifier' CODEC(ZSTD(1)),
    probe_dst_port UInt16 COMMENT 'port; not sent for ICMP' CODEC(ZSTD(1)),
    probe_ttl UInt8 COMMENT 'hops' CODEC(ZSTD(1)),
    probe_protocol UInt8 COMMENT 'IANA protocol number' CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY date
ORDER BY (measurement_id, agent_id, probe_dst_addr, probe_protocol, probe_src_port, probe_dst_port, probe_ttl)
TTL date + toIntervalDay(${ttl_days})
SETTINGS ttl_only_drop_parts = 1, non_replicated_deduplication_window = 1000
