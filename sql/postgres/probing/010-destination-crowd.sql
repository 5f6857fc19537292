-- Which buckets of destinations a measurement has probes for (lib/probing/bucket-set.ts): the limits of a destination
-- are divided by the agents that measure there. Null = not known, and taken as all.
ALTER TABLE measurements ADD COLUMN destinations bytea;
