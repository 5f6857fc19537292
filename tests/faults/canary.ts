/** Whether all is well again: one more measurement comes to its rows, one more lease into the policy in force. */
import { hashOf, inPath } from "../contract/peering-gateway/peering-home.ts";
import type { Campaign, Submitted } from "./campaign.ts";
import type { Engines } from "./engines.ts";
import { until } from "./patience.ts";
import type { Peering } from "./peering.ts";
import { canaryUser, type Scene } from "./scene.ts";

const probes = 2;
const leaseHours = 1;

/** Resolves when both work from end to end. */
export async function allIsWell(scene: Scene, campaign: Campaign): Promise<void> {
  await Promise.all([measures(campaign, scene.engines), leases(scene.peering, canaryUser)]);
}

/** Resolves when the rows of the new measurement are there, of every agent. */
async function measures(campaign: Campaign, engines: Engines): Promise<void> {
  const { agents } = campaign.measuring.plan;
  const submitted = await submitApart(campaign);
  const expected = (submitted.to - submitted.from) * agents.length;
  const query = `SELECT count() AS rows FROM measure.replies WHERE measurement_id = '${submitted.id}'`;
  await until("rows of a new measurement", async () => {
    const [row] = await engines.rows<{ rows: number | string }>(query);
    return Number(row?.rows) >= expected;
  });
}

/** By all agents, in another partition than the large measurements, behind which it would wait to their end. */
async function submitApart(campaign: Campaign): Promise<Submitted> {
  const agents = campaign.measuring.plan.agents.length;
  for (;;) {
    await until("healthy agents", () => campaign.measuring.areAgentsWell());
    const submitted = await campaign.submit(probes);
    if (submitted === null) {
      throw new Error("The campaign has ended before the faults have");
    }
    if (campaign.isApart(submitted) && submitted.agents.length === agents) {
      return submitted;
    }
  }
}

/** Resolves when the daemon's policy has granted a new lease, and has not any more once that was given back. */
async function leases(peering: Peering, user: string): Promise<void> {
  const prefix = await until("a lease", async () => {
    const response = await peering.ask(user, "POST", "/api/user/prefix", { duration_hours: leaseHours });
    const body = (await response.json()) as { prefix?: string };
    return response.status === 403 ? await currentOf(peering, user) : body.prefix;
  });
  const isGranted = async () => (await peering.granted()).some((grant) => grant.prefix === prefix);
  await until(`${prefix} of ${hashOf(user)} in the policy`, isGranted);
  const path = `/api/user/prefix/${inPath(prefix)}`;
  await until("the release of a lease", async () => {
    const { status } = await peering.ask(user, "DELETE", path);
    return status === 204 || status === 404;
  });
}

async function currentOf(peering: Peering, user: string): Promise<string | undefined> {
  const response = await peering.ask(user, "GET", "/api/user/info");
  const body = (await response.json()) as { active_leases: { prefix: string }[] };
  return body.active_leases[0]?.prefix;
}
