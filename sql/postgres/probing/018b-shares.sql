-- What users show to others: a measurement, or a campaign with what it measures. Without a row it is its user's alone.
CREATE TABLE shares (
  measurement_id uuid UNIQUE REFERENCES measurements ON DELETE CASCADE,
  campaign_id uuid UNIQUE REFERENCES campaigns ON DELETE CASCADE,
  user_hash text NOT NULL REFERENCES users,
  -- SHA-256 of the link's secret; null = there is no link.
  link_hash bytea UNIQUE CHECK (length(link_hash) = 32),
  linked_at timestamptz,
  -- From then on for everybody, for good; null = never.
  public_at timestamptz,
  licence text,
  contact text,
  citation text,
  -- An operator has hidden it.
  hidden_at timestamptz,
  hidden_because text,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((measurement_id IS NULL) <> (campaign_id IS NULL))
);
CREATE INDEX shares_by_user ON shares (user_hash);
CREATE INDEX shares_public ON shares (public_at DESC) WHERE public_at IS NOT NULL AND hidden_at IS NULL;
