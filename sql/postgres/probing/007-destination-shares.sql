-- How fast one destination may be probed: what each measurement was given, and what was held back by it.
ALTER TABLE measurements ADD COLUMN share jsonb;
-- Where else a user measures now: the share is divided by it.
CREATE INDEX measurements_running_of_user ON measurements (user_hash) WHERE ended_at IS NULL;
ALTER TABLE measurement_agents ADD COLUMN held_probes bigint NOT NULL DEFAULT 0 CHECK (held_probes >= 0);
-- Agents are told which measurements are of one user by a name that is made with this, and of no use elsewhere.
ALTER TABLE platform ADD COLUMN user_name_key text NOT NULL DEFAULT gen_random_uuid()::text || gen_random_uuid()::text;
