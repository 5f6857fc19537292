-- Experiments that gateways run: each is a campaign of one run, whose only step lasts as long as it does.
ALTER TABLE campaign_steps
  DROP CONSTRAINT campaign_steps_kind_check,
  ADD CONSTRAINT campaign_steps_kind_check CHECK (kind IN ('measure', 'wait', 'compute', 'experiment'));

ALTER TABLE experiments
  -- Null = it ran elsewhere, and its journal was imported.
  ADD COLUMN campaign_id uuid UNIQUE REFERENCES campaigns ON DELETE CASCADE,
  -- How it runs: apps/probing/campaigns/experiments/begin.ts.
  ADD COLUMN settings jsonb,
  -- At the peering gateway; its secret is encrypted, and forgotten when the experiment ends.
  ADD COLUMN grant_id uuid,
  ADD COLUMN grant_jwe text;
-- Two of them would undo each other's announcements.
CREATE UNIQUE INDEX experiments_by_prefix ON experiments (prefix) WHERE campaign_id IS NOT NULL AND ended_at IS NULL;
