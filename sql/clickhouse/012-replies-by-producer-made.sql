-- Of what is stored already; the store makes it in the background.
ALTER TABLE measure.replies MATERIALIZE PROJECTION by_producer
