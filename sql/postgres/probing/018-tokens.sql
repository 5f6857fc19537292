-- What users make for programs. Of a token only the SHA-256 is kept, of its use the last time and the counts of days.
CREATE TABLE api_tokens (
  token_id uuid PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  user_hash text NOT NULL REFERENCES users,
  name text NOT NULL,
  -- Names of lib/auth/scopes.ts.
  scopes text[] NOT NULL,
  -- The one object that it is for; both null = all that its user has.
  measurement_id uuid REFERENCES measurements ON DELETE CASCADE,
  campaign_id uuid REFERENCES campaigns ON DELETE CASCADE,
  -- Probes x agents of a UTC day; null = as the user.
  probes_per_day_max bigint CHECK (probes_per_day_max >= 0),
  -- The token that made it, with which it is revoked; null = its user made it with a login.
  made_by uuid REFERENCES api_tokens ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_used_from inet,
  CHECK (measurement_id IS NULL OR campaign_id IS NULL)
);
CREATE INDEX api_tokens_by_user ON api_tokens (user_hash, created_at);
CREATE INDEX api_tokens_by_maker ON api_tokens (made_by) WHERE made_by IS NOT NULL;
CREATE INDEX api_tokens_by_measurement ON api_tokens (measurement_id) WHERE measurement_id IS NOT NULL;
CREATE INDEX api_tokens_by_campaign ON api_tokens (campaign_id) WHERE campaign_id IS NOT NULL;

-- Probes x agents that a token submitted on a UTC day. The statement that accepts a submission counts here too, and
-- the check makes all of it fail where the token has not so many left.
CREATE TABLE api_token_days (
  token_id uuid NOT NULL REFERENCES api_tokens ON DELETE CASCADE,
  day date NOT NULL,
  charged bigint NOT NULL,
  charged_max bigint NOT NULL,
  PRIMARY KEY (token_id, day),
  CONSTRAINT api_token_days_quota CHECK (charged <= charged_max)
);

-- Requests by token, UTC day and tool: the first product of the User-Agent, of which a token has a few a day.
CREATE TABLE api_token_uses (
  token_id uuid NOT NULL REFERENCES api_tokens ON DELETE CASCADE,
  day date NOT NULL,
  tool text NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (token_id, day, tool)
);
