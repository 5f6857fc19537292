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

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: agent_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.agent_keys (
    key_hash bytea NOT NULL,
    agent_id text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    revoked_at timestamp with time zone
);


--
-- Name: agents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.agents (
    agent_id text NOT NULL,
    secret_hash bytea,
    registered_at timestamp with time zone,
    last_seen_at timestamp with time zone,
    config jsonb,
    config_posted_at timestamp with time zone,
    desired jsonb DEFAULT '{}'::jsonb NOT NULL,
    config_version bigint DEFAULT 0 NOT NULL,
    paused boolean DEFAULT false NOT NULL,
    healthy boolean,
    health_checked_at timestamp with time zone,
    health_received_at timestamp with time zone,
    health_message text,
    health_details jsonb,
    report_interval_ms integer DEFAULT 30000 NOT NULL,
    location text,
    asn bigint,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    retired_at timestamp with time zone,
    CONSTRAINT agents_agent_id_check CHECK ((agent_id ~ '^[A-Za-z0-9._-]{1,64}$'::text)),
    CONSTRAINT agents_asn_check CHECK (((asn >= 0) AND (asn <= '4294967295'::bigint))),
    CONSTRAINT agents_report_interval_ms_check CHECK ((report_interval_ms > 0))
);


--
-- Name: audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit (
    audit_id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    subject text NOT NULL,
    details jsonb DEFAULT '{}'::jsonb NOT NULL
);


--
-- Name: audit_audit_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.audit ALTER COLUMN audit_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: blocked_prefixes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.blocked_prefixes (
    prefix cidr NOT NULL,
    reason text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: enrolment_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.enrolment_keys (
    key_hash bytea NOT NULL,
    label text NOT NULL,
    uses_left integer NOT NULL,
    expires_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT enrolment_keys_uses_left_check CHECK ((uses_left >= 0))
);


--
-- Name: measurement_agents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.measurement_agents (
    measurement_id uuid NOT NULL,
    agent_id text NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    expected_probes bigint NOT NULL,
    sent_probes bigint DEFAULT 0 NOT NULL,
    received_replies bigint DEFAULT 0 NOT NULL,
    failed_probes bigint DEFAULT 0 NOT NULL,
    error text,
    credited_probes bigint,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT measurement_agents_check CHECK (((credited_probes >= 0) AND (credited_probes <= expected_probes))),
    CONSTRAINT measurement_agents_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'complete'::text, 'cancelled'::text, 'failed'::text, 'expired'::text])))
);


--
-- Name: measurement_targets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.measurement_targets (
    measurement_id uuid NOT NULL,
    agent_id text NOT NULL,
    source_address inet
);


--
-- Name: measurements; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.measurements (
    measurement_id uuid NOT NULL,
    user_hash text NOT NULL,
    gateway_id text NOT NULL,
    idempotency_key text,
    request_digest bytea NOT NULL,
    answer jsonb NOT NULL,
    probes bigint NOT NULL,
    record_probes integer NOT NULL,
    day date NOT NULL,
    published_probes bigint DEFAULT 0 NOT NULL,
    published_at timestamp with time zone,
    not_after timestamp with time zone NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT measurements_probes_check CHECK ((probes > 0)),
    CONSTRAINT measurements_record_probes_check CHECK ((record_probes > 0))
);


--
-- Name: platform; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.platform (
    is_only boolean DEFAULT true NOT NULL,
    killed_at timestamp with time zone,
    killed_reason text,
    blocklist_version bigint DEFAULT 0 NOT NULL,
    CONSTRAINT platform_is_only_check CHECK (is_only)
);


