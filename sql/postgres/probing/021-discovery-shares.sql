-- Which prefixes each agent probes in a run of a discovery that gives agents a budget: written once, before the first
-- round is cut.
CREATE TABLE discovery_shares (
  campaign_id uuid NOT NULL,
  run integer NOT NULL,
  agent text NOT NULL,
  prefixes integer NOT NULL,
  -- A bit for each unit of the targets, that of unit 0 the lowest of the first byte.
  units bytea NOT NULL CHECK (octet_length(units) <= 524288),
  PRIMARY KEY (campaign_id, run, agent),
  FOREIGN KEY (campaign_id, run) REFERENCES campaign_runs ON DELETE CASCADE
);
