/** Finds one of the caller's campaigns: by its id, the start of it, or its name. */
import * as v from "valibot";
import { campaignAnswer } from "../../../../lib/base/api/campaigns.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import { kindOf, unfit } from "../../../../lib/command/command/kinds.ts";
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { wholeIdForm } from "../gateway/measurement-id.ts";
import { campaignPageRowsMax } from "../limits.ts";

export const campaignKind = kindOf("CAMPAIGN", "any", (given) =>
  given.trim() === "" ? unfit("is empty") : given.trim(),
);
export const campaignMeaning = "its id, the beginning of it, or its name";

/** The newest first. */
export function allCampaigns(gateway: Gateway, signal: AbortSignal) {
  return gateway.read("/api/campaigns", v.array(campaignAnswer), {
    query: { limit: campaignPageRowsMax },
    signal,
  });
}

/** Throws CommandError when none or several match; active campaigns take precedence over ended ones. */
export async function campaignId(gateway: Gateway, given: string, signal: AbortSignal): Promise<string> {
  if (wholeIdForm.test(given.toLowerCase())) {
    return given.toLowerCase();
  }
  const meant = (await allCampaigns(gateway, signal)).filter(
    ({ id, name }) => name === given || id.startsWith(given.toLowerCase()),
  );
  const goingOn = meant.filter(({ phase }) => phase !== "ended");
  const [one, ...others] = goingOn.length > 0 ? goingOn : meant;
  if (one === undefined) {
    throw cannot(`You have no campaign "${given}": vantage campaign list`);
  }
  if (others.length > 0) {
    throw cannot(`"${given}" are ${others.length + 1} campaigns: give more of the id`);
  }
  return one.id;
}
