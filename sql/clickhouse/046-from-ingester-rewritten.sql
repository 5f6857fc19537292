-- As in measure.replies.
ALTER TABLE measure.from_ingester
    ADD COLUMN reply_rewritten UInt8 AFTER reply_site,
    ADD COLUMN reply_quoted_src_port UInt16 AFTER reply_rewritten,
    ADD COLUMN reply_checksum_delta UInt16 AFTER reply_quoted_src_port,
    ADD COLUMN reply_quoted_src_addr IPv6 AFTER reply_checksum_delta
