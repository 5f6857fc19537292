-- Steps of a run besides its first measurement: what waits for a condition, what computes the next steps from results.
ALTER TABLE campaign_steps
  ADD COLUMN kind text NOT NULL DEFAULT 'measure' CHECK (kind IN ('measure', 'wait', 'compute')),
  -- Of a measurement: its probe lines; null = those of the campaign's revision.
  ADD COLUMN probes text,
  -- Of a wait its condition, of a computation its rule, and what the rule is given.
  ADD COLUMN word text,
  ADD COLUMN given jsonb,
  DROP CONSTRAINT campaign_steps_state_check,
  ADD CONSTRAINT campaign_steps_state_check
    CHECK (state IN ('later', 'due', 'spread', 'taken', 'done', 'missed', 'refused', 'dropped'));
-- What a run does, as lib/campaign/run-steps.ts has it: its first steps.
ALTER TABLE campaign_revisions
  ADD COLUMN steps jsonb NOT NULL DEFAULT '[{"kind": "measure", "agents": null, "probes": null}]';
