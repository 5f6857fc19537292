-- What must not be probed, what stops everything, and who did what.
CREATE TABLE blocked_prefixes (
  prefix cidr PRIMARY KEY,
  reason text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- One row: what each request looks at.
CREATE TABLE platform (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- The kill switch: since when nothing is sent anywhere, and why.
  killed_at timestamptz,
  killed_reason text,
  -- Grows with each change of blocked_prefixes, so that gateways know when to read them again.
  blocklist_version bigint NOT NULL DEFAULT 0
);
INSERT INTO platform DEFAULT VALUES;

-- Append-only.
CREATE TABLE audit (
  audit_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  -- 'admin', 'agent:ID', 'user:HASH', 'gateway:ID'
  actor text NOT NULL,
  action text NOT NULL,
  subject text NOT NULL,
  details jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_by_subject ON audit (subject, at);
CREATE RULE audit_keeps AS ON UPDATE TO audit DO INSTEAD NOTHING;
CREATE RULE audit_stays AS ON DELETE TO audit DO INSTEAD NOTHING;
