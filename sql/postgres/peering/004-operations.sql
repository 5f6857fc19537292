-- What users do, each in one statement: all of it happens, or nothing. Locks are always taken in this order, so nobody
-- waits in a circle: user, ASN pool, prefix pool, lease, feed.

CREATE FUNCTION assign_asn(caller text, OUT outcome text, OUT given bigint) LANGUAGE plpgsql AS $$
DECLARE
  account users;
BEGIN
  SELECT * INTO account FROM users WHERE user_hash = caller FOR UPDATE;
  given := account.asn;
  outcome := CASE
    WHEN account.user_hash IS NULL THEN 'unknown_user'
    WHEN account.suspended_at IS NOT NULL THEN 'suspended'
    WHEN given IS NOT NULL THEN 'had' END;
  IF outcome IS NOT NULL THEN
    RETURN;
  END IF;
  given := take_asn();
  IF given IS NULL THEN
    outcome := 'no_asn';
    RETURN;
  END IF;
  UPDATE users SET asn = given WHERE user_hash = caller;
  PERFORM record_change('user:' || caller, 'asn.assign', caller, NULL, jsonb_build_object('asn', given));
  outcome := 'assigned';
END $$;

-- Closes what has expired of this user and of this prefix: then it stays so even when the clock is set back.
CREATE FUNCTION close_expired(caller text, target cidr, at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  ended leases;
BEGIN
  FOR ended IN
    -- What another one has locked, it closes.
    WITH due AS (
      SELECT lease_id FROM leases
      WHERE closed_at IS NULL AND end_time <= at AND (user_hash = caller OR prefix = target)
      FOR UPDATE SKIP LOCKED
    )
    UPDATE leases SET closed_at = at, closed_as = 'expired' FROM due WHERE leases.lease_id = due.lease_id
    RETURNING leases.*
  LOOP
    PERFORM record_change('gateway', 'lease.end', ended.user_hash, ended.prefix);
  END LOOP;
END $$;

-- The order of the checks is that of the first gateway of this kind. `hours_max` = the limit that was passed.
CREATE FUNCTION grant_lease(
  caller text, hours integer, default_hours_max integer, default_leases_max integer, cool_down interval, rpki boolean,
  OUT outcome text, OUT hours_max integer, OUT given leases
) LANGUAGE plpgsql AS $$
DECLARE
  account users;
  at timestamptz;
  chosen bigint;
  new_asn bigint;
BEGIN
  SELECT * INTO account FROM users WHERE user_hash = caller FOR UPDATE;
  at := vantage_now();
  hours_max := coalesce(account.lease_hours_max, default_hours_max);
  outcome := CASE
    WHEN hours NOT BETWEEN 1 AND hours_max THEN 'bad_duration'
    WHEN account.user_hash IS NULL THEN 'unknown_user'
    WHEN account.suspended_at IS NOT NULL THEN 'suspended' END;
  IF outcome IS NOT NULL THEN
    RETURN;
  END IF;
  IF account.asn IS NULL THEN
    new_asn := take_asn();
    IF new_asn IS NULL THEN
      outcome := 'no_asn';
      RETURN;
    END IF;
    UPDATE users SET asn = new_asn WHERE user_hash = caller;
  END IF;
  IF coalesce(account.leases_max, default_leases_max) <=
    (SELECT count(*) FROM leases WHERE user_hash = caller AND closed_at IS NULL AND end_time > at)
  THEN
    outcome := 'too_many';
  ELSE
    chosen := pick_prefix(caller, at);
    outcome := CASE WHEN chosen IS NULL THEN 'no_prefix' ELSE 'granted' END;
  END IF;
  IF outcome = 'granted' THEN
    INSERT INTO leases (user_hash, prefix, start_time, end_time, held_until, rpki_enabled)
    VALUES (caller, prefix_of(chosen), at, at + make_interval(hours => hours),
      at + make_interval(hours => hours) + cool_down, rpki)
    RETURNING * INTO given;
    UPDATE pool_prefixes SET last_user_hash = caller, free_at = given.end_time, held_until = given.held_until
    WHERE prefix_number = chosen;
  END IF;
  PERFORM close_expired(caller, given.prefix, at);
  IF new_asn IS NOT NULL THEN
    PERFORM record_change('user:' || caller, 'asn.assign', caller, NULL, jsonb_build_object('asn', new_asn));
  END IF;
  IF outcome = 'granted' THEN
    PERFORM record_change('user:' || caller, 'lease.grant', caller, given.prefix,
      jsonb_build_object('end_time', given.end_time));
  END IF;
END $$;

-- The user's live lease of this prefix, locked; all null when there is none. Behind the lock on the user.
CREATE FUNCTION live_lease(caller text, target cidr, at timestamptz) RETURNS leases LANGUAGE sql AS $$
  SELECT * FROM leases WHERE user_hash = caller AND prefix = target AND closed_at IS NULL AND end_time > at
  FOR UPDATE
$$;

-- The number of a /48: 0 for what is none, which is in no pool.
CREATE FUNCTION number_of(target cidr) RETURNS bigint IMMUTABLE LANGUAGE sql AS $$
  SELECT CASE WHEN family(target) = 6 AND masklen(target) = 48
    THEN ('x' || lpad(substr(encode(inet_send(target), 'hex'), 9, 12), 16, '0'))::bit(64)::bigint ELSE 0 END
$$;

-- The new end is counted from now, so a lease may also be made shorter.
CREATE FUNCTION renew_lease(
  caller text, target cidr, hours integer, default_hours_max integer, cool_down interval,
  OUT outcome text, OUT hours_max integer, OUT given leases
) LANGUAGE plpgsql AS $$
DECLARE
  account users;
  at timestamptz;
  ends timestamptz;
BEGIN
  SELECT * INTO account FROM users WHERE user_hash = caller FOR UPDATE;
  at := vantage_now();
  hours_max := coalesce(account.lease_hours_max, default_hours_max);
  IF hours NOT BETWEEN 1 AND hours_max THEN
    outcome := 'bad_duration';
    RETURN;
  END IF;
  given := live_lease(caller, target, at);
  outcome := CASE
    WHEN given.lease_id IS NULL THEN 'no_lease'
    WHEN account.suspended_at IS NOT NULL THEN 'suspended'
    ELSE 'renewed' END;
  IF outcome <> 'renewed' THEN
    RETURN;
  END IF;
  ends := greatest(given.start_time, at) + make_interval(hours => hours);
  UPDATE leases SET end_time = ends, held_until = ends + cool_down, warned_at = NULL
  WHERE lease_id = given.lease_id RETURNING * INTO given;
  UPDATE pool_prefixes SET free_at = ends, held_until = given.held_until WHERE prefix_number = number_of(target);
  PERFORM record_change('user:' || caller, 'lease.renew', caller, target, jsonb_build_object('end_time', ends));
END $$;

-- `closing` = 'released' by the user or 'revoked' by an admin. False when there is no such live lease.
CREATE FUNCTION close_lease(caller text, target cidr, closing text, cool_down interval, actor text)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  lease leases;
  at timestamptz;
  ends timestamptz;
BEGIN
  PERFORM FROM users WHERE user_hash = caller FOR UPDATE;
  at := vantage_now();
  lease := live_lease(caller, target, at);
  IF lease.lease_id IS NULL THEN
    RETURN false;
  END IF;
  -- The clock may have been set back since it began.
  ends := greatest(lease.start_time, at);
  UPDATE leases SET end_time = ends, held_until = ends + cool_down, closed_at = at, closed_as = closing
  WHERE lease_id = lease.lease_id;
  UPDATE pool_prefixes SET free_at = ends, held_until = ends + cool_down WHERE prefix_number = number_of(target);
  PERFORM record_change(
    actor, CASE closing WHEN 'released' THEN 'lease.release' ELSE 'lease.revoke' END, caller, target);
  RETURN true;
END $$;

CREATE FUNCTION set_lease_rpki(caller text, target cidr, enabled boolean) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  lease leases;
BEGIN
  PERFORM FROM users WHERE user_hash = caller FOR UPDATE;
  lease := live_lease(caller, target, vantage_now());
  IF lease.lease_id IS NULL THEN
    RETURN 'no_lease';
  END IF;
  IF lease.rpki_enabled = enabled THEN
    RETURN 'same';
  END IF;
  UPDATE leases SET rpki_enabled = enabled WHERE lease_id = lease.lease_id;
  PERFORM record_change('user:' || caller, 'lease.rpki', caller, target, jsonb_build_object('enabled', enabled));
  RETURN 'changed';
END $$;

-- Closes expired leases and tells of those that end within `soon`, some at a time; how many. Any gateway may do it.
CREATE FUNCTION sweep_leases(soon interval, leases_max integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  at timestamptz := vantage_now();
  lease leases;
  swept integer := 0;
BEGIN
  FOR lease IN
    WITH due AS (
      SELECT lease_id FROM leases WHERE closed_at IS NULL AND end_time <= at
      ORDER BY end_time LIMIT leases_max FOR UPDATE SKIP LOCKED
    )
    UPDATE leases SET closed_at = at, closed_as = 'expired' FROM due WHERE leases.lease_id = due.lease_id
    RETURNING leases.*
  LOOP
    PERFORM record_change('gateway', 'lease.end', lease.user_hash, lease.prefix);
    swept := swept + 1;
  END LOOP;
  FOR lease IN
    WITH due AS (
      SELECT lease_id FROM leases
      WHERE closed_at IS NULL AND warned_at IS NULL AND end_time > at AND end_time <= at + soon
      ORDER BY end_time LIMIT leases_max FOR UPDATE SKIP LOCKED
    )
    UPDATE leases SET warned_at = at FROM due WHERE leases.lease_id = due.lease_id
    RETURNING leases.*
  LOOP
    PERFORM record_change('gateway', 'lease.ends_soon', lease.user_hash, lease.prefix,
      jsonb_build_object('end_time', lease.end_time));
    swept := swept + 1;
  END LOOP;
  RETURN swept;
END $$;
