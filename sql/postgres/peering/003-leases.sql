-- Who has which /48, and had. Rows of the past stay, and keep the same rules as those of today.
CREATE TABLE leases (
  lease_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_hash text NOT NULL REFERENCES users,
  prefix cidr NOT NULL CHECK (family(prefix) = 6 AND masklen(prefix) = 48),
  start_time timestamptz NOT NULL,
  -- Planned; then, when it is closed early, real.
  end_time timestamptz NOT NULL CHECK (end_time >= start_time),
  -- Until then nobody else gets the prefix.
  held_until timestamptz NOT NULL CHECK (held_until >= end_time),
  rpki_enabled boolean NOT NULL,
  -- The user and the generators were told that it ends soon.
  warned_at timestamptz,
  closed_at timestamptz,
  closed_as text CHECK (closed_as IN ('expired', 'released', 'revoked')),
  CHECK ((closed_at IS NULL) = (closed_as IS NULL)),
  -- Whatever the program does: no two leases share an address at one time …
  EXCLUDE USING gist (prefix inet_ops WITH &&, tstzrange(start_time, end_time) WITH &&),
  -- … and nobody gets what another one had a short while ago. (As bytes, so that nobody looks for users in this index:
  -- it is a slow one for that, and the planner does not know.)
  EXCLUDE USING gist (
    prefix inet_ops WITH &&, decode(user_hash, 'hex') WITH <>, tstzrange(start_time, held_until) WITH &&)
);
-- A lease is live while it is not closed and its end has not come. Expired ones are closed within seconds, so these
-- hold little else, however long the history is.
CREATE INDEX leases_open_by_user ON leases (user_hash) WHERE closed_at IS NULL;
CREATE INDEX leases_open_by_prefix ON leases (prefix) WHERE closed_at IS NULL;
CREATE INDEX leases_open_by_end ON leases (end_time) WHERE closed_at IS NULL;
CREATE INDEX leases_unwarned_by_end ON leases (end_time) WHERE closed_at IS NULL AND warned_at IS NULL;
CREATE INDEX leases_by_user ON leases (user_hash, lease_id DESC);
CREATE INDEX leases_closed ON leases (closed_at) WHERE closed_at IS NOT NULL;

-- Everything that was ever changed, by whom: the audit, and the feed that generators follow. Append-only.
CREATE TABLE changes (
  -- Without gaps and in the order of commits: who has seen n misses nothing up to n.
  change_number bigint PRIMARY KEY,
  at timestamptz NOT NULL,
  -- 'admin', 'user:HASH', 'gateway'
  actor text NOT NULL,
  -- Noun and verb: 'lease.grant'.
  action text NOT NULL,
  user_hash text,
  prefix cidr,
  details jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX changes_by_user ON changes (user_hash, change_number);
CREATE RULE changes_keep AS ON UPDATE TO changes DO INSTEAD NOTHING;
CREATE RULE changes_stay AS ON DELETE TO changes DO INSTEAD NOTHING;

-- One row: the number of the last change.
CREATE TABLE feed (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  last_number bigint NOT NULL DEFAULT 0
);
INSERT INTO feed DEFAULT VALUES;

-- To be called last in a transaction: from here to its end all others wait.
CREATE FUNCTION record_change(
  actor text, action text, user_hash text DEFAULT NULL, prefix cidr DEFAULT NULL, details jsonb DEFAULT '{}'
) RETURNS bigint LANGUAGE sql AS $$
  WITH taken AS (UPDATE feed SET last_number = last_number + 1 RETURNING last_number)
  INSERT INTO changes SELECT last_number, vantage_now(), $1, $2, $3, $4, $5 FROM taken RETURNING change_number
$$;
