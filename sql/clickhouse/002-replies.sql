-- One row for each captured answer. What a field holds for each protocol and kind of answer is the table in
-- docs/reply-fields.md. Addresses are IPv6, IPv4 mapped. Both projections hold all columns, so that the replies of
-- one measurement, or to one destination, are read without the others.
CREATE TABLE measure.replies
(
    date Date COMMENT 'day of time_received_ns, UTC' CODEC(Delta, ZSTD(1)),
    time_inserted_ns DateTime64(9, 'UTC') COMMENT 'when the row was stored; nanoseconds, UTC' CODEC(Delta, ZSTD(1)),
    time_received_ns DateTime64(9, 'UTC') COMMENT 'capture time stamp; nanoseconds, UTC' CODEC(Delta, ZSTD(1)),
    agent_id LowCardinality(String) COMMENT 'agent that captured the answer',
    reply_src_addr IPv6 COMMENT 'source of the answer' CODEC(ZSTD(1)),
    reply_dst_addr IPv6 COMMENT 'destination of the answer' CODEC(ZSTD(1)),
    reply_id UInt16 COMMENT 'IPv4 identification; IPv6: 0' CODEC(ZSTD(1)),
    reply_size UInt16 COMMENT 'bytes: IPv4 total length, IPv6 payload length' CODEC(ZSTD(1)),
    reply_ttl UInt8 COMMENT 'hops: TTL (hop limit) of the answer' CODEC(ZSTD(1)),
    reply_quoted_ttl UInt8 COMMENT 'hops: TTL in the packet that an ICMP error quotes' CODEC(ZSTD(1)),
    reply_protocol UInt8 COMMENT 'IANA protocol number' CODEC(ZSTD(1)),
    reply_icmp_type UInt8 COMMENT 'ICMP type' CODEC(ZSTD(1)),
    reply_icmp_code UInt8 COMMENT 'ICMP code; of a TCP answer its flags' CODEC(ZSTD(1)),
    reply_mpls_labels Array(Tuple(UInt32, UInt8, UInt8, UInt8))
        COMMENT 'label stack, top first: label (20 bits), traffic class, bottom of stack (0 or 1), TTL (hops)'
        CODEC(ZSTD(1)),
    probe_src_addr IPv6 COMMENT 'source of the probe' CODEC(ZSTD(1)),
    probe_dst_addr IPv6 COMMENT 'destination of the probe' CODEC(ZSTD(1)),
    probe_id UInt16 COMMENT 'IPv4 identification; IPv6: 0' CODEC(ZSTD(1)),
    probe_size UInt16 COMMENT 'bytes: IPv4 total length, IPv6 payload length' CODEC(ZSTD(1)),
    probe_ttl UInt8 COMMENT 'hops: TTL that the probe was sent with' CODEC(ZSTD(1)),
    probe_protocol UInt8 COMMENT 'IANA protocol number' CODEC(ZSTD(1)),
    probe_src_port UInt16 COMMENT 'port; of ICMP the identifier' CODEC(ZSTD(1)),
    probe_dst_port UInt16 COMMENT 'port; of ICMP 0' CODEC(ZSTD(1)),
    rtt UInt16 COMMENT 'tenths of a millisecond; 65535 unknown' CODEC(ZSTD(1)),
    measurement_id LowCardinality(String) COMMENT 'empty when it is not known',
    probe_agent LowCardinality(String) COMMENT 'agent that sent the probe; empty when it is not known',
    probe_instance UInt32 COMMENT 'instance of probe_agent; 0 too when it is not known' CODEC(ZSTD(1)),
    PROJECTION by_measurement (SELECT * ORDER BY measurement_id, time_received_ns),
    PROJECTION by_destination (SELECT * ORDER BY probe_dst_addr, time_received_ns)
)
ENGINE = MergeTree
PARTITION BY date
ORDER BY (
    time_received_ns, agent_id, probe_protocol,
    probe_src_addr, probe_dst_addr, probe_src_port, probe_dst_port, probe_ttl
)
TTL date + toIntervalDay(${ttl_days})
SETTINGS
    ttl_only_drop_parts = 1,
    -- A batch that is inserted again under its token is dropped, as long as it is among so many last ones.
    non_replicated_deduplication_window = 1000
