-- Which source prefixes an agent may have: what its operator has granted. What it says beyond that is kept as a claim,
-- and used nowhere.
ALTER TABLE enrolment_keys ADD COLUMN granted_prefixes text[] NOT NULL DEFAULT '{}';
-- `config` is from now on what was granted of `claimed`: all that is read of an agent's prefixes is read there.
ALTER TABLE agents
  ADD COLUMN claimed jsonb,
  ADD COLUMN granted_prefixes text[] NOT NULL DEFAULT '{}',
  -- Of `claimed`, those that were not granted in whole.
  ADD COLUMN pending_prefixes text[] NOT NULL DEFAULT '{}';
UPDATE agents SET claimed = config;

-- What agents have by now is taken as granted, up to the size of what one network holds: an IPv4 /16, as universities
-- have it, and an IPv6 /29, the most that a registry gives without asking why. What is wider waits for an admin.
CREATE TEMPORARY TABLE had ON COMMIT DROP AS
SELECT agent_id, network(claim::inet)::text AS prefix,
  masklen(claim::inet) >= CASE family(claim::inet) WHEN 4 THEN 16 ELSE 29 END AS is_granted
FROM agents, jsonb_array_elements(config) AS instance,
  LATERAL (VALUES (instance->>'src_ipv4_prefix'), (instance->>'src_ipv6_prefix')) AS claims (claim)
WHERE jsonb_typeof(config) = 'array' AND claim IS NOT NULL;

UPDATE agents SET
  granted_prefixes = ARRAY(
    SELECT DISTINCT prefix FROM had WHERE had.agent_id = agents.agent_id AND is_granted ORDER BY prefix),
  pending_prefixes = ARRAY(
    SELECT DISTINCT prefix FROM had WHERE had.agent_id = agents.agent_id AND NOT is_granted ORDER BY prefix);

UPDATE agents SET config = (
  SELECT jsonb_agg(instance || jsonb_build_object(
    'src_ipv4_prefix', CASE WHEN masklen((instance->>'src_ipv4_prefix')::inet) >= 16
      THEN instance->'src_ipv4_prefix' ELSE 'null' END,
    'src_ipv6_prefix', CASE WHEN masklen((instance->>'src_ipv6_prefix')::inet) >= 29
      THEN instance->'src_ipv6_prefix' ELSE 'null' END) ORDER BY place)
  FROM jsonb_array_elements(config) WITH ORDINALITY AS instances (instance, place))
WHERE pending_prefixes <> '{}';
