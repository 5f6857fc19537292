-- As in measure.replies.
ALTER TABLE measure.from_ingester ADD COLUMN rtt_us UInt32 AFTER rtt
