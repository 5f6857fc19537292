-- Who takes part, and the numbers that they are known by in BGP.

-- An exclusion constraint compares text with <> by it.
CREATE EXTENSION btree_gist;

-- The one clock of this schema. It is read after locks have been waited for, so that what is ordered by locks is
-- ordered in time too; transactions' now() would be older. Whole milliseconds, so that a time is the same wherever it
-- is told. Tests put another function in its place.
CREATE FUNCTION vantage_now() RETURNS timestamptz STABLE LANGUAGE sql AS $$
  SELECT date_trunc('milliseconds', clock_timestamp())
$$;

CREATE TABLE users (
  -- Lower-case hex SHA-256 of the token's subject.
  user_hash text PRIMARY KEY CHECK (user_hash ~ '^[0-9a-f]{64}$'),
  -- Order of first contact.
  user_number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  -- The subject, encrypted (compact JWE): to ask the identity provider for the e-mail address, which is stored nowhere.
  subject_jwe text NOT NULL,
  -- Which key it is encrypted with.
  subject_kid text NOT NULL,
  asn bigint UNIQUE CHECK (asn BETWEEN 1 AND 4294967295),
  -- Null = the gateway's default, also below.
  leases_max integer CHECK (leases_max >= 0),
  lease_hours_max integer CHECK (lease_hours_max > 0),
  suspended_at timestamptz,
  suspended_reason text,
  created_at timestamptz NOT NULL DEFAULT vantage_now()
);
CREATE INDEX users_by_kid ON users (subject_kid);

-- The ASN pool as it is configured. What lies below next_asn is a user's, or in asns_given_back.
CREATE TABLE asn_ranges (
  first_asn bigint PRIMARY KEY,
  last_asn bigint NOT NULL CHECK (last_asn >= first_asn),
  next_asn bigint NOT NULL CHECK (next_asn BETWEEN first_asn AND last_asn + 1)
);

CREATE TABLE asns_given_back (asn bigint PRIMARY KEY);

-- The lowest free ASN of the pool; null when there is none. Callers take turns until their transactions end.
CREATE FUNCTION take_asn() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  fresh bigint;
  given_back bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(7305870916);
  SELECT min(asn) INTO given_back FROM asns_given_back;
  LOOP
    SELECT min(next_asn) INTO fresh FROM asn_ranges WHERE next_asn <= last_asn;
    IF given_back < fresh OR fresh IS NULL THEN
      DELETE FROM asns_given_back WHERE asn = given_back;
      RETURN given_back;
    END IF;
    UPDATE asn_ranges SET next_asn = fresh + 1 WHERE next_asn = fresh AND next_asn <= last_asn;
    -- After a change of the pool the count starts again, and meets those who have theirs already.
    EXIT WHEN NOT EXISTS (SELECT FROM users WHERE asn = fresh);
  END LOOP;
  RETURN fresh;
END $$;