--
-- Name: quota_days; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.quota_days (
    user_hash text NOT NULL,
    day date NOT NULL,
    charged bigint NOT NULL,
    credited bigint DEFAULT 0 NOT NULL,
    submissions integer DEFAULT 0 NOT NULL,
    last_submitted_at timestamp with time zone,
    CONSTRAINT quota_days_charged_check CHECK ((charged >= 0)),
    CONSTRAINT quota_days_check CHECK (((credited >= 0) AND (credited <= charged)))
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
-- Name: user_prefixes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.user_prefixes (
    user_hash text NOT NULL,
    agent_id text NOT NULL,
    agent_prefix cidr NOT NULL,
    user_prefix cidr NOT NULL,
    first_given_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: users; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.users (
    user_hash text NOT NULL,
    user_id bigint NOT NULL,
    probes_per_day_max bigint,
    rate_probes_per_sec_max integer,
    suspended_at timestamp with time zone,
    suspended_reason text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT users_probes_per_day_max_check CHECK ((probes_per_day_max >= 0)),
    CONSTRAINT users_rate_probes_per_sec_max_check CHECK ((rate_probes_per_sec_max > 0)),
    CONSTRAINT users_user_hash_check CHECK ((user_hash ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT users_user_id_check CHECK (((user_id >= 1000) AND (user_id <= '4294967040'::bigint)))
);


--
-- Data for Name: agent_keys; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.agent_keys (key_hash, agent_id, created_at, revoked_at) FROM stdin;
\\x4015112de3384caf33b21f3a5948dca80e4d4290acccfdcc35604b0bb085745d	west	2026-11-21 15:45:32.347565+00	\N
\.


--
-- Data for Name: agents; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.agents (agent_id, secret_hash, registered_at, last_seen_at, config, config_posted_at, desired, config_version, paused, healthy, health_checked_at, health_received_at, health_message, health_details, report_interval_ms, location, asn, tags, created_at, retired_at) FROM stdin;
west	\\x30c88feeb23c5603977b064528696aa630bc2c0144d7e0c5214eea736ceffb79	2026-11-21 15:45:32.365652+00	2026-11-21 15:45:32.456666+00	[{"name": "main", "paused": false, "dry_run": false, "max_ttl": null, "min_ttl": null, "packets": 10000, "interface": "eth0", "batch_size": 1000, "instance_id": 1, "probing_rate": 1000, "config_version": null, "integrity_check": false, "src_ipv4_prefix": null, "src_ipv6_prefix": "2001:db8:1234::/48", "rate_limiting_method": "None"}]	2026-11-21 15:45:32.371722+00	{}	0	f	t	2026-11-21 15:45:32.374187+00	2026-11-21 15:45:32.374187+00	\N	\N	30000	\N	\N	{}	2026-11-21 15:45:32.347565+00	\N
\.


--
-- Data for Name: audit; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit (audit_id, at, actor, action, subject, details) FROM stdin;
1	2026-11-21 15:45:32.347565+00	admin	agent.create	agent:west	{"asn": null, "tags": [], "location": null}
2	2026-11-21 15:45:32.365652+00	agent:west	agent.register	agent:west	{}
3	2026-11-21 15:45:32.371722+00	agent:west	agent.config	agent:west	{"config": [{"name": "main", "paused": false, "dry_run": false, "max_ttl": null, "min_ttl": null, "packets": 10000, "interface": "eth0", "batch_size": 1000, "instance_id": 1, "probing_rate": 1000, "config_version": null, "integrity_check": false, "src_ipv4_prefix": null, "src_ipv6_prefix": "2001:db8:1234::/48", "rate_limiting_method": "None"}]}
4	2026-11-21 15:45:32.515659+00	admin	user.suspend	user:6700869c8ff7480e34a70a708b028700dbaa3a033b5652b903afe89f49a31456	{"reason": "asked to"}
5	2026-11-21 15:45:32.52098+00	admin	blocklist.add	prefix:192.0.2.0/24	{"reason": "asked for"}
\.


--
-- Data for Name: blocked_prefixes; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.blocked_prefixes (prefix, reason, created_at) FROM stdin;
192.0.2.0/24	asked for	2026-11-21 15:45:32.52098+00
\.


--
-- Data for Name: enrolment_keys; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.enrolment_keys (key_hash, label, uses_left, expires_at, created_at) FROM stdin;
\.


--
-- Data for Name: measurement_agents; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.measurement_agents (measurement_id, agent_id, status, expected_probes, sent_probes, received_replies, failed_probes, error, credited_probes, updated_at) FROM stdin;
40c24e83-daeb-496b-92c1-7e25f324c1c5	west	complete	40	40	31	0	\N	\N	2026-11-21 15:45:32.456666+00
ba29c3e7-14f6-46be-b952-d1ac48f9c704	west	cancelled	2000	0	0	0	\N	2000	2026-11-21 15:45:32.498218+00
a0aaf6f3-22a3-4349-aa94-c97e6f313d0f	west	queued	5	0	0	0	\N	\N	2026-11-21 15:45:32.511947+00
\.


--
-- Data for Name: measurement_targets; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.measurement_targets (measurement_id, agent_id, source_address) FROM stdin;
40c24e83-daeb-496b-92c1-7e25f324c1c5	west	\N
ba29c3e7-14f6-46be-b952-d1ac48f9c704	west	\N
a0aaf6f3-22a3-4349-aa94-c97e6f313d0f	west	\N
\.


--
-- Data for Name: measurements; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.measurements (measurement_id, user_hash, gateway_id, idempotency_key, request_digest, answer, probes, record_probes, day, published_probes, published_at, not_after, started_at, updated_at, ended_at) FROM stdin;
40c24e83-daeb-496b-92c1-7e25f324c1c5	55579b557896d0ce1764c47fed644f9b35f58bad620674af23f356d80ed0c503	gateway-dece2e66-27f6-4a11-b37d-1bbaed1af5a4	\N	\\xf5072b19c2ee14a03069fb9d68b9f7aa525c0417d1a81c9f70817a429868a726	{"id": "40c24e83-daeb-496b-92c1-7e25f324c1c5", "agents": [{"id": "west", "ip_address": null}], "probes": 40, "rejected": []}	40	10000	2026-11-21	40	2026-11-21 15:45:32.435173+00	2026-11-21 15:55:32.46836+00	2026-11-21 15:45:32.38836+00	2026-11-21 15:45:32.456666+00	2026-11-21 15:45:32.456666+00
ba29c3e7-14f6-46be-b952-d1ac48f9c704	55579b557896d0ce1764c47fed644f9b35f58bad620674af23f356d80ed0c503	gateway-dece2e66-27f6-4a11-b37d-1bbaed1af5a4	\N	\\x95e9481faa049d0291a4c7d50ff5988abc41a7782a6d0d0e9b453c9d21cc6fb4	{"id": "ba29c3e7-14f6-46be-b952-d1ac48f9c704", "agents": [{"id": "west", "ip_address": null}], "probes": 2000, "rejected": []}	2000	10000	2026-11-21	2000	2026-11-21 15:45:32.501302+00	2026-11-21 15:55:36.494326+00	2026-11-21 15:45:32.494326+00	2026-11-21 15:45:32.498218+00	2026-11-21 15:45:32.498218+00
a0aaf6f3-22a3-4349-aa94-c97e6f313d0f	6700869c8ff7480e34a70a708b028700dbaa3a033b5652b903afe89f49a31456	gateway-dece2e66-27f6-4a11-b37d-1bbaed1af5a4	\N	\\x29000dce4a88585eda4b42ebaef952011f904dda67ca61e31e165cc9064b8c67	{"id": "a0aaf6f3-22a3-4349-aa94-c97e6f313d0f", "agents": [{"id": "west", "ip_address": null}], "probes": 5, "rejected": []}	5	10000	2026-11-21	5	2026-11-21 15:45:32.517332+00	2026-11-21 15:55:32.521947+00	2026-11-21 15:45:32.511947+00	2026-11-21 15:45:32.511947+00	\N
\.


--
-- Data for Name: platform; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.platform (is_only, killed_at, killed_reason, blocklist_version) FROM stdin;
t	\N	\N	1
\.


--
-- Data for Name: quota_days; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.quota_days (user_hash, day, charged, credited, submissions, last_submitted_at) FROM stdin;
55579b557896d0ce1764c47fed644f9b35f58bad620674af23f356d80ed0c503	2026-11-21	2040	2000	2	2026-11-21 15:45:32.494326+00
6700869c8ff7480e34a70a708b028700dbaa3a033b5652b903afe89f49a31456	2026-11-21	5	0	1	2026-11-21 15:45:32.511947+00
\.


--
-- Data for Name: schema_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_migrations (number, service, name, checksum, applied_at) FROM stdin;
1	probing	users	2ff3711c028bbdd6d6677696224c51028cab3f6aa85c90dddb358528ba794bbf	2026-11-21 15:45:32.242757+00
2	probing	agents	f58deb9d7e133a1ff727dc620ed3e0734c7fff85f0336d57d6932db354e7ef6b	2026-11-21 15:45:32.260015+00
3	probing	measurements	f85c29f2bcf68c83b8c38b173d0ac9fdd01231c81a9a2ddc79758bf1de525328	2026-11-21 15:45:32.282407+00
4	probing	safety	9f5ff75230bee0961de44f0c7cdd16f64c38520693352b766197b417dbc2b01a	2026-11-21 15:45:32.305886+00
\.


--
-- Data for Name: user_prefixes; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.user_prefixes (user_hash, agent_id, agent_prefix, user_prefix, first_given_at) FROM stdin;
\.


--
-- Data for Name: users; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.users (user_hash, user_id, probes_per_day_max, rate_probes_per_sec_max, suspended_at, suspended_reason, created_at) FROM stdin;
55579b557896d0ce1764c47fed644f9b35f58bad620674af23f356d80ed0c503	1431804757	\N	\N	\N	\N	2026-11-21 15:45:32.378735+00
6700869c8ff7480e34a70a708b028700dbaa3a033b5652b903afe89f49a31456	1728087708	\N	\N	2026-11-21 15:45:32.515659+00	asked to	2026-11-21 15:45:32.503066+00
\.


--
-- Name: audit_audit_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.audit_audit_id_seq', 5, true);


--
-- Name: agent_keys agent_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agent_keys
    ADD CONSTRAINT agent_keys_pkey PRIMARY KEY (key_hash);


--
-- Name: agents agents_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agents
    ADD CONSTRAINT agents_pkey PRIMARY KEY (agent_id);


--
-- Name: audit audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (audit_id);


--
-- Name: blocked_prefixes blocked_prefixes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.blocked_prefixes
    ADD CONSTRAINT blocked_prefixes_pkey PRIMARY KEY (prefix);


--
-- Name: enrolment_keys enrolment_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.enrolment_keys
    ADD CONSTRAINT enrolment_keys_pkey PRIMARY KEY (key_hash);


--
-- Name: measurement_agents measurement_agents_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.measurement_agents
    ADD CONSTRAINT measurement_agents_pkey PRIMARY KEY (measurement_id, agent_id);


--
-- Name: measurement_targets measurement_targets_measurement_id_agent_id_source_address_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.measurement_targets
    ADD CONSTRAINT measurement_targets_measurement_id_agent_id_source_address_key UNIQUE NULLS NOT DISTINCT (measurement_id, agent_id, source_address);


--
-- Name: measurements measurements_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.measurements
    ADD CONSTRAINT measurements_pkey PRIMARY KEY (measurement_id);


--
-- Name: measurements measurements_user_hash_idempotency_key_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.measurements
    ADD CONSTRAINT measurements_user_hash_idempotency_key_key UNIQUE (user_hash, idempotency_key);


--
-- Name: platform platform_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.platform
    ADD CONSTRAINT platform_pkey PRIMARY KEY (is_only);


--
-- Name: quota_days quota_days_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.quota_days
    ADD CONSTRAINT quota_days_pkey PRIMARY KEY (user_hash, day);


--
-- Name: schema_migrations schema_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (number);


--
-- Name: user_prefixes user_prefixes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_prefixes
    ADD CONSTRAINT user_prefixes_pkey PRIMARY KEY (user_hash, agent_id, agent_prefix);


--
-- Name: users users_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (user_hash);


--
-- Name: users users_user_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_user_id_key UNIQUE (user_id);


--
-- Name: agent_keys_by_agent; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agent_keys_by_agent ON public.agent_keys USING btree (agent_id);


--
-- Name: audit_by_subject; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_by_subject ON public.audit USING btree (subject, at);


--
-- Name: measurement_agents_active; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX measurement_agents_active ON public.measurement_agents USING btree (agent_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));


--
-- Name: measurement_agents_stopped; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX measurement_agents_stopped ON public.measurement_agents USING btree (agent_id, updated_at) WHERE (status = ANY (ARRAY['cancelled'::text, 'expired'::text, 'failed'::text]));


--
-- Name: measurements_by_started; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX measurements_by_started ON public.measurements USING btree (started_at);


--
-- Name: measurements_by_user_started; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX measurements_by_user_started ON public.measurements USING btree (user_hash, started_at DESC);


--
-- Name: measurements_by_user_updated; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX measurements_by_user_updated ON public.measurements USING btree (user_hash, updated_at DESC);


--
-- Name: measurements_running; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX measurements_running ON public.measurements USING btree (not_after) WHERE (ended_at IS NULL);


--
-- Name: measurements_unpublished; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX measurements_unpublished ON public.measurements USING btree (gateway_id) WHERE ((published_at IS NULL) AND (ended_at IS NULL));


--
-- Name: user_prefixes_by_prefix; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX user_prefixes_by_prefix ON public.user_prefixes USING gist (user_prefix inet_ops);


--
-- Name: audit audit_keeps; Type: RULE; Schema: public; Owner: -
--

CREATE RULE audit_keeps AS
    ON UPDATE TO public.audit DO INSTEAD NOTHING;


--
-- Name: audit audit_stays; Type: RULE; Schema: public; Owner: -
--

CREATE RULE audit_stays AS
    ON DELETE TO public.audit DO INSTEAD NOTHING;


--
-- Name: agent_keys agent_keys_agent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agent_keys
    ADD CONSTRAINT agent_keys_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(agent_id);


--
-- Name: measurement_agents measurement_agents_agent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.measurement_agents
    ADD CONSTRAINT measurement_agents_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(agent_id);


--
-- Name: measurement_agents measurement_agents_measurement_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.measurement_agents
    ADD CONSTRAINT measurement_agents_measurement_id_fkey FOREIGN KEY (measurement_id) REFERENCES public.measurements(measurement_id) ON DELETE CASCADE;


--
-- Name: measurement_targets measurement_targets_agent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.measurement_targets
    ADD CONSTRAINT measurement_targets_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(agent_id);


--
-- Name: measurement_targets measurement_targets_measurement_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.measurement_targets
    ADD CONSTRAINT measurement_targets_measurement_id_fkey FOREIGN KEY (measurement_id) REFERENCES public.measurements(measurement_id) ON DELETE CASCADE;


--
-- Name: measurements measurements_user_hash_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.measurements
    ADD CONSTRAINT measurements_user_hash_fkey FOREIGN KEY (user_hash) REFERENCES public.users(user_hash);


--
-- Name: quota_days quota_days_user_hash_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.quota_days
    ADD CONSTRAINT quota_days_user_hash_fkey FOREIGN KEY (user_hash) REFERENCES public.users(user_hash);


--
-- Name: user_prefixes user_prefixes_agent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_prefixes
    ADD CONSTRAINT user_prefixes_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(agent_id);


--
-- Name: user_prefixes user_prefixes_user_hash_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_prefixes
    ADD CONSTRAINT user_prefixes_user_hash_fkey FOREIGN KEY (user_hash) REFERENCES public.users(user_hash);


--
-- PostgreSQL database dump complete
--


