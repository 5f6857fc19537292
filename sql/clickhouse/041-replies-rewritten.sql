-- What quotes have otherwise than the probes were sent. Both projections hold all columns, these too.
ALTER TABLE measure.replies
    ADD COLUMN reply_rewritten UInt8
        COMMENT 'quoted otherwise than sent: 1 source, 2 source port, 4 destination, 8 checksum, 16 identification'
        CODEC(ZSTD(1)) AFTER reply_site,
    ADD COLUMN reply_quoted_src_port UInt16 COMMENT 'source port or ICMP identifier that is quoted; 0 as sent'
        CODEC(ZSTD(1)) AFTER reply_rewritten,
    ADD COLUMN reply_checksum_delta UInt16 COMMENT 'quoted checksum minus the one that was sent, modulo 65535'
        CODEC(ZSTD(1)) AFTER reply_quoted_src_port,
    ADD COLUMN reply_quoted_src_addr IPv6 COMMENT 'source that is quoted; :: as sent'
        CODEC(ZSTD(1)) AFTER reply_checksum_delta,
    DROP PROJECTION by_measurement,
    ADD PROJECTION by_measurement (SELECT * ORDER BY measurement_id, probe_dst_addr, time_received_ns),
    DROP PROJECTION by_destination,
    ADD PROJECTION by_destination (SELECT * ORDER BY probe_dst_addr, time_received_ns)
