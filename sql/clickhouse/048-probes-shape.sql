-- What was asked for beyond flow and TTL: a size that was sent and not answered is nowhere else.
ALTER TABLE measure.probes
    ADD COLUMN probe_size_bytes UInt16 COMMENT 'IP length that was asked for; 0 = as short as the TTL allows'
        CODEC(ZSTD(1)) AFTER probe_protocol,
    ADD COLUMN probe_dont_fragment UInt8 COMMENT '1 = no router may divide it; IPv6: none does anyway'
        CODEC(ZSTD(1)) AFTER probe_size_bytes
