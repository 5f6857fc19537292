/** Starts an experiment that was checked: it, its journal's first line and its campaign are stored together. */
import { constraintOf } from "../../../../lib/base/failure/outage.ts";
import { problem } from "../../../../lib/engines/http/problem.ts";
import { sharedClock } from "../../../../lib/engines/store/postgres/shared-clock.ts";
import { makeCampaign } from "../campaigns.ts";
import type { Prepared } from "./prepare.ts";
import type { ExperimentServices } from "./runner.ts";

const daySec = 86_400;

/** Resolves to its id, which is that of its campaign. Throws Problem: 409, 429 beyond the limits. */
export async function beginExperiment(
  services: ExperimentServices,
  userHash: string,
  secret: string,
  { experiment, plan, held, settings, definition }: Prepared,
): Promise<string> {
  const { database, secrets, quota, campaignsPerUser: campaignsMax, storedBytesMax } = services;
  const id = crypto.randomUUID();
  const startMs = (await sharedClock(database))();
  const begun = JSON.stringify({ kind: "begun", name: experiment.experiment, startMs, definition });
  const bytes = Buffer.byteLength(begun);
  const caps = { campaignsMax, probesPerDayMax: await quota(userHash), storedBytesMax };
  const order = {
    ...{ userHash, caps, probes: "" },
    definition: {
      name: experiment.experiment,
      agents: experiment.probe.agents.join(),
      prefix: experiment.prefix,
    },
    schedule: {
      ...{
        timing: { kind: "every", everySec: daySec } as const,
        startMs,
        firstRun: 0,
        stopMs: null,
        runsMax: 1,
      },
      ...({ slipMs: 1000 * daySec, onMissed: "once", overlap: "skip" } as const),
    },
    probesPerDay: Math.ceil((plan.probes * daySec) / Math.max(daySec, plan.endSec)),
  };
  const { prefix } = experiment;
  try {
    return await makeCampaign(database, order, id, async (tx) => {
      await tx`
        INSERT INTO experiments (experiment_id, campaign_id, user_hash, begun_digest, name, prefix, begun_at, actions,
          entries, bytes, settings, grant_id, grant_jwe)
        VALUES (${id}, ${id}, ${userHash}, sha256(${begun}::bytea), ${experiment.experiment},
          ${prefix}::inet::cidr, ${new Date(startMs)}, ${plan.actions.length}, 1, ${bytes},
          ${tx.json({ ...settings })}, ${held.id}, ${secrets.seal(secret, id)})`;
      await tx`INSERT INTO experiment_entries (experiment_id, place, line) VALUES (${id}, 0, ${begun})`;
      await tx`
        INSERT INTO audit (actor, action, subject, details) VALUES (${`user:${userHash}`}, 'experiment.start',
          ${`user:${userHash}`}, ${tx.json({ experiment: id, prefix, grant: held.id })})`;
    });
  } catch (error) {
    if (constraintOf(error) === "experiments_by_prefix") {
      throw problem(
        409,
        "prefix_in_experiment",
        `Another experiment announces ${prefix}: wait for it, or stop it`,
      );
    }
    throw error;
  }
}
