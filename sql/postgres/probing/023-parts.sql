-- Parts of measurements, where there are many.

-- From how many agents a user measures now is read with each submission: one look-up for each such agent, however many
-- measurements the user has there.
ALTER TABLE measurement_agents ADD COLUMN user_hash text;
UPDATE measurement_agents AS part SET user_hash = whole.user_hash
FROM measurements AS whole WHERE whole.measurement_id = part.measurement_id;
ALTER TABLE measurement_agents ALTER COLUMN user_hash SET NOT NULL;
CREATE INDEX measurement_agents_of_user ON measurement_agents (user_hash, agent_id)
  WHERE status IN ('queued', 'running');

-- When a part ended before it was complete; null = it did not. Of its own, because the time of the last report would
-- be a new entry of the index with each report.
ALTER TABLE measurement_agents ADD COLUMN stopped_at timestamptz;
UPDATE measurement_agents SET stopped_at = updated_at WHERE status IN ('cancelled', 'expired', 'failed');
DROP INDEX measurement_agents_stopped;
-- What agents must be told to stop: few, and recent.
CREATE INDEX measurement_agents_stopped ON measurement_agents (agent_id, stopped_at) WHERE stopped_at IS NOT NULL;
-- Room for counts that change with each report: a row then moves within its page, and no index changes.
ALTER TABLE measurement_agents SET (fillfactor = 70);

-- Of whose probes the limits of destinations are shared (destination-crowd.ts).
CREATE INDEX measurements_sharing ON measurements (not_after)
  WHERE share IS NOT NULL AND (ended_at IS NULL OR settle_at IS NOT NULL);
