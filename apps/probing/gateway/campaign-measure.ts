/** The gateway's side of campaigns: its own submissions, agents and cancelling. */
import { Owned } from "../../../lib/engines/http/owned.ts";
import { respondersOf } from "../../../lib/engines/store/clickhouse/responders.ts";
import { formatTarget } from "../../../lib/engines/submission/targets.ts";
import type { Measure } from "../campaigns/campaign-services.ts";
import { roundMeasure } from "./discovery-measure.ts";
import { answersSettleMs } from "./limits.ts";
import { cancelMeasurement } from "./measurements/cancel.ts";
import type { Safety } from "./safety/safety.ts";
import type { StoreLink } from "./store-link.ts";
import { assign } from "./submit/assignment.ts";
import { chooseAgents } from "./submit/choose-agents.ts";
import { requestedTargetsOf } from "./submit/requested-target.ts";
import { submitInside } from "./submit/submit-inside.ts";
import type { SubmitServices } from "./submit/submit-services.ts";
import { suspended } from "./users/quota.ts";

interface MeasureServices extends SubmitServices {
  readonly safety: SubmitServices["safety"] & Pick<Safety, "destinations">;
  readonly store: Pick<StoreLink, "ask">;
}

export function campaignMeasure(services: MeasureServices): Measure {
  return {
    rounds: roundMeasure(services),
    submit: async (order) => (await submitInside(services, { ...order, pace: null })).id,
    agents: async ({ agents, userHash, shape = {} }, { probes, hasTcp }) => {
      const userId = await services.users.idOf(userHash);
      const chosen = await chooseAgents(services, requestedTargetsOf(agents), { hasTcp, shape });
      const { targets, rejected } = assign(chosen, { userId, hasTcp, shape, probes });
      return {
        able: targets.map(formatTarget),
        reasons: rejected.map(({ id, reason }) => `${id}: ${reason}`),
      };
    },
    areRepliesIn: async (ids) => {
      const { sql, timed } = services.database;
      const [row] = await timed(
        "campaign_replies",
        () => sql<{ are_in: boolean | null }[]>`
          SELECT bool_and(ended_at < now() - ${answersSettleMs} * interval '1 ms') AS are_in FROM measurements
          WHERE measurement_id = ANY(${[...ids]}::uuid[])`,
      );
      return row?.are_in ?? true;
    },
    responders: (ids, atMost) => services.store.ask((open) => respondersOf(open, ids, atMost)),
    quota: async (userHash) => {
      await services.users.idOf(userHash);
      const quota = await services.quotas.of(userHash);
      if (quota === null || quota.suspended_at !== null) {
        throw suspended(quota?.suspended_reason ?? null);
      }
      return quota.limit;
    },
    cancel: async (userHash, id) => {
      const own = Owned.of(userHash, { kind: "measurement", id });
      const { cancelled } = await cancelMeasurement(services.database, { own, isFinished: false });
      if (cancelled) {
        services.dispatcher.stop([id]);
      }
    },
  };
}
