-- Of each producer and day the highest number that is stored: what the next record is held against. It is part of the
-- rows' own parts, so it is as true as they are, whoever was killed.
ALTER TABLE measure.replies
    ADD PROJECTION IF NOT EXISTS by_producer (SELECT producer, date, max(sequence) GROUP BY producer, date)
