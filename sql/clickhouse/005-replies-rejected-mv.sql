-- The rows of from_broker that from_broker_mv leaves out, with the reason.
CREATE MATERIALIZED VIEW measure.replies_rejected_mv TO measure.replies_rejected AS
SELECT
    toDate(now(), 'UTC') AS date,
    now64(9, 'UTC') AS time_inserted_ns,
    _topic AS topic,
    _partition AS partition,
    _offset AS record_offset,
    multiIf(
        length(_error) > 0, _error,
        timeReceivedNs NOT BETWEEN toUInt64(toUnixTimestamp(now() - toIntervalDay(60))) * 1000000000
            AND toUInt64(toUnixTimestamp(now() + toIntervalDay(1))) * 1000000000, 'timeReceived',
        NOT (length(replySrcAddr) IN (0, 4, 16) AND length(replyDstAddr) IN (0, 4, 16)
            AND length(probeSrcAddr) IN (0, 4, 16) AND length(probeDstAddr) IN (0, 4, 16)), 'addressLength',
        '') AS reason,
    substring(_raw_message, 1, 65536) AS raw_message,
    agentId AS agent_id,
    timeReceivedNs AS time_received_ns
FROM measure.from_broker
WHERE length(reason) > 0
