-- As 017: `*` stands for the columns that from_ingester had when the query was set.
ALTER TABLE measure.from_ingester_mv MODIFY QUERY
SELECT
    toDate(time_received_ns, 'UTC') AS date,
    now64(9, 'UTC') AS time_inserted_ns,
    arriving.*
FROM measure.from_ingester AS arriving
LEFT JOIN
(
    SELECT producer AS held_producer, date AS held_date, max(sequence) AS held_sequence
    FROM measure.replies GROUP BY producer, date
) AS held ON held_producer = arriving.producer AND held_date = toDate(arriving.time_received_ns, 'UTC')
WHERE arriving.sequence = 0 OR arriving.sequence > held_sequence
