-- The /48s that are leased. A /48 is counted by its first 48 bits: 2001:db8:1::/48 is x20010db80001.
CREATE FUNCTION prefix_of(prefix_number bigint) RETURNS cidr IMMUTABLE LANGUAGE sql AS $$
  SELECT regexp_replace(lpad(to_hex(prefix_number), 12, '0'), '(....)(....)(....)', '\1:\2:\3::/48')::cidr
$$;

-- What the ASN pool and the prefix pool were last made from, to tell whether the configuration has changed since.
CREATE TABLE pool_sources (
  pool text PRIMARY KEY CHECK (pool IN ('asn', 'prefix')),
  digest text NOT NULL,
  loaded_at timestamptz NOT NULL DEFAULT vantage_now()
);

-- The prefix pool as it is configured, in its order: /48s that follow one another are one row, so a pool of a million
-- is as small as one of ten.
CREATE TABLE pool_runs (
  position integer PRIMARY KEY,
  first_number bigint NOT NULL UNIQUE,
  last_number bigint NOT NULL CHECK (last_number >= first_number),
  -- What is below has a row in pool_prefixes.
  next_number bigint NOT NULL CHECK (next_number BETWEEN first_number AND last_number + 1)
);
CREATE INDEX pool_runs_with_room ON pool_runs (position) WHERE next_number <= last_number;

-- Every /48 that was leased before or is soon to be: rows are made a few hundred at a time.
CREATE TABLE pool_prefixes (
  prefix_number bigint PRIMARY KEY,
  turn bigint GENERATED ALWAYS AS IDENTITY,
  in_pool boolean NOT NULL DEFAULT true,
  -- Of the last lease; null = there was none.
  last_user_hash text REFERENCES users,
  -- When the last user may have it again, and when anybody may: the end of the lease, and of its cool-down.
  free_at timestamptz NOT NULL DEFAULT '-infinity',
  held_until timestamptz NOT NULL DEFAULT '-infinity'
);
CREATE INDEX pool_prefixes_fresh ON pool_prefixes (turn) WHERE last_user_hash IS NULL AND in_pool;
CREATE INDEX pool_prefixes_used ON pool_prefixes (held_until) WHERE last_user_hash IS NOT NULL AND in_pool;
CREATE INDEX pool_prefixes_by_user ON pool_prefixes (last_user_hash, free_at) WHERE in_pool;

-- Makes rows of the next unused /48s.
CREATE FUNCTION fill_pool() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  run pool_runs;
  filled_to bigint;
  added integer := 0;
BEGIN
  WHILE added = 0 LOOP
    SELECT * INTO run FROM pool_runs WHERE next_number <= last_number ORDER BY position LIMIT 1;
    EXIT WHEN NOT FOUND;
    filled_to := least(run.last_number, run.next_number + 255);
    -- After a change of the pool the count starts again, and meets those that have rows already.
    INSERT INTO pool_prefixes (prefix_number) SELECT generate_series(run.next_number, filled_to)
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS added = ROW_COUNT;
    UPDATE pool_runs SET next_number = filled_to + 1 WHERE position = run.position;
  END LOOP;
END $$;

-- One that nobody has had, locked; null when all that have rows are taken.
CREATE FUNCTION pick_fresh() RETURNS bigint LANGUAGE sql AS $$
  SELECT prefix_number FROM pool_prefixes WHERE last_user_hash IS NULL AND in_pool
  ORDER BY turn LIMIT 1 FOR UPDATE SKIP LOCKED
$$;

-- A free /48 for the user, locked: the one of last time, else a fresh one, else the one that has been free longest.
-- Each step reads one end of an index. Null when the pool is empty.
CREATE FUNCTION pick_prefix(caller text, at timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  chosen bigint;
BEGIN
  SELECT prefix_number INTO chosen FROM pool_prefixes
  WHERE last_user_hash = caller AND in_pool AND free_at <= at
  ORDER BY free_at DESC LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF chosen IS NOT NULL THEN
    RETURN chosen;
  END IF;
  chosen := pick_fresh();
  IF chosen IS NULL AND EXISTS (SELECT FROM pool_runs WHERE next_number <= last_number) THEN
    -- Who waited here finds what another one has filled.
    PERFORM pg_advisory_xact_lock(7305870917);
    chosen := pick_fresh();
    IF chosen IS NULL THEN
      PERFORM fill_pool();
    END IF;
  END IF;
  -- Again in any case: what was filled between the first look and the question for room is seen now.
  chosen := coalesce(chosen, pick_fresh());
  IF chosen IS NULL THEN
    SELECT prefix_number INTO chosen FROM pool_prefixes
    WHERE last_user_hash IS NOT NULL AND in_pool AND held_until <= at
    ORDER BY held_until LIMIT 1 FOR UPDATE SKIP LOCKED;
  END IF;
  RETURN chosen;
END $$;
