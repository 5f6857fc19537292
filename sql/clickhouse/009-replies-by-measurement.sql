-- The replies of a measurement by destination, so that paths and losses of one destination after another are read
-- without the rest, however large the measurement is. By time they are read from the table itself.
ALTER TABLE measure.replies
    DROP PROJECTION by_measurement,
    ADD PROJECTION by_measurement (SELECT * ORDER BY measurement_id, probe_dst_addr, time_received_ns)
