/** Identifies a source address: the agents that send from it, and the users whose prefix holds it. */
import type { sourceAnswer } from "../../../../lib/base/api/probing-admin.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import { problem } from "../../../../lib/engines/http/problem.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { agentPrefixes } from "../../../../lib/measuring/probing/source-check.ts";
import { formatAddress } from "../../../../lib/net/ip/address.ts";
import { prefixContains } from "../../../../lib/net/ip/prefix.ts";
import { readAddress } from "../../../../lib/net/ip/typed-address.ts";
import type { AgentDirectory } from "../agents/agent-directory.ts";
import type { AgentRow } from "../agents/agent-row.ts";
import type { Services } from "../services.ts";

export type Source = StoredAnswer<typeof sourceAnswer>;

/** Limit of listed users: an address shared by hundreds identifies none of them. */
const usersMax = 100;

export interface SourceServices extends Pick<Services, "database"> {
  readonly agents: AgentDirectory;
}

/**
 * Null = the address is not ours. Throws Problem 400 for a text that is not an address.
 *
 * Users are those with a prefix that contains it, now or before, and those whose measurements specified it as source.
 * Agents that were retired, or have another prefix now, are included.
 */
export async function findSource(
  { database, agents }: SourceServices,
  given: string,
): Promise<Source | null> {
  const read = readAddress(given);
  if (!read.ok) {
    throw problem(400, "invalid_address", `Give an IPv4 or IPv6 address: what was given ${read.reason}`);
  }
  const address = read.value;
  const text = formatAddress(address);
  const [users, retired] = await Promise.all([usersOf(database, text), retiredAgents(database)]);
  const { rows } = agents.fresh ?? (await agents.read());
  const senders = [...rows, ...retired].filter(
    ({ agent_id, config }) =>
      users.some((user) => user.agent_id === agent_id) ||
      agentPrefixes(config ?? []).some((prefix) => prefixContains(prefix, address)),
  );
  if (users.length === 0 && senders.length === 0) {
    return null;
  }
  return {
    address: text,
    agents: senders.map(({ agent_id: id, location, asn }) => ({ id, location, asn })),
    users,
  };
}

function usersOf({ sql, timed }: Database, address: string): Promise<Source["users"][number][]> {
  return timed(
    "source_users",
    () => sql<Source["users"][number][]>`
      SELECT user_hash, agent_id, user_prefix::text, min(first_given_at) AS first_given_at FROM (
        SELECT user_hash, agent_id, user_prefix, first_given_at FROM user_prefixes
        WHERE user_prefix >>= ${address}::inet
        UNION ALL
        SELECT user_hash, agent_id, source_address::cidr, started_at
        FROM measurement_targets JOIN measurements USING (measurement_id)
        WHERE source_address = ${address}::inet
      ) AS sources
      GROUP BY user_hash, agent_id, user_prefix
      ORDER BY first_given_at DESC, agent_id LIMIT ${usersMax}`,
  );
}

type RetiredAgent = Pick<AgentRow, "agent_id" | "config" | "location" | "asn">;

function retiredAgents({ sql, timed }: Database): Promise<RetiredAgent[]> {
  return timed(
    "source_retired_agents",
    () => sql<RetiredAgent[]>`
      SELECT agent_id, config, location, asn FROM agents WHERE retired_at IS NOT NULL`,
  );
}
