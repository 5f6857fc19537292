-- As in measure.replies.
ALTER TABLE measure.from_ingester
    ADD COLUMN reply_quoted_traffic_class UInt8 AFTER rtt_us,
    ADD COLUMN reply_next_hop_mtu UInt16 AFTER reply_quoted_traffic_class,
    ADD COLUMN reply_quoted_flow_label UInt32 AFTER reply_next_hop_mtu
