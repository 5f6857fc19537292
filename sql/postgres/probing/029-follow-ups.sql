-- What an alert measures when it is raised; null = nothing.
ALTER TABLE alerts
  ADD COLUMN follow_up jsonb,
  -- Alerts about one change have the same key, and share a measurement.
  ADD COLUMN follow_up_key text,
  -- refused: by the budget, the quota or the agents, with the reason.
  ADD COLUMN follow_up_state text CHECK (follow_up_state IN ('due', 'started', 'refused')),
  ADD COLUMN follow_up_reason text,
  -- Of a measurement, or of a discovery.
  ADD COLUMN follow_up_id uuid,
  -- Probes x agents that count towards the day's budget from this time on.
  ADD COLUMN follow_up_probes integer,
  ADD COLUMN follow_up_at timestamptz,
  ADD COLUMN follow_up_claimed_until timestamptz;
CREATE INDEX alerts_follow_ups ON alerts (raised_at) WHERE follow_up_state = 'due';

-- Routes towards the targets of campaigns that watch them.
CREATE TABLE campaign_routes (
  campaign_id uuid PRIMARY KEY REFERENCES campaigns ON DELETE CASCADE,
  -- Prefix -> who reports it -> AS path and time; null = they were never read.
  paths jsonb,
  -- Nanoseconds, by the column store's clock: rows stored before it have been read.
  read_to_ns bigint NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now()
);
