-- Keys of the service API, made by an admin; those of the configuration are not here.
CREATE TABLE service_keys (
  -- SHA-256 of a random key.
  key_hash bytea PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT vantage_now(),
  revoked_at timestamptz
);
CREATE UNIQUE INDEX service_keys_by_name ON service_keys (name) WHERE revoked_at IS NULL;
