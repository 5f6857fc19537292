/** What campaigns ask of the gateway that runs them: its own submissions, agents and cancelling. */

import { formatTarget } from "../../lib/submission/targets.ts";
import type { Measure } from "../campaigns/campaign-services.ts";
import { readProbeText } from "../campaigns/probe-text.ts";
import { cancelMeasurement } from "./measurements/cancel.ts";
import { assign } from "./submit/assignment.ts";
import { chooseAgents } from "./submit/choose-agents.ts";
import { requestedTargetsOf } from "./submit/requested-target.ts";
import type { SubmitServices } from "./submit/submission.ts";
import { submitInside } from "./submit/submit-inside.ts";
import { readQuota, suspended } from "./users/quota.ts";

export function campaignMeasure(services: SubmitServices): Measure {
  return {
    submit: async (order) => (await submitInside(services, order)).id,
    agents: async ({ agents, userHash, probes: text }) => {
      const { probes, hasTcp } = readProbeText(text);
      const userId = await services.users.idOf(userHash);
      const chosen = await chooseAgents(services, requestedTargetsOf(agents), hasTcp);
      return assign(chosen, { userId, hasTcp, probes }).targets.map(formatTarget);
    },
    quota: async (userHash) => {
      await services.users.idOf(userHash);
      const quota = await readQuota(services.database, userHash, services.config.limits);
      if (quota === null || quota.suspended_at !== null) {
        throw suspended(quota?.suspended_reason ?? null);
      }
      return quota.limit;
    },
    cancel: async (userHash, id) => {
      const { cancelled } = await cancelMeasurement(services.database, { userHash, id, isFinished: false });
      if (cancelled) {
        services.dispatcher.stop([id]);
      }
    },
  };
}
