/** A user's own prefixes, by agent; each prefix that was returned is stored, so that packets stay attributable. */
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import type { AgentInstance } from "../../../../lib/measuring/probing/agent-config.ts";
import { agentPrefixes } from "../../../../lib/measuring/probing/source-check.ts";
import { userPrefix } from "../../../../lib/measuring/probing/user-prefix.ts";
import { formatPrefix, type Prefix } from "../../../../lib/net/ip/prefix.ts";

interface AgentPrefixes {
  readonly agent_id: string;
  readonly prefixes: readonly { readonly agent_prefix: string; readonly user_prefix: string }[];
}

/** Prefixes at all agents that have an IPv6 prefix with room for users, healthy or not. */
export async function userPrefixes(
  database: Database,
  userHash: string,
  userId: number,
): Promise<AgentPrefixes[]> {
  const { sql } = database;
  const agents = await database.timed(
    "agent_prefixes",
    () => sql<{ agent_id: string; config: readonly AgentInstance[] }[]>`
      SELECT agent_id, config FROM agents
      WHERE config IS NOT NULL AND registered_at IS NOT NULL AND retired_at IS NULL ORDER BY agent_id`,
  );
  const all = agents
    .map(({ agent_id, config }) => ({ agent_id, prefixes: agentPrefixes(config).flatMap(pairs(userId)) }))
    .filter(({ prefixes }) => prefixes.length > 0);
  await keep(database, userHash, all);
  return all;
}

function pairs(userId: number) {
  return (agentPrefix: Prefix) => {
    const own = userPrefix(agentPrefix, userId);
    return own === null ? [] : [{ agent_prefix: formatPrefix(agentPrefix), user_prefix: formatPrefix(own) }];
  };
}

/**
 * Prefixes stored for one user at one agent: an agent that keeps posting new ones would fill the database. A real one
 * changes its prefix a few times in its lifetime.
 */
const prefixesKeptMax = 64;

/** Keeps the first time: existing rows are not changed. */
async function keep(
  { sql, timed }: Database,
  userHash: string,
  all: readonly AgentPrefixes[],
): Promise<void> {
  const rows = all.flatMap(({ agent_id, prefixes }) => prefixes.map((pair) => ({ agent_id, ...pair })));
  if (rows.length === 0) {
    return;
  }
  await timed(
    "user_prefixes_keep",
    () => sql`
      INSERT INTO user_prefixes (user_hash, agent_id, agent_prefix, user_prefix)
      SELECT ${userHash}, agent_id, agent_prefix, user_prefix
      FROM jsonb_to_recordset(${sql.json(rows)}) AS own (agent_id text, agent_prefix cidr, user_prefix cidr)
      ON CONFLICT DO NOTHING`,
  );
  await timed(
    "user_prefixes_forget",
    () => sql`
      DELETE FROM user_prefixes AS old USING (
        SELECT agent_id, agent_prefix,
          row_number() OVER (PARTITION BY agent_id ORDER BY first_given_at DESC, agent_prefix) AS place
        FROM user_prefixes WHERE user_hash = ${userHash}
      ) AS ranked
      WHERE old.user_hash = ${userHash} AND old.agent_id = ranked.agent_id
        AND old.agent_prefix = ranked.agent_prefix AND place > ${prefixesKeptMax}`,
  );
}
