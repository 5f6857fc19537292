-- What errors quote, and the MTU that they report. Both projections hold all columns, these too.
ALTER TABLE measure.replies
    ADD COLUMN reply_quoted_traffic_class UInt8 COMMENT 'DSCP (upper 6 bits) and ECN in the packet that is quoted'
        CODEC(ZSTD(1)) AFTER rtt_us,
    ADD COLUMN reply_next_hop_mtu UInt16 COMMENT 'bytes, by an error for a packet that was too big; else 0'
        CODEC(ZSTD(1)) AFTER reply_quoted_traffic_class,
    ADD COLUMN reply_quoted_flow_label UInt32 COMMENT 'of IPv6, in the packet that is quoted; IPv4: 0'
        CODEC(ZSTD(1)) AFTER reply_next_hop_mtu,
    DROP PROJECTION by_measurement,
    ADD PROJECTION by_measurement (SELECT * ORDER BY measurement_id, probe_dst_addr, time_received_ns),
    DROP PROJECTION by_destination,
    ADD PROJECTION by_destination (SELECT * ORDER BY probe_dst_addr, time_received_ns)
