-- ROAs at a certificate authority: who writes there, and how far it has come. One row.
CREATE TABLE roa_publication (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- One gateway writes at a time, else one that is slow would bring back what another has removed; null = none.
  holder uuid,
  turn_ends_at timestamptz,
  -- Counts turns: who has the same one as before knows what is there.
  turn bigint NOT NULL DEFAULT 0,
  -- When the authority last had exactly what is authorised here; null = never.
  complete_at timestamptz,
  CHECK ((holder IS NULL) = (turn_ends_at IS NULL))
);
INSERT INTO roa_publication DEFAULT VALUES;
