/** Campaigns and experiments named by the caller. Throws Problem 403 for a token restricted to others. */
import type { Context } from "hono";
import type { HttpEnv } from "../../../lib/engines/http/app.ts";
import { Owned } from "../../../lib/engines/http/owned.ts";
import { type Problem, problem } from "../../../lib/engines/http/problem.ts";
import { userOf } from "../../../lib/engines/http/require-user.ts";

export function ownCampaign(c: Context<HttpEnv>, id: string): Promise<Owned> {
  return Owned.by(userOf(c), { kind: "campaign", id });
}

export function ownExperiment(c: Context<HttpEnv>, id: string): Promise<Owned> {
  return Owned.by(userOf(c), { kind: "experiment", id });
}

/** What is not there, or another user's. */
export function unknownCampaign(): Problem {
  return problem(404, "campaign_not_found", "Campaign not found");
}
