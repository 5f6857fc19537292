/**
 * What each agent may send to one destination for a measurement: the limits, divided by the agents from which its user
 * measures now.
 *
 * Agents hold them (destination-pace.ts of the agent); none of them sees what the others send. A user who adds agents
 * one by one, each with a measurement of its own, leaves the first ones a larger part: with n agents at most
 * 1 + 1/2 + … + 1/n times the limit in all, 2.9 times with ten.
 */
import { createHmac } from "node:crypto";
import type { Database } from "../../../lib/store/postgres/open.ts";
import type { DestinationShare } from "../../../lib/wire/target-header.ts";
import type { LimitsConfig } from "../config.ts";

/** As it is kept with the measurement. */
export interface MeasurementShare {
  /** Secret: what the user is called at each agent is made with it. */
  readonly user_key: string;
  readonly user_address: number;
  readonly address: number;
  readonly network: number;
}

type Rates = Pick<LimitsConfig, "userAddressRate" | "addressRate" | "networkRate">;

export interface ShareOrder {
  readonly userHash: string;
  readonly agentIds: readonly string[];
  readonly rates: Rates;
}

/** Null = the gateway sets no limits. */
export async function measurementShare(
  { sql, timed }: Database,
  { userHash, agentIds, rates }: ShareOrder,
): Promise<MeasurementShare | null> {
  const { userAddressRate, addressRate, networkRate } = rates;
  if (userAddressRate + addressRate + networkRate === 0) {
    return null;
  }
  const [row] = await timed(
    "destination_share",
    () => sql<{ user_name_key: string; agents: number }[]>`
      SELECT user_name_key, (
        SELECT count(*)::integer FROM (
          SELECT agent_id FROM measurements JOIN measurement_agents USING (measurement_id)
          WHERE user_hash = ${userHash} AND ended_at IS NULL AND status IN ('queued', 'running')
          UNION SELECT unnest(${agentIds as string[]}::text[])
        ) AS own
      ) AS agents
      FROM platform`,
  );
  const { user_name_key = "", agents = agentIds.length } = row ?? {};
  return {
    user_key: createHmac("sha256", user_name_key).update(userHash).digest("base64url"),
    user_address: userAddressRate / agents,
    address: addressRate / agents,
    network: networkRate / agents,
  };
}

const userCharsAtAgent = 10;

/** For the headers of its records, by agent. Two agents cannot tell that they measure for the same user. */
export function sharesOf(
  share: MeasurementShare | null,
  agentIds: readonly string[],
): ReadonlyMap<string, DestinationShare> {
  if (share === null) {
    return new Map();
  }
  const { user_key, user_address: userAddress, address, network } = share;
  const nameAt = (agent: string) => createHmac("sha256", user_key).update(agent).digest("base64url");
  return new Map(
    agentIds.map((agent) => {
      const user = nameAt(agent).slice(0, userCharsAtAgent);
      return [agent, { user, userAddress, address, network }];
    }),
  );
}
