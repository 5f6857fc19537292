-- What people see of the rounds of a discovery: computed with each round, from what was known before it was sent.
CREATE TABLE discovery_rounds (
  campaign_id uuid NOT NULL,
  run integer NOT NULL,
  round integer NOT NULL CHECK (round > 0),
  -- That it plans, of all agents.
  probes bigint NOT NULL,
  -- Prefixes x agents that still want probes.
  units bigint NOT NULL,
  links bigint NOT NULL,
  nodes bigint NOT NULL,
  computed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (campaign_id, run, round),
  FOREIGN KEY (campaign_id, run) REFERENCES campaign_runs ON DELETE CASCADE
);
