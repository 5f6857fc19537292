-- Rights of the user and the stop of all announcements are read where a wish is stored, not before.
DROP FUNCTION set_announcements(text, jsonb, interval, integer, integer, boolean);

-- All wishes or none: one change of each prefix that is not as it was. A wish for all servers replaces those for
-- single ones that are not given with it. Withdrawing is always allowed. `refused` = the prefix that stands against
-- it, `why` = the right that is missing (not_granted), or the operator's reason (stopped). What operators say is read
-- under a lock that they need to say otherwise: when they have their answer, nothing is stored that they have
-- forbidden.
CREATE FUNCTION set_announcements(
  caller text, wishes jsonb, every interval, per_hour integer, servers_max integer, is_check boolean,
  OUT outcome text, OUT refused cidr, OUT retry_at timestamptz, OUT version bigint, OUT why text
) LANGUAGE plpgsql AS $$
DECLARE
  account users;
  now_at timestamptz;
  target cidr;
  is_for_all boolean;
  is_change boolean;
  is_counted boolean;
  touched integer;
  places bigint[] := '{}';
  told bigint[];
BEGIN
  SELECT * INTO account FROM users WHERE user_hash = caller FOR UPDATE;
  now_at := vantage_now();
  SELECT named INTO why FROM (VALUES
    (1, 'poison', account.may_poison), (2, 'blackhole', account.may_blackhole)) AS rights (place, named, is_given)
  WHERE is_given IS NOT TRUE AND EXISTS (SELECT FROM wished_rows(wishes) w WHERE w.wish ? named)
  ORDER BY place LIMIT 1;
  IF why IS NOT NULL THEN
    outcome := 'not_granted';
    RETURN;
  END IF;
  IF EXISTS (SELECT FROM wished_rows(wishes) w WHERE w.is_announced) THEN
    SELECT stopped_reason INTO why FROM announcement_stop FOR SHARE;
    IF why IS NOT NULL THEN
      outcome := 'stopped';
      RETURN;
    END IF;
  END IF;
  FOR target IN SELECT DISTINCT w.prefix FROM wished_rows(wishes) w ORDER BY w.prefix LOOP
    IF (live_lease(caller, target, now_at)).lease_id IS NULL THEN
      outcome := 'no_lease';
      refused := target;
      RETURN;
    END IF;
  END LOOP;
  SELECT CASE
    WHEN account.suspended_at IS NOT NULL AND bool_or(w.is_announced) THEN 'suspended'
    WHEN bool_or(w.is_announced AND w.until <= now_at) THEN 'past' END
  INTO outcome FROM wished_rows(wishes) w;
  IF outcome IS NOT NULL THEN
    RETURN;
  END IF;
  FOR target, is_for_all IN
    SELECT w.prefix, bool_or(w.server = '*') FROM wished_rows(wishes) w GROUP BY w.prefix ORDER BY w.prefix
  LOOP
    SELECT coalesce(array_agg(DISTINCT w.place), '{}'), coalesce(bool_or(w.is_announced), false)
    INTO told, is_counted
    FROM wished_rows(wishes) w
    LEFT JOIN announcements a ON a.user_hash = caller AND a.prefix = w.prefix AND a.server = w.server
    WHERE w.prefix = target AND (a.server IS NULL OR a.is_announced <> w.is_announced
      OR (w.is_announced AND a.wish <> w.wish));
    IF is_for_all AND EXISTS (
      SELECT FROM announcements a WHERE a.user_hash = caller AND a.prefix = target AND a.server NOT IN (
        SELECT w.server FROM wished_rows(wishes) w WHERE w.prefix = target))
    THEN
      SELECT told || w.place, is_counted OR w.is_announced INTO told, is_counted
      FROM wished_rows(wishes) w WHERE w.prefix = target AND w.server = '*';
    END IF;
    is_change := cardinality(told) > 0;
    places := places || told;
    IF is_change AND is_counted THEN
      retry_at := next_announcement_at(caller, target, now_at, every, per_hour);
    END IF;
    outcome := CASE WHEN retry_at IS NOT NULL THEN 'too_soon'
      WHEN servers_max < (
        SELECT count(*) FROM (
          SELECT w.server FROM wished_rows(wishes) w WHERE w.prefix = target
          UNION SELECT a.server FROM announcements a
            WHERE a.user_hash = caller AND a.prefix = target AND NOT is_for_all) AS named) THEN 'too_many_servers' END;
    IF outcome IS NOT NULL THEN
      refused := target;
      -- Undoes what was counted for other prefixes.
      RAISE EXCEPTION USING ERRCODE = 'VT001';
    END IF;
    IF is_change THEN
      DELETE FROM announcement_changes c
      WHERE c.user_hash = caller AND c.at < now_at - greatest(every, interval '1 hour');
      INSERT INTO announcement_changes VALUES (caller, target, now_at);
    END IF;
  END LOOP;
  DELETE FROM announcements a USING wished_rows(wishes) w
  WHERE a.user_hash = caller AND a.prefix = w.prefix AND w.server = '*' AND a.server NOT IN (
    SELECT o.server FROM wished_rows(wishes) o WHERE o.prefix = a.prefix);
  INSERT INTO announcements AS a
  SELECT caller, w.prefix, w.server, w.is_announced, w.wish, w.until, 0, epoch_ns(clock_timestamp())
  FROM wished_rows(wishes) w
  ON CONFLICT (user_hash, prefix, server) DO UPDATE SET is_announced = excluded.is_announced, wish = excluded.wish,
    until = excluded.until, version = 0, asked_ns = excluded.asked_ns
  WHERE (a.is_announced, a.until) IS DISTINCT FROM (excluded.is_announced, excluded.until)
    OR (excluded.is_announced AND a.wish <> excluded.wish);
  GET DIAGNOSTICS touched = ROW_COUNT;
  outcome := CASE WHEN cardinality(places) > 0 THEN 'changed' WHEN touched > 0 THEN 'renewed' ELSE 'same' END;
  IF is_check OR outcome = 'same' THEN
    RAISE EXCEPTION USING ERRCODE = 'VT001';
  END IF;
  version := next_announcement_version(caller);
  UPDATE announcements a SET version = set_announcements.version WHERE a.user_hash = caller AND a.version = 0;
  IF outcome = 'renewed' THEN
    PERFORM record_renewal(caller);
  END IF;
  PERFORM record_change('user:' || caller,
    CASE WHEN (given->>'announce')::boolean THEN 'announcement.set' ELSE 'announcement.withdraw' END,
    caller, (given->>'prefix')::cidr,
    jsonb_build_object('servers', given->'servers', 'until', given->'until') || (given->'wish'))
  FROM jsonb_array_elements(wishes) WITH ORDINALITY AS listed (given, place) WHERE place = ANY (places);
EXCEPTION WHEN SQLSTATE 'VT001' THEN
  RETURN;
END $$;
