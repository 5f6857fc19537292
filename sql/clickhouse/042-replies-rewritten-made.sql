-- Of what is stored already; the store makes them in the background.
ALTER TABLE measure.replies MATERIALIZE PROJECTION by_measurement, MATERIALIZE PROJECTION by_destination
