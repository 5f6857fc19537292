-- How people find a measurement again: what its user calls it, what its probes are about, and where it came from.
ALTER TABLE measurements ADD COLUMN name text;
ALTER TABLE measurements ADD COLUMN tags text[] NOT NULL DEFAULT '{}';
ALTER TABLE measurements ADD COLUMN note text;
-- Those that count as stored bytes.
CREATE INDEX measurements_labelled ON measurements (user_hash)
  WHERE name IS NOT NULL OR note IS NOT NULL OR tags <> '{}';

-- lib/probing/measurement-title.ts; null = it is from an earlier version.
ALTER TABLE measurements ADD COLUMN summary jsonb;
-- Prefixes that hold its destinations, once for all measurements of a user with the same ones.
ALTER TABLE measurements ADD COLUMN target_set bytea;
CREATE TABLE target_sets (
  user_hash text NOT NULL REFERENCES users ON DELETE CASCADE,
  -- SHA-256 of the list.
  target_set bytea NOT NULL CHECK (length(target_set) = 32),
  targets cidr[] NOT NULL,
  PRIMARY KEY (user_hash, target_set)
);

-- The program that submitted it, by its User-Agent: `vantage trace`, `vantage-console`, `vantage-sdk`; null = the
-- gateway itself did, for a campaign.
ALTER TABLE measurements ADD COLUMN made_by text;
-- The API token that submitted it; null = a login did, or a campaign.
ALTER TABLE measurements ADD COLUMN token_id uuid;
-- The campaign or discovery, also when that was removed; the run, and the round of a discovery.
ALTER TABLE measurements ADD COLUMN campaign_id uuid;
ALTER TABLE measurements ADD COLUMN campaign_run integer;
ALTER TABLE measurements ADD COLUMN discovery_round integer;
UPDATE measurements AS whole
SET campaign_id = step.campaign_id, campaign_run = step.run, discovery_round = (step.given->>'round')::integer
FROM campaign_steps AS step WHERE step.measurement_id = whole.measurement_id;
-- The newest run of a campaign stands for all of them in lists.
CREATE INDEX measurements_by_campaign_started ON measurements (campaign_id, started_at)
  WHERE campaign_id IS NOT NULL;
CREATE INDEX measurements_by_campaign_updated ON measurements (campaign_id, updated_at)
  WHERE campaign_id IS NOT NULL;

-- Accepts submissions, some in one statement: each charges its user's day and its token's, and makes its measurement,
-- or does nothing. What fails fails alone; a deadlock that comes about all the same fails the statement, which is then
-- tried again. Locks are taken in one order everywhere: of each user the row in users, then measurements, then days;
-- and of users in the order of their hashes.
-- outcome: accepted; refused = a quota has no room, or the user may not measure; repeated = the idempotency key belongs
-- to another measurement; failed, with the reason.
CREATE OR REPLACE FUNCTION accept_submissions(orders jsonb)
RETURNS TABLE (order_place integer, outcome text, ends_at timestamptz, reason text) LANGUAGE plpgsql AS $$
DECLARE
  asked record;
  violated text;
