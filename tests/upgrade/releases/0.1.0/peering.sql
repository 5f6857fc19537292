--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: btree_gist; Type: EXTENSION; Schema: -; Owner: -
--

CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA public;


--
-- Name: EXTENSION btree_gist; Type: COMMENT; Schema: -; Owner: -
--

COMMENT ON EXTENSION btree_gist IS 'support for indexing common datatypes in GiST';


--
-- Name: assign_asn(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.assign_asn(caller text, OUT outcome text, OUT given bigint) RETURNS record
    LANGUAGE plpgsql
    AS $$
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


--
-- Name: close_expired(text, cidr, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.close_expired(caller text, target cidr, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
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


--
-- Name: close_lease(text, cidr, text, interval, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.close_lease(caller text, target cidr, closing text, cool_down interval, actor text) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
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


--
-- Name: fill_pool(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.fill_pool() RETURNS void
    LANGUAGE plpgsql
    AS $$
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


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: leases; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.leases (
    lease_id bigint NOT NULL,
    user_hash text NOT NULL,
    prefix cidr NOT NULL,
    start_time timestamp with time zone NOT NULL,
    end_time timestamp with time zone NOT NULL,
    held_until timestamp with time zone NOT NULL,
    rpki_enabled boolean NOT NULL,
    warned_at timestamp with time zone,
    closed_at timestamp with time zone,
    closed_as text,
    CONSTRAINT leases_check CHECK ((end_time >= start_time)),
    CONSTRAINT leases_check1 CHECK ((held_until >= end_time)),
    CONSTRAINT leases_check2 CHECK (((closed_at IS NULL) = (closed_as IS NULL))),
    CONSTRAINT leases_closed_as_check CHECK ((closed_as = ANY (ARRAY['expired'::text, 'released'::text, 'revoked'::text]))),
    CONSTRAINT leases_prefix_check CHECK (((family((prefix)::inet) = 6) AND (masklen((prefix)::inet) = 48)))
);


--
-- Name: grant_lease(text, integer, integer, integer, interval, boolean); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.grant_lease(caller text, hours integer, default_hours_max integer, default_leases_max integer, cool_down interval, rpki boolean, OUT outcome text, OUT hours_max integer, OUT given public.leases) RETURNS record
    LANGUAGE plpgsql
    AS $$
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


--
-- Name: live_lease(text, cidr, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.live_lease(caller text, target cidr, at timestamp with time zone) RETURNS public.leases
    LANGUAGE sql
    AS $$
  SELECT * FROM leases WHERE user_hash = caller AND prefix = target AND closed_at IS NULL AND end_time > at
  FOR UPDATE
$$;


--
-- Name: number_of(cidr); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.number_of(target cidr) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT CASE WHEN family(target) = 6 AND masklen(target) = 48
    THEN ('x' || lpad(substr(encode(inet_send(target), 'hex'), 9, 12), 16, '0'))::bit(64)::bigint ELSE 0 END
$$;


--
-- Name: pick_fresh(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.pick_fresh() RETURNS bigint
    LANGUAGE sql
    AS $$
  SELECT prefix_number FROM pool_prefixes WHERE last_user_hash IS NULL AND in_pool
  ORDER BY turn LIMIT 1 FOR UPDATE SKIP LOCKED
$$;


--
-- Name: pick_prefix(text, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.pick_prefix(caller text, at timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
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


--
-- Name: prefix_of(bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.prefix_of(prefix_number bigint) RETURNS cidr
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT regexp_replace(lpad(to_hex(prefix_number), 12, '0'), '(....)(....)(....)', '\1:\2:\3::/48')::cidr
$$;


--
-- Name: record_change(text, text, text, cidr, jsonb); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.record_change(actor text, action text, user_hash text DEFAULT NULL::text, prefix cidr DEFAULT NULL::cidr, details jsonb DEFAULT '{}'::jsonb) RETURNS bigint
    LANGUAGE sql
    AS $_$
  WITH taken AS (UPDATE feed SET last_number = last_number + 1 RETURNING last_number)
  INSERT INTO changes SELECT last_number, vantage_now(), $1, $2, $3, $4, $5 FROM taken RETURNING change_number
$_$;


--
-- Name: renew_lease(text, cidr, integer, integer, interval); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.renew_lease(caller text, target cidr, hours integer, default_hours_max integer, cool_down interval, OUT outcome text, OUT hours_max integer, OUT given public.leases) RETURNS record
    LANGUAGE plpgsql
    AS $$
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


--
-- Name: set_lease_rpki(text, cidr, boolean); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.set_lease_rpki(caller text, target cidr, enabled boolean) RETURNS text
    LANGUAGE plpgsql
    AS $$
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


--
-- Name: sweep_leases(interval, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.sweep_leases(soon interval, leases_max integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
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


--
-- Name: take_asn(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.take_asn() RETURNS bigint
    LANGUAGE plpgsql
    AS $$
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


--
-- Name: vantage_now(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.vantage_now() RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $$
  SELECT date_trunc('milliseconds', clock_timestamp())
$$;


--
-- Name: asn_ranges; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.asn_ranges (
    first_asn bigint NOT NULL,
    last_asn bigint NOT NULL,
    next_asn bigint NOT NULL,
    CONSTRAINT asn_ranges_check CHECK ((last_asn >= first_asn)),
    CONSTRAINT asn_ranges_check1 CHECK (((next_asn >= first_asn) AND (next_asn <= (last_asn + 1))))
);


--
-- Name: asns_given_back; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.asns_given_back (
    asn bigint NOT NULL
);


--
-- Name: changes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.changes (
    change_number bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    user_hash text,
    prefix cidr,
    details jsonb DEFAULT '{}'::jsonb NOT NULL
);


--
-- Name: feed; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.feed (
    is_only boolean DEFAULT true NOT NULL,
    last_number bigint DEFAULT 0 NOT NULL,
    CONSTRAINT feed_is_only_check CHECK (is_only)
);


--
-- Name: leases_lease_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.leases ALTER COLUMN lease_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.leases_lease_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: pool_prefixes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pool_prefixes (
    prefix_number bigint NOT NULL,
    turn bigint NOT NULL,
    in_pool boolean DEFAULT true NOT NULL,
    last_user_hash text,
    free_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    held_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL
);


--
-- Name: pool_prefixes_turn_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.pool_prefixes ALTER COLUMN turn ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.pool_prefixes_turn_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: pool_runs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pool_runs (
    "position" integer NOT NULL,
    first_number bigint NOT NULL,
    last_number bigint NOT NULL,
    next_number bigint NOT NULL,
    CONSTRAINT pool_runs_check CHECK ((last_number >= first_number)),
    CONSTRAINT pool_runs_check1 CHECK (((next_number >= first_number) AND (next_number <= (last_number + 1))))
);


--
-- Name: pool_sources; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pool_sources (
    pool text NOT NULL,
    digest text NOT NULL,
    loaded_at timestamp with time zone DEFAULT public.vantage_now() NOT NULL,
    CONSTRAINT pool_sources_pool_check CHECK ((pool = ANY (ARRAY['asn'::text, 'prefix'::text])))
);


--
-- Name: schema_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.schema_migrations (
    number integer NOT NULL,
    service text NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT schema_migrations_number_check CHECK ((number > 0))
);


--
-- Name: service_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.service_keys (
    key_hash bytea NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT public.vantage_now() NOT NULL,
    revoked_at timestamp with time zone
);


--
-- Name: users; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.users (
    user_hash text NOT NULL,
    user_number bigint NOT NULL,
    subject_jwe text NOT NULL,
    subject_kid text NOT NULL,
    asn bigint,
    leases_max integer,
    lease_hours_max integer,
    suspended_at timestamp with time zone,
    suspended_reason text,
    created_at timestamp with time zone DEFAULT public.vantage_now() NOT NULL,
    CONSTRAINT users_asn_check CHECK (((asn >= 1) AND (asn <= '4294967295'::bigint))),
    CONSTRAINT users_lease_hours_max_check CHECK ((lease_hours_max > 0)),
    CONSTRAINT users_leases_max_check CHECK ((leases_max >= 0)),
    CONSTRAINT users_user_hash_check CHECK ((user_hash ~ '^[0-9a-f]{64}$'::text))
);


--
-- Name: users_user_number_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.users ALTER COLUMN user_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.users_user_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Data for Name: asn_ranges; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.asn_ranges (first_asn, last_asn, next_asn) FROM stdin;
65000	65999	65003
\.


--
-- Data for Name: asns_given_back; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.asns_given_back (asn) FROM stdin;
\.


--
-- Data for Name: changes; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.changes (change_number, at, actor, action, user_hash, prefix, details) FROM stdin;
1	2026-11-21 15:45:32.75+00	gateway	pool.load	\N	\N	{"pool": "asn", "digest": "a3b0b0ae0f703d375b24355fc95197e1377410315eb2b53c8c536c34558e55e0"}
2	2026-11-21 15:45:32.761+00	gateway	pool.load	\N	\N	{"pool": "prefix", "digest": "d4bc30491441acde7fbab0863272a0fb197c43c6ad80fecad29a7cb026c22f96"}
3	2026-11-21 15:45:32.816+00	user:55579b557896d0ce1764c47fed644f9b35f58bad620674af23f356d80ed0c503	asn.assign	55579b557896d0ce1764c47fed644f9b35f58bad620674af23f356d80ed0c503	\N	{"asn": 65000}
4	2026-11-21 15:45:32.816+00	user:55579b557896d0ce1764c47fed644f9b35f58bad620674af23f356d80ed0c503	lease.grant	55579b557896d0ce1764c47fed644f9b35f58bad620674af23f356d80ed0c503	2001:db8:1::/48	{"end_time": "2026-11-21T17:45:32.796+00:00"}
5	2026-11-21 15:45:32.824+00	user:55579b557896d0ce1764c47fed644f9b35f58bad620674af23f356d80ed0c503	lease.release	55579b557896d0ce1764c47fed644f9b35f58bad620674af23f356d80ed0c503	2001:db8:1::/48	{}
6	2026-11-21 15:45:32.84+00	user:6700869c8ff7480e34a70a708b028700dbaa3a033b5652b903afe89f49a31456	asn.assign	6700869c8ff7480e34a70a708b028700dbaa3a033b5652b903afe89f49a31456	\N	{"asn": 65001}
7	2026-11-21 15:45:32.84+00	user:6700869c8ff7480e34a70a708b028700dbaa3a033b5652b903afe89f49a31456	lease.grant	6700869c8ff7480e34a70a708b028700dbaa3a033b5652b903afe89f49a31456	2001:db8:2::/48	{"end_time": "2026-11-22T15:45:32.839+00:00"}
8	2026-11-21 15:45:32.849+00	user:8813d406421e0063ef8ec81fc45170338b4cfd9547ee1ab157b90b46bcb6e2a7	asn.assign	8813d406421e0063ef8ec81fc45170338b4cfd9547ee1ab157b90b46bcb6e2a7	\N	{"asn": 65002}
9	2026-11-21 15:45:32.869+00	admin	user.suspend	8813d406421e0063ef8ec81fc45170338b4cfd9547ee1ab157b90b46bcb6e2a7	\N	{"reason": "asked to"}
10	2026-11-21 15:45:32.872+00	admin	service_key.add	\N	\N	{"name": "exchange-1"}
\.


--
-- Data for Name: feed; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.feed (is_only, last_number) FROM stdin;
t	10
\.


--
-- Data for Name: leases; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.leases (lease_id, user_hash, prefix, start_time, end_time, held_until, rpki_enabled, warned_at, closed_at, closed_as) FROM stdin;
1	55579b557896d0ce1764c47fed644f9b35f58bad620674af23f356d80ed0c503	2001:db8:1::/48	2026-11-21 15:45:32.796+00	2026-11-21 15:45:32.823+00	2026-11-21 16:45:32.823+00	t	\N	2026-11-21 15:45:32.823+00	released
2	6700869c8ff7480e34a70a708b028700dbaa3a033b5652b903afe89f49a31456	2001:db8:2::/48	2026-11-21 15:45:32.839+00	2026-11-22 15:45:32.839+00	2026-11-22 16:45:32.839+00	t	\N	\N	\N
\.


--
-- Data for Name: pool_prefixes; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.pool_prefixes (prefix_number, turn, in_pool, last_user_hash, free_at, held_until) FROM stdin;
35188897218561	1	t	55579b557896d0ce1764c47fed644f9b35f58bad620674af23f356d80ed0c503	2026-11-21 15:45:32.823+00	2026-11-21 16:45:32.823+00
35188897218562	2	t	6700869c8ff7480e34a70a708b028700dbaa3a033b5652b903afe89f49a31456	2026-11-22 15:45:32.839+00	2026-11-22 16:45:32.839+00
\.


--
-- Data for Name: pool_runs; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.pool_runs ("position", first_number, last_number, next_number) FROM stdin;
1	35188897218816	35188897219071	35188897218816
0	35188897218561	35188897218562	35188897218563
\.


--
-- Data for Name: pool_sources; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.pool_sources (pool, digest, loaded_at) FROM stdin;
asn	a3b0b0ae0f703d375b24355fc95197e1377410315eb2b53c8c536c34558e55e0	2026-11-21 15:45:32.749+00
prefix	d4bc30491441acde7fbab0863272a0fb197c43c6ad80fecad29a7cb026c22f96	2026-11-21 15:45:32.76+00
\.


--
-- Data for Name: schema_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_migrations (number, service, name, checksum, applied_at) FROM stdin;
1	peering	users	3280cbd004307211f15b79d75ba426623083d678e95ccf04cbcd4a17ea6bd310	2026-11-21 15:45:32.613463+00
2	peering	pool	1f45716549b94b6b8e82fe4818201282a89479aa6033cac0097595acae4f3c0c	2026-11-21 15:45:32.698241+00
3	peering	leases	0510e7e64f123281df7d5cc976f3c195a959c68f25e8804419bc8f43404a47bc	2026-11-21 15:45:32.715098+00
4	peering	operations	8c70994af179f5b956983e6e2f109b419f71d085917666b928fee5183e6e22f6	2026-11-21 15:45:32.724252+00
5	peering	service keys	cb5c93673d1d6320153a926e378bc4a346d980467551527a82b912dd780c8a4a	2026-11-21 15:45:32.730405+00
\.


--
-- Data for Name: service_keys; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.service_keys (key_hash, name, created_at, revoked_at) FROM stdin;
\\x219c20fb76f0d57f3db5e1d7456d2832e827e9c7528159d08f79960c97daf2e7	exchange-1	2026-11-21 15:45:32.871+00	\N
\.


--
-- Data for Name: users; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.users (user_hash, user_number, subject_jwe, subject_kid, asn, leases_max, lease_hours_max, suspended_at, suspended_reason, created_at) FROM stdin;
55579b557896d0ce1764c47fed644f9b35f58bad620674af23f356d80ed0c503	1	eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiZmlyc3QifQ..ZlTbvHW1g_nZHKsn.EZv1lw.7OAUXajaWxIbSjjezUfbuA	first	65000	\N	\N	\N	\N	2026-11-21 15:45:32.794+00
6700869c8ff7480e34a70a708b028700dbaa3a033b5652b903afe89f49a31456	2	eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiZmlyc3QifQ..AbDKLZPdgIHmpVju.m8oD.6P0mDJZ3AtpfSg4Hqd--jg	first	65001	\N	\N	\N	\N	2026-11-21 15:45:32.837+00
8813d406421e0063ef8ec81fc45170338b4cfd9547ee1ab157b90b46bcb6e2a7	3	eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiZmlyc3QifQ..79PeOEMxbXOI4O_x.aZEIfVQ.SXYeaec5p_ri2fSWv38tsQ	first	65002	\N	\N	2026-11-21 15:45:32.855+00	asked to	2026-11-21 15:45:32.847+00
\.


--
-- Name: leases_lease_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.leases_lease_id_seq', 2, true);


--
-- Name: pool_prefixes_turn_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.pool_prefixes_turn_seq', 2, true);


--
-- Name: users_user_number_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.users_user_number_seq', 3, true);


--
-- Name: asn_ranges asn_ranges_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.asn_ranges
    ADD CONSTRAINT asn_ranges_pkey PRIMARY KEY (first_asn);


--
-- Name: asns_given_back asns_given_back_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.asns_given_back
    ADD CONSTRAINT asns_given_back_pkey PRIMARY KEY (asn);


--
-- Name: changes changes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_pkey PRIMARY KEY (change_number);


--
-- Name: feed feed_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.feed
    ADD CONSTRAINT feed_pkey PRIMARY KEY (is_only);


--
-- Name: leases leases_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (lease_id);


--
-- Name: leases leases_prefix_decode_tstzrange_excl; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_prefix_decode_tstzrange_excl EXCLUDE USING gist (prefix inet_ops WITH &&, decode(user_hash, 'hex'::text) WITH <>, tstzrange(start_time, held_until) WITH &&);


--
-- Name: leases leases_prefix_tstzrange_excl; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_prefix_tstzrange_excl EXCLUDE USING gist (prefix inet_ops WITH &&, tstzrange(start_time, end_time) WITH &&);


--
-- Name: pool_prefixes pool_prefixes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pool_prefixes
    ADD CONSTRAINT pool_prefixes_pkey PRIMARY KEY (prefix_number);


--
-- Name: pool_runs pool_runs_first_number_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pool_runs
    ADD CONSTRAINT pool_runs_first_number_key UNIQUE (first_number);


--
-- Name: pool_runs pool_runs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pool_runs
    ADD CONSTRAINT pool_runs_pkey PRIMARY KEY ("position");


--
-- Name: pool_sources pool_sources_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pool_sources
    ADD CONSTRAINT pool_sources_pkey PRIMARY KEY (pool);


--
-- Name: schema_migrations schema_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (number);


--
-- Name: service_keys service_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.service_keys
    ADD CONSTRAINT service_keys_pkey PRIMARY KEY (key_hash);


--
-- Name: users users_asn_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_asn_key UNIQUE (asn);


--
-- Name: users users_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (user_hash);


--
-- Name: users users_user_number_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_user_number_key UNIQUE (user_number);


--
-- Name: changes_by_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX changes_by_user ON public.changes USING btree (user_hash, change_number);


--
-- Name: leases_by_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX leases_by_user ON public.leases USING btree (user_hash, lease_id DESC);


--
-- Name: leases_closed; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX leases_closed ON public.leases USING btree (closed_at) WHERE (closed_at IS NOT NULL);


--
-- Name: leases_open_by_end; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX leases_open_by_end ON public.leases USING btree (end_time) WHERE (closed_at IS NULL);


--
-- Name: leases_open_by_prefix; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX leases_open_by_prefix ON public.leases USING btree (prefix) WHERE (closed_at IS NULL);


--
-- Name: leases_open_by_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX leases_open_by_user ON public.leases USING btree (user_hash) WHERE (closed_at IS NULL);


--
-- Name: leases_unwarned_by_end; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX leases_unwarned_by_end ON public.leases USING btree (end_time) WHERE ((closed_at IS NULL) AND (warned_at IS NULL));


--
-- Name: pool_prefixes_by_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pool_prefixes_by_user ON public.pool_prefixes USING btree (last_user_hash, free_at) WHERE in_pool;


--
-- Name: pool_prefixes_fresh; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pool_prefixes_fresh ON public.pool_prefixes USING btree (turn) WHERE ((last_user_hash IS NULL) AND in_pool);


--
-- Name: pool_prefixes_used; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pool_prefixes_used ON public.pool_prefixes USING btree (held_until) WHERE ((last_user_hash IS NOT NULL) AND in_pool);


--
-- Name: pool_runs_with_room; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pool_runs_with_room ON public.pool_runs USING btree ("position") WHERE (next_number <= last_number);


--
-- Name: service_keys_by_name; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX service_keys_by_name ON public.service_keys USING btree (name) WHERE (revoked_at IS NULL);


--
-- Name: users_by_kid; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX users_by_kid ON public.users USING btree (subject_kid);


--
-- Name: changes changes_keep; Type: RULE; Schema: public; Owner: -
--

CREATE RULE changes_keep AS
    ON UPDATE TO public.changes DO INSTEAD NOTHING;


--
-- Name: changes changes_stay; Type: RULE; Schema: public; Owner: -
--

CREATE RULE changes_stay AS
    ON DELETE TO public.changes DO INSTEAD NOTHING;


--
-- Name: leases leases_user_hash_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_user_hash_fkey FOREIGN KEY (user_hash) REFERENCES public.users(user_hash);


--
-- Name: pool_prefixes pool_prefixes_last_user_hash_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pool_prefixes
    ADD CONSTRAINT pool_prefixes_last_user_hash_fkey FOREIGN KEY (last_user_hash) REFERENCES public.users(user_hash);


--
-- PostgreSQL database dump complete
--


