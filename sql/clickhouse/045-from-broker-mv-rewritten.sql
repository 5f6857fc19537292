-- As 038, with what quotes have otherwise than sent; an absent source is ::.
ALTER TABLE measure.from_broker_mv MODIFY QUERY
SELECT arriving.* FROM
(
WITH
    unhex('00000000000000000000FFFF') AS mapped,
    _headers.value[indexOf(_headers.name, 'producer')] AS writer
SELECT
    toDate(time_received_ns, 'UTC') AS date,
    now64(9, 'UTC') AS time_inserted_ns,
    fromUnixTimestamp64Nano(toInt64(timeReceivedNs), 'UTC') AS time_received_ns,
    agentId AS agent_id,
    CAST(toFixedString(substring(concat(if(length(replySrcAddr) = 4, mapped, ''), replySrcAddr), 1, 16), 16) AS IPv6)
        AS reply_src_addr,
    CAST(toFixedString(substring(concat(if(length(replyDstAddr) = 4, mapped, ''), replyDstAddr), 1, 16), 16) AS IPv6)
        AS reply_dst_addr,
    replyId AS reply_id,
    replySize AS reply_size,
    replyTtl AS reply_ttl,
    replyQuotedTtl AS reply_quoted_ttl,
    replyProtocol AS reply_protocol,
    replyIcmpType AS reply_icmp_type,
    replyIcmpCode AS reply_icmp_code,
    replyMplsLabel AS reply_mpls_labels,
    CAST(toFixedString(substring(concat(if(length(probeSrcAddr) = 4, mapped, ''), probeSrcAddr), 1, 16), 16) AS IPv6)
        AS probe_src_addr,
    CAST(toFixedString(substring(concat(if(length(probeDstAddr) = 4, mapped, ''), probeDstAddr), 1, 16), 16) AS IPv6)
        AS probe_dst_addr,
    probeId AS probe_id,
    probeSize AS probe_size,
    probeTtl AS probe_ttl,
    probeProtocol AS probe_protocol,
    probeSrcPort AS probe_src_port,
    probeDstPort AS probe_dst_port,
    rtt,
    rttUs AS rtt_us,
    replyQuotedTrafficClass AS reply_quoted_traffic_class,
    replyNextHopMtu AS reply_next_hop_mtu,
    replyQuotedFlowLabel AS reply_quoted_flow_label,
    substring(replySite, 1, 128) AS reply_site,
    replyRewritten AS reply_rewritten,
    replyQuotedSrcPort AS reply_quoted_src_port,
    replyChecksumDelta AS reply_checksum_delta,
    CAST(toFixedString(
        substring(concat(if(length(replyQuotedSrcAddr) = 4, mapped, ''), replyQuotedSrcAddr), 1, 16), 16) AS IPv6)
        AS reply_quoted_src_addr,
    _headers.value[indexOf(_headers.name, 'measurement_id')] AS measurement_id,
    _headers.value[indexOf(_headers.name, 'probe_agent')] AS probe_agent,
    toUInt32OrZero(_headers.value[indexOf(_headers.name, 'probe_instance')]) AS probe_instance,
    if(length(writer) = 0, '', concat(writer, '/', toString(_partition))) AS producer,
    toUInt64OrZero(_headers.value[indexOf(_headers.name, 'sequence')]) AS sequence
FROM measure.from_broker
WHERE length(_error) = 0
    AND timeReceivedNs BETWEEN toUInt64(toUnixTimestamp(now() - toIntervalDay(60))) * 1000000000
        AND toUInt64(toUnixTimestamp(now() + toIntervalDay(1))) * 1000000000
    AND length(replySrcAddr) IN (0, 4, 16) AND length(replyDstAddr) IN (0, 4, 16)
    AND length(probeSrcAddr) IN (0, 4, 16) AND length(probeDstAddr) IN (0, 4, 16)
    AND length(replyQuotedSrcAddr) IN (0, 4, 16)
) AS arriving
LEFT JOIN
(
    SELECT producer AS held_producer, date AS held_date, max(sequence) AS held_sequence
    FROM measure.replies GROUP BY producer, date
) AS held ON held_producer = arriving.producer AND held_date = arriving.date
WHERE arriving.sequence = 0 OR arriving.sequence > held_sequence
