-- What a user lets another program, such as a probing gateway, do with some prefixes: docs/announce/announcements.md.
CREATE TABLE grants (
  grant_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- SHA-256 of the secret, which is shown once.
  grant_hash bytea NOT NULL UNIQUE,
  user_hash text NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  prefixes cidr[] NOT NULL,
  -- Attributes that its announcements may have, and `lease`: renewing leases. Plain announcements need none.
  kinds text[] NOT NULL,
  changes_max integer NOT NULL CHECK (changes_max > 0),
  changes integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT vantage_now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  last_used_at timestamptz
);
CREATE INDEX grants_by_user ON grants (user_hash, created_at DESC, grant_id DESC);

-- The number of a prefix's last request: one with a lower number is a repetition from the past.
CREATE TABLE grant_changes (
  grant_id uuid NOT NULL REFERENCES grants ON DELETE CASCADE,
  prefix cidr NOT NULL,
  number bigint NOT NULL,
  PRIMARY KEY (grant_id, prefix)
);

-- As before; while a grant is used, the change is the grant's, on behalf of its user.
CREATE OR REPLACE FUNCTION record_change(
  actor text, action text, user_hash text DEFAULT NULL, prefix cidr DEFAULT NULL, details jsonb DEFAULT '{}'
) RETURNS bigint LANGUAGE sql AS $$
  WITH taken AS (UPDATE feed SET last_number = last_number + 1 RETURNING last_number)
  INSERT INTO changes SELECT last_number, vantage_now(),
    coalesce('grant:' || nullif(current_setting('vantage.grant', true), ''), $1), $2, $3, $4, $5
  FROM taken RETURNING change_number
$$;

-- The grant, locked behind its user; all null when there is none.
CREATE FUNCTION locked_grant(wanted uuid) RETURNS grants LANGUAGE plpgsql AS $$
DECLARE
  held grants;
BEGIN
  PERFORM FROM users WHERE user_hash = (SELECT user_hash FROM grants WHERE grant_id = wanted) FOR UPDATE;
  SELECT * INTO held FROM grants WHERE grant_id = wanted FOR UPDATE;
  RETURN held;
END $$;

-- Null if it is live.
CREATE FUNCTION grant_fault(held grants) RETURNS text LANGUAGE sql AS $$
  SELECT CASE
    WHEN held.grant_id IS NULL OR held.revoked_at IS NOT NULL THEN 'grant_revoked'
    WHEN held.expires_at <= vantage_now() THEN 'grant_expired' END
$$;

-- As set_announcements, within a grant: no announcement outlives it. A change that announces is counted, a withdrawal
-- and a renewal are not.
CREATE FUNCTION set_announcements_by(
  wanted uuid, change_number bigint, wishes jsonb, every interval, per_hour integer, servers_max integer,
  OUT outcome text, OUT refused cidr, OUT retry_at timestamptz, OUT version bigint, OUT why text
) LANGUAGE plpgsql AS $$
DECLARE
  held grants;
  told jsonb;
  is_announced boolean;
BEGIN
  held := locked_grant(wanted);
  outcome := grant_fault(held);
  IF outcome IS NOT NULL THEN
    RETURN;
  END IF;
  SELECT w.prefix INTO refused FROM wished_rows(wishes) w WHERE w.prefix <> ALL (held.prefixes) LIMIT 1;
  IF refused IS NOT NULL THEN
    outcome := 'grant_prefix';
    RETURN;
  END IF;
  SELECT kind INTO why FROM wished_rows(wishes) w, jsonb_each(w.wish) AS given (kind, value)
  WHERE w.is_announced AND kind <> ALL (held.kinds) AND (kind, value) <> ('prepend', '0'::jsonb) LIMIT 1;
  IF why IS NOT NULL THEN
    outcome := 'grant_kind';
    RETURN;
  END IF;
  SELECT c.prefix, c.number INTO refused, version FROM grant_changes c
  WHERE c.grant_id = wanted AND c.number > change_number
    AND c.prefix IN (SELECT w.prefix FROM wished_rows(wishes) w) LIMIT 1;
  IF refused IS NOT NULL THEN
    outcome := 'grant_replay';
    RETURN;
  END IF;
  SELECT bool_or((one->>'announce')::boolean),
    jsonb_agg(CASE WHEN (one->>'announce')::boolean
      THEN one || jsonb_build_object('until', least((one->>'until')::timestamptz, held.expires_at))
      ELSE one END ORDER BY place)
  INTO is_announced, told FROM jsonb_array_elements(wishes) WITH ORDINALITY AS listed (one, place);
  SELECT s.* INTO outcome, refused, retry_at, version, why
  FROM set_announcements(held.user_hash, told, every, per_hour, servers_max, true) s;
  IF outcome = 'changed' AND is_announced AND held.changes >= held.changes_max THEN
    outcome := 'grant_used_up';
    RETURN;
  END IF;
  IF outcome IN ('changed', 'renewed') THEN
    PERFORM set_config('vantage.grant', wanted::text, true);
    SELECT s.* INTO outcome, refused, retry_at, version, why
    FROM set_announcements(held.user_hash, told, every, per_hour, servers_max, false) s;
    PERFORM set_config('vantage.grant', '', true);
  END IF;
  IF outcome IN ('changed', 'renewed', 'same') THEN
    UPDATE grants SET last_used_at = vantage_now(),
      changes = changes + CASE WHEN set_announcements_by.outcome = 'changed' AND is_announced THEN 1 ELSE 0 END
    WHERE grant_id = wanted;
    INSERT INTO grant_changes SELECT DISTINCT wanted, w.prefix, change_number FROM wished_rows(wishes) w
    ON CONFLICT (grant_id, prefix) DO UPDATE SET number = excluded.number;
  END IF;
END $$;

-- As renew_lease, within a grant: to the first whole hour behind its end, and never to an earlier end.
CREATE FUNCTION renew_lease_by(
  wanted uuid, target cidr, hours integer, default_hours_max integer, cool_down interval,
  OUT outcome text, OUT hours_max integer, OUT given leases
) LANGUAGE plpgsql AS $$
DECLARE
  held grants;
  at timestamptz;
BEGIN
  held := locked_grant(wanted);
  at := vantage_now();
  outcome := coalesce(grant_fault(held), CASE
    WHEN target <> ALL (held.prefixes) THEN 'grant_prefix'
    WHEN NOT 'lease' = ANY (held.kinds) THEN 'grant_kind'
    WHEN make_interval(hours => hours) >= held.expires_at - at + interval '1 hour' THEN 'grant_lease' END);
  IF outcome IS NOT NULL THEN
    RETURN;
  END IF;
  given := live_lease(held.user_hash, target, at);
  IF given.end_time >= at + make_interval(hours => hours) THEN
    outcome := 'renewed';
    RETURN;
  END IF;
  PERFORM set_config('vantage.grant', wanted::text, true);
  SELECT r.outcome, r.hours_max INTO outcome, hours_max
  FROM renew_lease(held.user_hash, target, hours, default_hours_max, cool_down) r;
  PERFORM set_config('vantage.grant', '', true);
  given := live_lease(held.user_hash, target, at);
  UPDATE grants SET last_used_at = at WHERE grant_id = wanted;
END $$;
