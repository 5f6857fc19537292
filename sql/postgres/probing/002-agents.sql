-- Vantage points: what they are, what they say of themselves, and what the operator wants of them.
CREATE TABLE agents (
  agent_id text PRIMARY KEY CHECK (agent_id ~ '^[A-Za-z0-9._-]{1,64}$'),
  -- SHA-256 of the secret given at registration; null until then.
  secret_hash bytea,
  registered_at timestamptz,
  last_seen_at timestamptz,
  -- Instances in force, as the agent last posted them: a JSON array in the form of the agent API.
  config jsonb,
  config_posted_at timestamptz,
  -- What the operator wants changed, by instance name; laid over the agent's file.
  desired jsonb NOT NULL DEFAULT '{}',
  config_version bigint NOT NULL DEFAULT 0,
  paused boolean NOT NULL DEFAULT false,
  healthy boolean,
  -- When the agent's clock said so, and when it reached us: only the latter decides what is offline.
  health_checked_at timestamptz,
  health_received_at timestamptz,
  health_message text,
  -- Capture, queues, drops, clock, broker: as the agent reports it.
  health_details jsonb,
  report_interval_ms integer NOT NULL DEFAULT 30000 CHECK (report_interval_ms > 0),
  location text,
  asn bigint CHECK (asn BETWEEN 0 AND 4294967295),
  tags text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Set when an operator takes it out of service: it is shown nowhere, and its name stays taken.
  retired_at timestamptz
);

-- Keys of the agent API; an agent has several only while they are rotated.
CREATE TABLE agent_keys (
  key_hash bytea PRIMARY KEY,
  agent_id text NOT NULL REFERENCES agents,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz
);
CREATE INDEX agent_keys_by_agent ON agent_keys (agent_id);

-- Keys for first contact: whoever has one may register a new agent and is given a key for it.
CREATE TABLE enrolment_keys (
  key_hash bytea PRIMARY KEY,
  label text NOT NULL,
  uses_left integer NOT NULL CHECK (uses_left >= 0),
  expires_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Which prefix was whose at which agent, kept when an agent's prefix changes, so that packets stay attributable.
CREATE TABLE user_prefixes (
  user_hash text NOT NULL REFERENCES users,
  agent_id text NOT NULL REFERENCES agents,
  agent_prefix cidr NOT NULL,
  user_prefix cidr NOT NULL,
  first_given_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_hash, agent_id, agent_prefix)
);
CREATE INDEX user_prefixes_by_prefix ON user_prefixes USING gist (user_prefix inet_ops);
