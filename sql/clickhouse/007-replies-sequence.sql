-- Which record of the broker a row comes from, as its writer numbers them: a record that comes twice is taken once.
ALTER TABLE measure.replies
    ADD COLUMN producer LowCardinality(String)
        COMMENT 'who numbered the record, a slash, its partition; empty when nobody did',
    ADD COLUMN sequence UInt64 COMMENT 'number of the record with its producer, rising; 0 when there is none'
        CODEC(Delta, ZSTD(1))