BEGIN
  FOR asked IN
    SELECT * FROM jsonb_to_recordset(orders) AS o (
      place integer, id uuid, user_hash text, gateway_id text, idempotency_key text, request_digest text, answer jsonb,
      probes bigint, record_probes integer, amount bigint, bytes bigint, share jsonb, destinations text,
      probes_per_day bigint, bytes_per_day bigint, bytes_of_probe bigint, interval_ms integer, records_packets boolean,
      open_ms bigint, life_ms bigint, token_id uuid, token_max bigint, parts jsonb, sources jsonb,
      name text, tags jsonb, note text, summary jsonb, target_set text, target_list jsonb, made_by text,
      campaign_id uuid, campaign_run integer, discovery_round integer)
    ORDER BY o.user_hash, o.place
  LOOP
    order_place := asked.place;
    ends_at := NULL;
    reason := NULL;
    BEGIN
      WITH own AS (
        SELECT probes_max, greatest(asked.bytes_per_day, asked.bytes_of_probe * probes_max) AS bytes_max
        FROM users, LATERAL (SELECT coalesce(probes_per_day_max, asked.probes_per_day)) AS limits (probes_max)
        WHERE user_hash = asked.user_hash AND suspended_at IS NULL
        -- Before the day, as who erases a user: its measurement and its day refer to the row.
        FOR KEY SHARE OF users
      ), charged AS (
        INSERT INTO quota_days AS quota (user_hash, day, charged, bytes, submissions, last_submitted_at)
        SELECT asked.user_hash, (now() AT TIME ZONE 'UTC')::date, asked.amount, asked.bytes, 1, now()
        FROM own WHERE probes_max >= asked.amount AND bytes_max >= asked.bytes
        ON CONFLICT (user_hash, day) DO UPDATE
        SET charged = quota.charged + excluded.charged, bytes = quota.bytes + excluded.bytes,
          submissions = quota.submissions + 1, last_submitted_at = excluded.last_submitted_at
        WHERE quota.charged - quota.credited + excluded.charged <= (SELECT probes_max FROM own)
          AND quota.bytes + excluded.bytes <= (SELECT bytes_max FROM own)
        RETURNING quota.day
      ), made AS (
        INSERT INTO measurements (
          measurement_id, user_hash, gateway_id, idempotency_key, request_digest, answer, probes, record_probes, day,
          share, destinations, interval_ms, records_packets, open_until, not_after, name, tags, note, summary,
          target_set, made_by, token_id, campaign_id, campaign_run, discovery_round)
        SELECT asked.id, asked.user_hash, asked.gateway_id, asked.idempotency_key,
          decode(asked.request_digest, 'base64'), asked.answer, asked.probes, asked.record_probes, day,
          asked.share, decode(asked.destinations, 'base64'), asked.interval_ms, asked.records_packets,
          now() + asked.open_ms * interval '1 millisecond', now() + asked.life_ms * interval '1 millisecond',
          -- An earlier version gives none of these.
          asked.name, ARRAY(SELECT jsonb_array_elements_text(coalesce(asked.tags, '[]'))), asked.note, asked.summary,
          decode(asked.target_set, 'base64'), asked.made_by, asked.token_id, asked.campaign_id, asked.campaign_run,
          asked.discovery_round
        FROM charged
        RETURNING measurement_id, not_after
      ), by_token AS (
        INSERT INTO api_token_days AS spent (token_id, day, charged, charged_max)
        SELECT asked.token_id, day, asked.amount, coalesce(asked.token_max, 9223372036854775807)
        FROM charged WHERE asked.token_id IS NOT NULL
        ON CONFLICT (token_id, day) DO UPDATE SET charged = spent.charged + excluded.charged
      ), target_set AS (
        INSERT INTO target_sets (user_hash, target_set, targets)
        SELECT asked.user_hash, decode(asked.target_set, 'base64'),
          ARRAY(SELECT jsonb_array_elements_text(asked.target_list)::cidr)
        FROM made WHERE asked.target_set IS NOT NULL
        ON CONFLICT DO NOTHING
      ), parts AS (
        INSERT INTO measurement_agents (measurement_id, agent_id, user_hash, expected_probes)
        SELECT measurement_id, agent_id, asked.user_hash, expected
        FROM made, jsonb_to_recordset(asked.parts) AS part (agent_id text, expected bigint)
      ), sources AS (
        INSERT INTO measurement_targets (measurement_id, agent_id, source_address)
        SELECT measurement_id, agent_id, source
        FROM made, jsonb_to_recordset(asked.sources) AS target (agent_id text, source inet)
      )
      SELECT not_after INTO ends_at FROM made;
      outcome := CASE WHEN ends_at IS NULL THEN 'refused' ELSE 'accepted' END;
    EXCEPTION
      WHEN unique_violation THEN
        -- Its own row, when the statement before was lost after it had been done.
        SELECT not_after INTO ends_at FROM measurements WHERE measurement_id = asked.id;
        outcome := CASE WHEN ends_at IS NULL THEN 'repeated' ELSE 'accepted' END;
      WHEN OTHERS THEN
        -- No fault of this one: others were in the way (40), or the database is read-only, full, ending or broken. All
        -- are to be tried again.
        IF left(SQLSTATE, 2) IN ('08', '25', '40', '53', '57', '58', 'XX') THEN
          RAISE;
        END IF;
        GET STACKED DIAGNOSTICS violated = CONSTRAINT_NAME, reason = MESSAGE_TEXT;
        outcome := CASE violated WHEN 'api_token_days_quota' THEN 'refused' ELSE 'failed' END;
    END;
    RETURN NEXT;
  END LOOP;
END $$;
