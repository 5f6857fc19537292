/** Stores the active configuration that an agent reports, and the granted part of it. */
import type { TransactionSql } from "postgres";
import { Problem } from "../../../../lib/engines/http/problem.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import type { AgentInstance, DesiredConfig } from "../../../../lib/measuring/probing/agent-config.ts";
import {
  desiredPrefixes,
  type GrantedConfig,
  grantedConfig,
} from "../../../../lib/measuring/probing/granted-config.ts";
import { parsePrefix } from "../../../../lib/net/ip/prefix.ts";
import { writeAudit } from "../audit.ts";
import type { ChangePace } from "./change-pace.ts";

interface KeptConfig extends GrantedConfig {
  readonly hasChanged: boolean;
}

interface GrantRow {
  /** Null = it has not posted one. */
  readonly claimed: readonly AgentInstance[] | null;
  readonly granted_prefixes: readonly string[];
  readonly desired: DesiredConfig;
}

/**
 * Null = no such agent, or it has not registered. Agents repeat their configuration; only a new one is recorded. Throws
 * Problem 429, and stores nothing, when it changes too often.
 */
export function keepConfig(
  database: Database,
  agentId: string,
  claimed: readonly AgentInstance[],
  pace: ChangePace,
): Promise<KeptConfig | null> {
  return database.timed("agent_config", () => database.sql.begin((tx) => keep(tx, agentId, claimed, pace)));
}

async function keep(
  tx: TransactionSql,
  agentId: string,
  claimed: readonly AgentInstance[],
  pace: ChangePace,
): Promise<KeptConfig | null> {
  const json = tx.json(claimed);
  const [agent] = await tx<(GrantRow & { has_changed: boolean })[]>`
    UPDATE agents SET claimed = ${json}, config_posted_at = now(), last_seen_at = now()
    FROM (SELECT agent_id, claimed FROM agents WHERE agent_id = ${agentId} FOR NO KEY UPDATE) AS before
    WHERE agents.agent_id = before.agent_id AND registered_at IS NOT NULL AND retired_at IS NULL
    RETURNING agents.claimed, granted_prefixes, desired, before.claimed IS DISTINCT FROM ${json} AS has_changed`;
  if (agent === undefined) {
    return null;
  }
  const waitSec = agent.has_changed ? pace.take(agentId, performance.now()) : 0;
  if (waitSec > 0) {
    const message = `Agent "${agentId}" changes its configuration too often; try again in ${waitSec} s`;
    const headers = { "retry-after": String(waitSec) };
    throw new Problem({ status: 429, code: "too_many_changes", message, headers });
  }
  const granted = await keepGranted(tx, agentId, agent);
  if (agent.has_changed) {
    const actor = `agent:${agentId}`;
    const details = { config: [...claimed], pending_prefixes: granted.pending };
    await writeAudit(tx, { actor, action: "agent.config", subject: actor, details });
  }
  return { ...granted, hasChanged: agent.has_changed };
}

/** Recomputes the granted part after its grants have changed. */
export async function grantAgain(tx: TransactionSql, agentId: string): Promise<void> {
  const [agent] = await tx<GrantRow[]>`
    SELECT claimed, granted_prefixes, desired FROM agents WHERE agent_id = ${agentId} FOR NO KEY UPDATE`;
  if (agent !== undefined && agent.claimed !== null) {
    await keepGranted(tx, agentId, agent);
  }
}

/** Every reader of an agent's prefixes uses the values written here. */
async function keepGranted(tx: TransactionSql, agentId: string, agent: GrantRow): Promise<GrantedConfig> {
  const grants = agent.granted_prefixes.flatMap((text) => parsePrefix(text) ?? []);
  const granted = grantedConfig(agent.claimed ?? [], [...grants, ...desiredPrefixes(agent.desired)]);
  await tx`
    UPDATE agents SET config = ${tx.json(granted.config)}, pending_prefixes = ${granted.pending}
    WHERE agent_id = ${agentId}`;
  return granted;
}
