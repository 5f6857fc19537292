-- A user who is erased leaves no name behind. Where rows of the changes name the user, erasing, and nothing else, takes
-- the name out of them: in a transaction that says so.
DROP RULE changes_keep ON changes;
CREATE RULE changes_keep AS ON UPDATE TO changes
  WHERE current_setting('vantage.erasing', true) IS DISTINCT FROM 'yes' DO INSTEAD NOTHING;

-- A prefix whose last user was erased is nobody's, and still cools down.
CREATE OR REPLACE FUNCTION pick_fresh() RETURNS bigint LANGUAGE sql AS $$
  SELECT prefix_number FROM pool_prefixes WHERE last_user_hash IS NULL AND in_pool AND held_until <= vantage_now()
  ORDER BY turn LIMIT 1 FOR UPDATE SKIP LOCKED
$$;

-- Takes a user out of everything, with leases and ASN. Null when there is no such user; else how much there was.
CREATE FUNCTION erase_user(caller text, cool_down interval, actor text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  account users;
  lease leases;
  counts jsonb;
BEGIN
  SELECT * INTO account FROM users WHERE user_hash = caller FOR UPDATE;
  IF account.user_hash IS NULL THEN
    RETURN NULL;
  END IF;
  PERFORM pg_advisory_xact_lock(7305870916);
  FOR lease IN SELECT * FROM leases WHERE user_hash = caller AND closed_at IS NULL AND end_time > vantage_now() LOOP
    PERFORM close_lease(caller, lease.prefix, 'revoked', cool_down, actor);
  END LOOP;
  counts := jsonb_build_object(
    'leases', (SELECT count(*) FROM leases WHERE user_hash = caller),
    'changes', (SELECT count(*) FROM changes WHERE changes.user_hash = caller OR changes.actor = 'user:' || caller),
    'users', 1);
  UPDATE pool_prefixes SET last_user_hash = NULL WHERE last_user_hash = caller;
  DELETE FROM leases WHERE user_hash = caller;
  UPDATE users SET asn = NULL WHERE user_hash = caller;
  INSERT INTO asns_given_back
  SELECT account.asn FROM asn_ranges WHERE first_asn <= account.asn AND account.asn < next_asn ON CONFLICT DO NOTHING;
  PERFORM set_config('vantage.erasing', 'yes', true);
  UPDATE changes SET
    actor = CASE WHEN changes.actor = 'user:' || caller THEN 'user:erased' ELSE changes.actor END,
    user_hash = NULL, prefix = NULL, details = '{}'
  WHERE changes.user_hash = caller OR changes.actor = 'user:' || caller;
  PERFORM set_config('vantage.erasing', 'no', true);
  DELETE FROM users WHERE user_hash = caller;
  PERFORM record_change(erase_user.actor, 'user.erase', NULL, NULL, counts);
  RETURN counts;
END $$;
