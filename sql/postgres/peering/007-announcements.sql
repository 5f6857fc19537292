-- What users wish their client stacks to announce: docs/announcements.md. Locks, after those of leases: announcements,
-- version, feed.

CREATE TABLE announcements (
  user_hash text NOT NULL REFERENCES users ON DELETE CASCADE,
  prefix cidr NOT NULL,
  -- Name of an exchange server in the VPN; '*' = all that have no row.
  server text NOT NULL CHECK (server ~ '^([a-z0-9-]{1,100}|\*)$'),
  is_announced boolean NOT NULL,
  -- Prepends and the like, as the API takes them.
  wish jsonb NOT NULL,
  -- Ends by itself then; null = with the lease.
  until timestamptz,
  -- Of the user, since when it has been so; in nanoseconds since the epoch.
  version bigint NOT NULL,
  asked_ns bigint NOT NULL,
  PRIMARY KEY (user_hash, prefix, server)
);
CREATE INDEX announcements_by_end ON announcements (until) WHERE is_announced AND until IS NOT NULL;

-- Counts what a user's client stack must know of: it has all up to here.
CREATE TABLE announcement_versions (
  user_hash text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  version bigint NOT NULL
);

-- What the client stack said last.
CREATE TABLE announcement_reports (
  user_hash text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  version bigint NOT NULL,
  taken_ns bigint NOT NULL,
  received_at timestamptz NOT NULL,
  states jsonb NOT NULL
);

