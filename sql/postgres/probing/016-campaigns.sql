-- What goes on without a person: what it is to do, by revision; where it stands; and what it did, which is written
-- before and after, so that any gateway can go on where another was killed.
CREATE TABLE campaigns (
  campaign_id uuid PRIMARY KEY,
  user_hash text NOT NULL REFERENCES users,
  name text NOT NULL,
  revision integer NOT NULL CHECK (revision > 0),
  -- The state of lib/campaign/advance.ts.
  phase text NOT NULL CHECK (phase IN ('active', 'paused', 'ended')),
  next_run integer NOT NULL CHECK (next_run >= 0),
  -- Null = all runs have come.
  next_at timestamptz,
  current_run integer,
  queued_run integer,
  queued_at timestamptz,
  resumed_at timestamptz,
  ended_reason text,
  -- Why an operator stopped it; null = none did.
  stopped_because text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz
);
-- A name stands for one campaign of a user while it goes on, so that asking twice does not measure twice.
CREATE UNIQUE INDEX campaigns_by_name ON campaigns (user_hash, name) WHERE phase <> 'ended';
CREATE INDEX campaigns_by_user ON campaigns (user_hash, created_at DESC);
CREATE INDEX campaigns_due ON campaigns (next_at) WHERE phase = 'active' AND next_at IS NOT NULL;

CREATE TABLE campaign_revisions (
  campaign_id uuid NOT NULL REFERENCES campaigns ON DELETE CASCADE,
  revision integer NOT NULL,
  -- As its user gave it, without the probes.
  definition jsonb NOT NULL,
  -- What it means: lib/campaign/schedule.ts.
  schedule jsonb NOT NULL,
  -- Probe lines, of each agent and run.
  probes text NOT NULL,
  -- As estimated when it was made: probes x agents of its fullest day.
  probes_per_day bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (campaign_id, revision)
);

-- One row for each run; runs that were passed over for the same reason, one after another, share the row of the first.
CREATE TABLE campaign_runs (
  campaign_id uuid NOT NULL REFERENCES campaigns ON DELETE CASCADE,
  run integer NOT NULL,
  last_run integer NOT NULL CHECK (last_run >= run),
  revision integer NOT NULL,
  planned_at timestamptz NOT NULL,
  state text NOT NULL
    CHECK (state IN ('open', 'done', 'missed', 'refused', 'passed', 'cancelling', 'cancelled')),
  reason text,
  ended_at timestamptz,
  PRIMARY KEY (campaign_id, run)
);
CREATE INDEX campaign_runs_open ON campaign_runs (campaign_id, run) WHERE state IN ('open', 'cancelling');

-- What a run does, each exactly once: a step that was claimed by a gateway which is gone is taken by another under the
-- same key, which the table of measurements knows.
CREATE TABLE campaign_steps (
  campaign_id uuid NOT NULL,
  run integer NOT NULL,
  step integer NOT NULL,
  due_at timestamptz NOT NULL,
  -- When it is too late to begin.
  latest_at timestamptz NOT NULL,
  -- As in the query of a submission.
  agents text NOT NULL,
  state text NOT NULL CHECK (state IN ('due', 'spread', 'taken', 'missed', 'refused', 'dropped')),
  reason text,
  claimed_until timestamptz,
  measurement_id uuid REFERENCES measurements ON DELETE SET NULL,
  taken_at timestamptz,
  PRIMARY KEY (campaign_id, run, step),
  FOREIGN KEY (campaign_id, run) REFERENCES campaign_runs ON DELETE CASCADE
);
CREATE INDEX campaign_steps_due ON campaign_steps (due_at) WHERE state = 'due';
CREATE INDEX campaign_steps_by_measurement ON campaign_steps (measurement_id) WHERE measurement_id IS NOT NULL;
