-- Replies as the ingester has read them: columns as in measure.replies, so that nothing is left to convert. Nothing is
-- stored here. A server that reads the broker by itself has its rows from from_broker, and this one stays empty.
CREATE TABLE measure.from_ingester
(
    time_received_ns DateTime64(9, 'UTC'),
    agent_id LowCardinality(String),
    reply_src_addr IPv6,
    reply_dst_addr IPv6,
    reply_id UInt16,
    reply_size UInt16,
    reply_ttl UInt8,
    reply_quoted_ttl UInt8,
    reply_protocol UInt8,
    reply_icmp_type UInt8,
    reply_icmp_code UInt8,
    reply_mpls_labels Array(Tuple(UInt32, UInt8, UInt8, UInt8)),
    probe_src_addr IPv6,
    probe_dst_addr IPv6,
    probe_id UInt16,
    probe_size UInt16,
    probe_ttl UInt8,
    probe_protocol UInt8,
    probe_src_port UInt16,
    probe_dst_port UInt16,
    rtt UInt16,
    measurement_id LowCardinality(String),
    probe_agent LowCardinality(String),
    probe_instance UInt32,
    producer LowCardinality(String),
    sequence UInt64
)
ENGINE = Null
