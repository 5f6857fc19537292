-- Experiments, as the journals of their controllers say: announcements and probes in steps.
CREATE TABLE experiments (
  experiment_id uuid PRIMARY KEY,
  user_hash text NOT NULL REFERENCES users,
  -- SHA-256 of the line that it began with: whoever sends it again goes on with the same experiment.
  begun_digest bytea NOT NULL,
  name text NOT NULL,
  prefix cidr NOT NULL,
  begun_at timestamptz NOT NULL,
  -- Of the plan.
  actions integer NOT NULL,
  -- Lines of the journal, and their bytes.
  entries integer NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  -- When its controller last said that it is there.
  heard_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  reason text,
  made_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_hash, begun_digest)
);
CREATE INDEX experiments_by_user ON experiments (user_hash, begun_at DESC, experiment_id DESC);

-- Each line as it was sent.
CREATE TABLE experiment_entries (
  experiment_id uuid NOT NULL REFERENCES experiments ON DELETE CASCADE,
  -- From 0, without a gap.
  place integer NOT NULL,
  line text NOT NULL,
  PRIMARY KEY (experiment_id, place)
);
