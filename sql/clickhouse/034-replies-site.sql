-- What a name server's site calls itself. Both projections hold all columns, this one too.
ALTER TABLE measure.replies
    ADD COLUMN reply_site LowCardinality(String)
        COMMENT 'what a name server''s site calls itself, by its answer to a DNS probe; else empty'
        AFTER reply_quoted_flow_label,
    DROP PROJECTION by_measurement,
    ADD PROJECTION by_measurement (SELECT * ORDER BY measurement_id, probe_dst_addr, time_received_ns),
    DROP PROJECTION by_destination,
    ADD PROJECTION by_destination (SELECT * ORDER BY probe_dst_addr, time_received_ns)
