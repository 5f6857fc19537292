-- The round-trip time as finely as agents measure it. Both projections hold all columns, this one too.
ALTER TABLE measure.replies
    ADD COLUMN rtt_us UInt32 COMMENT 'rtt in microseconds; 0 when known only in tenths of a millisecond, or unknown'
        CODEC(ZSTD(1)) AFTER rtt,
    DROP PROJECTION by_measurement,
    ADD PROJECTION by_measurement (SELECT * ORDER BY measurement_id, probe_dst_addr, time_received_ns),
    DROP PROJECTION by_destination,
    ADD PROJECTION by_destination (SELECT * ORDER BY probe_dst_addr, time_received_ns)
