-- A measurement may be open: its user adds probes as answers come, and says when it is finished. Each addition is a row
-- of its own here: it is spooled, published and resumed like the first probes. It has no agents of its own, and counts
-- as ended from the start, so that nothing which looks for running measurements sees it.
ALTER TABLE measurements ADD COLUMN part_of uuid REFERENCES measurements ON DELETE CASCADE;
-- Index in the whole measurement of this row's first probe.
ALTER TABLE measurements ADD COLUMN first_probe bigint NOT NULL DEFAULT 0 CHECK (first_probe >= 0);
-- Until then its user is heard of; null = it takes no more probes than it had at first.
ALTER TABLE measurements ADD COLUMN open_until timestamptz;
CREATE INDEX measurements_by_whole ON measurements (part_of) WHERE part_of IS NOT NULL;
CREATE INDEX measurements_open ON measurements (open_until) WHERE open_until IS NOT NULL AND ended_at IS NULL;
CREATE INDEX measurements_unpublished_parts ON measurements (gateway_id)
  WHERE part_of IS NOT NULL AND published_at IS NULL AND publishing_ended_at IS NULL;
-- A measurement may be published slowly: so long after each other its records leave, of so many probes each as
-- record_probes says; null = as fast as the broker takes them.
ALTER TABLE measurements ADD COLUMN interval_ms integer CHECK (interval_ms > 0);
