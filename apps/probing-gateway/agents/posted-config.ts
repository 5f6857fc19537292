/** Keeps the configuration that an agent says is in force. */
import type { TransactionSql } from "postgres";
import type { AgentInstance } from "../../../lib/probing/agent-config.ts";
import type { Database } from "../../../lib/store/postgres/open.ts";
import { writeAudit } from "../audit.ts";

/** False = there is no such agent, or it has not registered. Agents repeat theirs; only a new one is recorded. */
export function keepConfig(
  database: Database,
  agentId: string,
  config: readonly AgentInstance[],
): Promise<boolean> {
  return database.timed("agent_config", () => database.sql.begin((tx) => keep(tx, agentId, config)));
}

async function keep(tx: TransactionSql, agentId: string, config: readonly AgentInstance[]): Promise<boolean> {
  const json = tx.json(config);
  const [agent] = await tx<{ has_changed: boolean }[]>`
    UPDATE agents SET config = ${json}, config_posted_at = now(), last_seen_at = now()
    FROM (SELECT agent_id, config FROM agents WHERE agent_id = ${agentId} FOR UPDATE) AS before
    WHERE agents.agent_id = before.agent_id AND registered_at IS NOT NULL AND retired_at IS NULL
    RETURNING before.config IS DISTINCT FROM ${json} AS has_changed`;
  if (agent?.has_changed === true) {
    const actor = `agent:${agentId}`;
    await writeAudit(tx, { actor, action: "agent.config", subject: actor, details: { config: [...config] } });
  }
  return agent !== undefined;
}
