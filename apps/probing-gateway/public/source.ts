/** Who is behind a source address: the agents that send from it, and whose prefix it lies in. */
import { type Address, formatAddress } from "../../../lib/ip/address.ts";
import { prefixContains } from "../../../lib/ip/prefix.ts";
import { agentPrefixes } from "../../../lib/probing/source-check.ts";
import type { Services } from "../services.ts";

export interface Source {
  readonly address: string;
  /** Several where one prefix is announced from many sites. */
  readonly agents: readonly SourceAgent[];
  /** Newest first; none where users share the address, or none has it. */
  readonly users: readonly SourceUser[];
}

export interface SourceAgent {
  readonly id: string;
  readonly location: string | null;
  readonly asn: number | null;
}

/** Names as the admin API shows them. */
export interface SourceUser {
  readonly user_hash: string;
  readonly agent_id: string;
  readonly user_prefix: string;
  readonly first_given_at: Date;
}

/** Null = the address is none of ours. Users' prefixes are remembered when an agent's prefix has changed. */
export async function findSource(
  { database, agents }: Pick<Services, "database" | "agents">,
  address: Address,
): Promise<Source | null> {
  const text = formatAddress(address);
  const { sql, timed } = database;
  const users = await timed(
    "source_users",
    () => sql<SourceUser[]>`
      SELECT user_hash, agent_id, user_prefix::text, first_given_at FROM user_prefixes
      WHERE user_prefix >>= ${text}::inet ORDER BY first_given_at DESC, agent_id`,
  );
  const { rows } = agents.fresh ?? (await agents.read());
  const senders = rows.filter(
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
