-- Where an agent is, so that users choose agents by it (lib/probing/agent-selector.ts): ISO 3166-1, two letters.
ALTER TABLE agents ADD COLUMN country text CHECK (country ~ '^[A-Z]{2}$');
-- What agents that enrol with a key are taken for, until an admin says otherwise.
ALTER TABLE enrolment_keys
  ADD COLUMN location text,
  ADD COLUMN country text CHECK (country ~ '^[A-Z]{2}$'),
  ADD COLUMN asn bigint CHECK (asn BETWEEN 0 AND 4294967295),
  ADD COLUMN tags text[] NOT NULL DEFAULT '{}';
