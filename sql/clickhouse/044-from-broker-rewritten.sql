-- As 037, with what quotes have otherwise than sent: nothing in messages that do not have it. A server needs the
-- reply.capnp of this version in its format_schemas by now.
CREATE TABLE measure.from_broker
(
    timeReceivedNs UInt64,
    agentId String,
    replySrcAddr String,
    replyDstAddr String,
    replyId UInt16,
    replySize UInt16,
    replyTtl UInt8,
    replyQuotedTtl UInt8,
    replyProtocol UInt8,
    replyIcmpType UInt8,
    replyIcmpCode UInt8,
    replyMplsLabel Array(Tuple(label UInt32, exp UInt8, sBit UInt8, ttl UInt8)),
    probeSrcAddr String,
    probeDstAddr String,
    probeId UInt16,
    probeSize UInt16,
    probeTtl UInt8,
    probeProtocol UInt8,
    probeSrcPort UInt16,
    probeDstPort UInt16,
    rtt UInt16,
    rttUs UInt32,
    replyQuotedTrafficClass UInt8,
    replyNextHopMtu UInt16,
    replyQuotedFlowLabel UInt32,
    replySite String,
    replyRewritten UInt8,
    replyQuotedSrcPort UInt16,
    replyChecksumDelta UInt16,
    replyQuotedSrcAddr String
-- if embedded
    , `_headers.name` Array(String)
    , `_headers.value` Array(String)
    , _topic String
    , _partition UInt64
    , _offset UInt64
    , _error String
    , _raw_message String
-- end
)
-- if embedded
ENGINE = Null
-- end
-- if server
ENGINE = Kafka
SETTINGS
    kafka_broker_list = ${kafka_brokers},
    kafka_topic_list = ${replies_topic},
    kafka_group_name = ${replies_group},
    kafka_format = 'CapnProto',
    kafka_schema = 'reply:Reply',
    kafka_handle_error_mode = 'stream'
-- end