-- Changes that BGP has seen: what the budget counts. Older rows go with the next change.
CREATE TABLE announcement_changes (
  user_hash text NOT NULL REFERENCES users ON DELETE CASCADE,
  prefix cidr NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX announcement_changes_by_user ON announcement_changes (user_hash, at);

CREATE FUNCTION next_announcement_version(caller text) RETURNS bigint LANGUAGE sql AS $$
  INSERT INTO announcement_versions VALUES (caller, 1)
  ON CONFLICT (user_hash) DO UPDATE SET version = announcement_versions.version + 1 RETURNING version
$$;

CREATE FUNCTION epoch_ns(at timestamptz) RETURNS bigint IMMUTABLE LANGUAGE sql AS $$
  SELECT (extract(epoch FROM at) * 1000000)::bigint * 1000
$$;

-- Wishes end with their lease, whatever ends it.
CREATE FUNCTION forget_announcements() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM announcements WHERE user_hash = NEW.user_hash AND prefix = NEW.prefix;
  IF FOUND THEN
    PERFORM next_announcement_version(NEW.user_hash);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER leases_end_announcements AFTER UPDATE OF closed_at ON leases
FOR EACH ROW WHEN (OLD.closed_at IS NULL AND NEW.closed_at IS NOT NULL) EXECUTE FUNCTION forget_announcements();

-- Until when exchange servers may take a prefix: the end of the lease, or earlier where the wish for all servers says
-- so. '-infinity' = not at all.
CREATE FUNCTION announced_until(caller text, target cidr, lease_end timestamptz)
RETURNS timestamptz STABLE LANGUAGE sql AS $$
  SELECT CASE WHEN bool_or(server = '*')
    THEN least(lease_end, max(CASE WHEN is_announced THEN coalesce(until, lease_end) ELSE '-infinity' END))
    ELSE lease_end END
  FROM announcements WHERE user_hash = caller AND prefix = target
$$;

-- When the next change of this prefix is allowed; null = now.
CREATE FUNCTION next_announcement_at(caller text, target cidr, at timestamptz, every interval, per_hour integer)
RETURNS timestamptz STABLE LANGUAGE sql AS $$
  SELECT nullif(greatest(
    (SELECT max(c.at) + every FROM announcement_changes c WHERE user_hash = caller AND prefix = target),
    (SELECT c.at + interval '1 hour' FROM announcement_changes c WHERE user_hash = caller
      ORDER BY c.at DESC OFFSET per_hour - 1 LIMIT 1),
    at
  ), at)
$$;

-- A wish for some servers, or for all; for all, it replaces those for single ones. Withdrawing is always allowed.
CREATE FUNCTION set_announcement(
  caller text, target cidr, servers text[], announced boolean, wished jsonb, ends timestamptz,
  every interval, per_hour integer, is_check boolean,
  OUT outcome text, OUT retry_at timestamptz, OUT version bigint
) LANGUAGE plpgsql AS $$
DECLARE
  account users;
  now_at timestamptz;
  is_change boolean;
  is_other_end boolean;
BEGIN
  SELECT * INTO account FROM users WHERE user_hash = caller FOR UPDATE;
  now_at := vantage_now();
  outcome := CASE
    WHEN (live_lease(caller, target, now_at)).lease_id IS NULL THEN 'no_lease'
    WHEN account.suspended_at IS NOT NULL AND announced THEN 'suspended'
    WHEN announced AND ends <= now_at THEN 'past' END;
  IF outcome IS NOT NULL THEN
    RETURN;
  END IF;
  SELECT count(*) < cardinality(servers) INTO is_change FROM announcements a
  WHERE user_hash = caller AND prefix = target AND server = ANY (servers)
    AND a.is_announced = announced AND (a.wish = wished OR NOT announced);
  is_change := is_change OR ('*' = ANY (servers) AND EXISTS (
    SELECT FROM announcements WHERE user_hash = caller AND prefix = target AND server <> '*'));
  SELECT count(*) < cardinality(servers) INTO is_other_end FROM announcements a
  WHERE user_hash = caller AND prefix = target AND server = ANY (servers) AND a.until IS NOT DISTINCT FROM ends;
  IF is_change AND announced THEN
    retry_at := next_announcement_at(caller, target, now_at, every, per_hour);
  END IF;
  outcome := CASE WHEN retry_at IS NOT NULL THEN 'too_soon'
    WHEN is_change THEN 'changed' WHEN is_other_end THEN 'renewed' ELSE 'same' END;
  IF is_check OR outcome IN ('too_soon', 'same') THEN
    RETURN;
  END IF;
  IF '*' = ANY (servers) THEN
    DELETE FROM announcements WHERE user_hash = caller AND prefix = target AND server <> '*';
  END IF;
  INSERT INTO announcements
  SELECT caller, target, server, announced, wished, ends, 0, epoch_ns(clock_timestamp()) FROM unnest(servers) server
  ON CONFLICT (user_hash, prefix, server) DO UPDATE SET is_announced = announced, wish = wished, until = ends,
    asked_ns = excluded.asked_ns;
  version := next_announcement_version(caller);
  UPDATE announcements a SET version = set_announcement.version
  WHERE user_hash = caller AND prefix = target AND server = ANY (servers);
  IF is_change THEN
    DELETE FROM announcement_changes c
    WHERE c.user_hash = caller AND c.at < now_at - greatest(every, interval '1 hour');
    INSERT INTO announcement_changes VALUES (caller, target, now_at);
  END IF;
  PERFORM record_change('user:' || caller, CASE WHEN announced THEN 'announcement.set' ELSE 'announcement.withdraw' END,
    caller, target, jsonb_build_object('servers', servers, 'until', ends) || wished);
END $$;

-- Withdraws every leased prefix of the user everywhere; how many there were.
CREATE FUNCTION withdraw_all(caller text, actor text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  now_at timestamptz;
  targets cidr[];
  new_version bigint;
BEGIN
  PERFORM FROM users WHERE user_hash = caller FOR UPDATE;
  now_at := vantage_now();
  SELECT array_agg(prefix) INTO targets FROM (
    SELECT prefix FROM leases WHERE user_hash = caller AND closed_at IS NULL AND end_time > now_at FOR UPDATE
  ) AS live;
  IF targets IS NULL THEN
    RETURN 0;
  END IF;
  INSERT INTO announcement_changes SELECT caller, target, now_at FROM unnest(targets) target WHERE NOT EXISTS (
    SELECT FROM announcements WHERE user_hash = caller AND prefix = target AND server = '*'
      AND NOT is_announced);
  DELETE FROM announcements WHERE user_hash = caller;
  new_version := next_announcement_version(caller);
  INSERT INTO announcements
  SELECT caller, prefix, '*', false, '{}', NULL, new_version, epoch_ns(clock_timestamp()) FROM unnest(targets) prefix;
  PERFORM record_change(actor, 'announcement.withdraw', caller, prefix, '{"servers": ["*"]}')
  FROM unnest(targets) prefix;
  RETURN cardinality(targets);
END $$;

-- Ends announcements whose time has come, some at a time; how many.
CREATE FUNCTION sweep_announcements(rows_max integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  now_at timestamptz := vantage_now();
  ended announcements[];
BEGIN
  WITH due AS (
    SELECT user_hash, prefix, server FROM announcements JOIN users USING (user_hash)
    WHERE is_announced AND until <= now_at ORDER BY until LIMIT rows_max FOR UPDATE SKIP LOCKED
  ), done AS (
    UPDATE announcements a SET is_announced = false, asked_ns = epoch_ns(clock_timestamp()) FROM due
    WHERE a.user_hash = due.user_hash AND a.prefix = due.prefix AND a.server = due.server RETURNING a.*
  )
  SELECT coalesce(array_agg(done::announcements), '{}') INTO ended FROM done;
  UPDATE announcements a SET version = next.version
  FROM (SELECT user_hash, next_announcement_version(user_hash) AS version
    FROM (SELECT DISTINCT user_hash FROM unnest(ended)) AS owners) AS next
  WHERE a.user_hash = next.user_hash AND NOT is_announced AND until <= now_at
    AND (a.prefix, a.server) IN (SELECT prefix, server FROM unnest(ended) e WHERE e.user_hash = a.user_hash);
  INSERT INTO announcement_changes SELECT DISTINCT user_hash, prefix, now_at FROM unnest(ended);
  PERFORM record_change('gateway', 'announcement.end', user_hash, prefix, jsonb_build_object('servers', servers))
  FROM (SELECT user_hash, prefix, array_agg(server) AS servers FROM unnest(ended) GROUP BY user_hash, prefix) AS told;
  RETURN cardinality(ended);
END $$;
