-- What was asked for, and how far each agent has come with it.
CREATE TABLE measurements (
  measurement_id uuid PRIMARY KEY,
  user_hash text NOT NULL REFERENCES users,
  -- The gateway whose state folder holds the probes until the broker has them.
  gateway_id text NOT NULL,
  idempotency_key text,
  -- SHA-256 of the request, to tell a repetition from another request with the same key.
  request_digest bytea NOT NULL,
  -- As answered to the user: what a repetition is answered too.
  answer jsonb NOT NULL,
  probes bigint NOT NULL CHECK (probes > 0),
  -- Of each record but the last: whoever goes on publishing must cut the probes as before.
  record_probes integer NOT NULL CHECK (record_probes > 0),
  day date NOT NULL,
  -- Probes of each target that the broker has acknowledged.
  published_probes bigint NOT NULL DEFAULT 0,
  published_at timestamptz,
  not_after timestamptz NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- When the last of its agents was done; null while one is not.
  ended_at timestamptz,
  UNIQUE (user_hash, idempotency_key)
);
CREATE INDEX measurements_by_user_updated ON measurements (user_hash, updated_at DESC);
CREATE INDEX measurements_by_user_started ON measurements (user_hash, started_at DESC);
-- Whose probes a reply without a measurement may answer: those of the time.
CREATE INDEX measurements_by_started ON measurements (started_at);
CREATE INDEX measurements_running ON measurements (not_after) WHERE ended_at IS NULL;
CREATE INDEX measurements_unpublished ON measurements (gateway_id)
  WHERE published_at IS NULL AND ended_at IS NULL;

-- An agent's part; its sources together, because agents report by measurement.
CREATE TABLE measurement_agents (
  measurement_id uuid NOT NULL REFERENCES measurements ON DELETE CASCADE,
  agent_id text NOT NULL REFERENCES agents,
  status text NOT NULL DEFAULT 'queued'
    CHECK (status IN ('queued', 'running', 'complete', 'cancelled', 'failed', 'expired')),
  expected_probes bigint NOT NULL,
  -- Absolute counts of the agent; the largest reported is kept.
  sent_probes bigint NOT NULL DEFAULT 0,
  received_replies bigint NOT NULL DEFAULT 0,
  failed_probes bigint NOT NULL DEFAULT 0,
  error text,
  -- Unsent probes that went back to the day they were charged to: set when the part ends unfinished; smaller later
  -- if the agent then says that it had sent more.
  credited_probes bigint CHECK (credited_probes BETWEEN 0 AND expected_probes),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (measurement_id, agent_id)
);
CREATE INDEX measurement_agents_active ON measurement_agents (agent_id) WHERE status IN ('queued', 'running');
-- What agents must be told to stop: few, and recent.
CREATE INDEX measurement_agents_stopped ON measurement_agents (agent_id, updated_at)
  WHERE status IN ('cancelled', 'expired', 'failed');

CREATE TABLE measurement_targets (
  measurement_id uuid NOT NULL REFERENCES measurements ON DELETE CASCADE,
  agent_id text NOT NULL REFERENCES agents,
  -- Null = the agent chooses.
  source_address inet,
  UNIQUE NULLS NOT DISTINCT (measurement_id, agent_id, source_address)
);
