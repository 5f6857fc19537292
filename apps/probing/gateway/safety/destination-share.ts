/**
 * A measurement's limits per destination. Agents enforce them (destination-pace.ts of the agent); none of them sees
 * what the others send.
 *
 * It carries the undivided limits over all users. Each agent divides them by the number of agents in the destination's
 * bucket, which it receives each second (destination-crowd.ts), and for the first 3 s, until all have it, by the
 * number in the measurement. So all agents together keep to a limit, except in these 3 s: then an agent that joins n
 * others adds at most 1/(n + 1) of it.
 *
 * The limit of one user is divided by the user's agents at acceptance, and stays so: a user who adds agents one by one,
 * each with its own measurement, has 1 + 1/2 + … + 1/n of it with n agents, and never more than all users together.
 */
import { createHmac } from "node:crypto";
import type { Fragment, Sql } from "postgres";
import { Together } from "../../../../lib/engines/service/together.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import type { DestinationShare } from "../../../../lib/net/wire/target-header.ts";
import type { LimitsConfig } from "../config.ts";
import { crowdReceivedMs, sharedAsksMax } from "../limits.ts";

/** The share as stored with the measurement. */
export interface MeasurementShare {
  /** Secret from which the user's name at each agent is derived. */
  readonly user_key: string;
  readonly user_address: number;
  readonly address: number;
  readonly network: number;
  /** Agents in the busiest of its buckets, including its own. */
  readonly agents: number;
  /** Milliseconds since the epoch, by the database's clock: from then on its agents have received the counts. */
  readonly known_at_ms: number;
}

type Rates = Pick<LimitsConfig, "userAddressRate" | "addressRate" | "networkRate">;

interface ShareOrder {
  readonly userHash: string;
  readonly agentIds: readonly string[];
  /** Agents of others, and of earlier measurements, in the busiest of its buckets. */
  readonly others: number;
}

type OwnAgents = Pick<ShareOrder, "userHash" | "agentIds">;

interface OwnRow {
  readonly place: number;
  readonly user_name_key: string;
  /** Agents from which the user measures, including these. */
  readonly agents: number;
  readonly now_ms: number;
}

/** Shares of measurements, which concurrent submissions read in one statement. */
export class DestinationShares {
  readonly #rates: Rates;
  readonly #own: Together<OwnAgents, OwnRow | null>;

  constructor(database: Database, rates: Rates) {
    this.#rates = rates;
    this.#own = new Together({
      asksMax: sharedAsksMax,
      underWayMax: 1,
      answer: (asks) => readOwn(database, asks),
    });
  }

  /** Null = the gateway sets no limits. */
  async of({ userHash, agentIds, others }: ShareOrder): Promise<MeasurementShare | null> {
    const { userAddressRate, addressRate, networkRate } = this.#rates;
    if (userAddressRate + addressRate + networkRate === 0) {
      return null;
    }
    const own = await this.#own.ask({ userHash, agentIds });
    const { user_name_key = "", agents = agentIds.length, now_ms = Date.now() } = own ?? {};
    return {
      user_key: createHmac("sha256", user_name_key).update(userHash).digest("base64url"),
      user_address: userAddressRate / agents,
      address: addressRate,
      network: networkRate,
      agents: others + new Set(agentIds).size,
      known_at_ms: now_ms + crowdReceivedMs,
    };
  }
}

/** One lookup for the same user and agents. */
async function readOwn(
  { sql, timed }: Database,
  asks: readonly OwnAgents[],
): Promise<(ask: OwnAgents) => OwnRow | null> {
  const places = new Map(asks.map((ask) => [nameOf(ask), ask]));
  const asked = [...places.values()].map(({ userHash, agentIds }, place) => ({
    place,
    user_hash: userHash,
    agent_ids: [...agentIds],
  }));
  const rows = await timed(
    "destination_share",
    () => sql<OwnRow[]>`
      SELECT place, user_name_key, floor(extract(epoch FROM now()) * 1000)::bigint AS now_ms, (
        WITH RECURSIVE own (agent_id) AS (
          SELECT ${nextAgent(sql, sql`''`)}
          UNION ALL SELECT ${nextAgent(sql, sql`own.agent_id`)} FROM own WHERE own.agent_id IS NOT NULL
        )
        SELECT count(*)::integer FROM (
          SELECT agent_id FROM own WHERE agent_id IS NOT NULL
          UNION SELECT jsonb_array_elements_text(agent_ids)
        ) AS measuring
      ) AS agents
      FROM platform,
        jsonb_to_recordset(${sql.json(asked)}) AS asked (place integer, user_hash text, agent_ids jsonb)`,
  );
  const byName = new Map(
    [...places.keys()].map((name, place) => [name, rows.find((row) => row.place === place)]),
  );
  return (ask) => byName.get(nameOf(ask)) ?? null;
}

/**
 * The next of the user's agents by name: enumerates them with one index lookup per agent, not per measurement.
 */
function nextAgent(sql: Sql, after: Fragment) {
  return sql`(
    SELECT agent_id FROM measurement_agents
    WHERE user_hash = asked.user_hash AND agent_id > ${after} AND status IN ('queued', 'running')
    ORDER BY agent_id LIMIT 1)`;
}

function nameOf({ userHash, agentIds }: OwnAgents): string {
  return [userHash, ...agentIds].join(" ");
}

const userCharsAtAgent = 10;

/** For the headers of its records, by agent. Two agents cannot detect that they measure for the same user. */
export function sharesOf(
  share: MeasurementShare | null,
  agentIds: readonly string[],
): ReadonlyMap<string, DestinationShare> {
  if (share === null) {
    return new Map();
  }
  const { user_key, user_address: userAddress, address, network, agents, known_at_ms: knownAtMs } = share;
  const nameAt = (agent: string) => createHmac("sha256", user_key).update(agent).digest("base64url");
  return new Map(
    agentIds.map((agent) => {
      const user = nameAt(agent).slice(0, userCharsAtAgent);
      return [agent, { user, userAddress, address, network, agents, knownAtMs }];
    }),
  );
}
