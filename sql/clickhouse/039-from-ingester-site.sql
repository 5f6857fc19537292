-- As in measure.replies.
ALTER TABLE measure.from_ingester ADD COLUMN reply_site LowCardinality(String) AFTER reply_quoted_flow_label
