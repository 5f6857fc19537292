-- Who may measure, how much, and what was used of it. A user is the SHA-256 of the token's subject, never more.
CREATE TABLE users (
  user_hash text PRIMARY KEY CHECK (user_hash ~ '^[0-9a-f]{64}$'),
  -- 32 bits that follow an agent's IPv6 prefix in this user's own; 0 to 999 are the operator's.
  user_id bigint NOT NULL UNIQUE CHECK (user_id BETWEEN 1000 AND 4294967040),
  -- Null = the gateway's default.
  probes_per_day_max bigint CHECK (probes_per_day_max >= 0),
  rate_probes_per_sec_max integer CHECK (rate_probes_per_sec_max > 0),
  suspended_at timestamptz,
  suspended_reason text,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- The sum of a user's UTC day, so that asking for it costs the same at any number of measurements.
CREATE TABLE quota_days (
  user_hash text NOT NULL REFERENCES users,
  day date NOT NULL,
  charged bigint NOT NULL CHECK (charged >= 0),
  credited bigint NOT NULL DEFAULT 0 CHECK (credited BETWEEN 0 AND charged),
  submissions integer NOT NULL DEFAULT 0,
  last_submitted_at timestamptz,
  PRIMARY KEY (user_hash, day)
);
