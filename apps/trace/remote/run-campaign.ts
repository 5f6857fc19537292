/** Handles the answers of a campaign until none can follow, the results are complete, or the user interrupts. */
import { GatewayError } from "../../../lib/gateway-client/gateway-error.ts";
import { remoteDrawMs } from "../limits.ts";
import type { Answered, Campaign } from "./campaign.ts";

interface CampaignRun {
  /** The user's. */
  readonly signal: AbortSignal;
  /** Whether the unsent probes could not add anything new. */
  readonly isKnown: () => boolean;
  /** For stragglers, once all is known. */
  readonly graceMs: number;
  readonly onAnswer: (answered: Answered) => void;
}

/** Probes that are no longer needed are cancelled and refunded to the quota. Rejects with GatewayError. */
export async function runCampaign(campaign: Campaign, run: CampaignRun): Promise<void> {
  const enough = new AbortController();
  let knownAtMs: number | null = null;
  const looking = setInterval(() => {
    if (knownAtMs === null && run.isKnown()) {
      knownAtMs = Date.now();
      void callOff(campaign, "finished");
    }
    if (knownAtMs !== null && Date.now() - knownAtMs > run.graceMs) {
      enough.abort();
    }
  }, remoteDrawMs);
  try {
    for await (const answered of campaign.answers(AbortSignal.any([run.signal, enough.signal]))) {
      run.onAnswer(answered);
    }
  } catch (error) {
    if (!run.signal.aborted && !enough.signal.aborted) {
      throw error;
    }
  } finally {
    clearInterval(looking);
  }
  if (run.signal.aborted) {
    await callOff(campaign, "cancelled");
  }
  campaign.finish();
}

/** The results stay valid, so an unreachable gateway is not a failure here. */
async function callOff(campaign: Campaign, why: Parameters<Campaign["callOff"]>[0]): Promise<void> {
  try {
    await campaign.callOff(why);
  } catch (error) {
    if (!(error instanceof GatewayError)) {
      throw error;
    }
  }
}
