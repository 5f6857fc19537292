-- What campaigns notice: what is usual of each series, alerts, and where they are sent.

-- Where alerts go, with secrets, which nobody reads back; the definition names only the places.
ALTER TABLE campaign_revisions ADD COLUMN deliveries jsonb NOT NULL DEFAULT '[]';

-- One row for each ended run of a campaign with alerts, made with its end. It is looked at once: whoever claims it
-- computes, and writes states, alerts and deliveries in one transaction with evaluated_at.
CREATE TABLE campaign_evaluations (
  campaign_id uuid NOT NULL,
  run integer NOT NULL,
  -- When answers that are still on their way have come in.
  due_at timestamptz NOT NULL,
  claimed_until timestamptz,
  evaluated_at timestamptz,
  -- Why not all of it could be looked at; null = it could.
  note text,
  PRIMARY KEY (campaign_id, run),
  FOREIGN KEY (campaign_id, run) REFERENCES campaign_runs ON DELETE CASCADE
);
CREATE INDEX campaign_evaluations_due ON campaign_evaluations (due_at) WHERE evaluated_at IS NULL;
CREATE INDEX campaign_evaluations_open ON campaign_evaluations (campaign_id, run) WHERE evaluated_at IS NULL;

-- A series is the probes of an agent to a destination; of the agent itself, the destination is empty.
CREATE TABLE campaign_series (
  campaign_id uuid NOT NULL REFERENCES campaigns ON DELETE CASCADE,
  agent_id text NOT NULL,
  destination text NOT NULL,
  -- lib/campaign/notice: what is usual.
  state jsonb NOT NULL,
  last_run integer NOT NULL,
  -- Figures of the last run with answers, for status checks; null = none had any.
  figures jsonb,
  PRIMARY KEY (campaign_id, agent_id, destination)
);

CREATE TABLE alerts (
  alert_id uuid PRIMARY KEY,
  campaign_id uuid NOT NULL REFERENCES campaigns ON DELETE CASCADE,
  agent_id text NOT NULL,
  destination text NOT NULL,
  detector text NOT NULL,
  value double precision,
  threshold double precision,
  reason text NOT NULL,
  raised_run integer NOT NULL,
  raised_at timestamptz NOT NULL DEFAULT now(),
  cleared_run integer,
  cleared_at timestamptz,
  cleared_reason text
);
-- At most one of a kind at a time.
CREATE UNIQUE INDEX alerts_active ON alerts (campaign_id, agent_id, destination, detector) WHERE cleared_at IS NULL;
CREATE INDEX alerts_by_campaign ON alerts (campaign_id, raised_at DESC, alert_id DESC);

CREATE TABLE alert_deliveries (
  -- Goes with it: who gets it twice knows so.
  delivery_id uuid PRIMARY KEY,
  campaign_id uuid NOT NULL REFERENCES campaigns ON DELETE CASCADE,
  run integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('webhook', 'email')),
  -- As shown: a host, an address.
  place text NOT NULL,
  -- The whole of it, with secrets; taken away when the delivery is over.
  target jsonb,
  is_digest boolean NOT NULL,
  events integer NOT NULL,
  body jsonb NOT NULL,
  state text NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'delivered', 'failed')),
  -- Each attempt: when, and what came of it.
  attempts jsonb NOT NULL DEFAULT '[]',
  due_at timestamptz NOT NULL DEFAULT now(),
  claimed_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX alert_deliveries_due ON alert_deliveries (due_at) WHERE state = 'due';
CREATE INDEX alert_deliveries_by_campaign ON alert_deliveries (campaign_id, created_at DESC, delivery_id DESC);
