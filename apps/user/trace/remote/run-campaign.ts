/** Handles the answers of a campaign until the results are complete, none can follow, or the user interrupts. */
import { clientSide, GatewayError } from "../../../../lib/engines/gateway-client/gateway-error.ts";
import { remoteDrawMs } from "../limits.ts";
import type { Answered, Campaign } from "./campaign.ts";
import type { PlannedProbe } from "./probe-plan.ts";

interface CampaignRun {
  /** The user's. */
  readonly signal: AbortSignal;
  /** Whether the unsent probes could not add anything new, and no answers are awaited. */
  readonly isDone: () => boolean;
  /** Whether the results are complete although the gateway has ended the measurement by itself. */
  readonly isWhole: () => boolean;
  /** What to send now, beside what was planned from the start. */
  readonly next: () => PlannedProbe[];
  readonly onAnswer: (answered: Answered) => void;
}

/**
 * Probes that are no longer needed are cancelled and refunded to the quota. Rejects with GatewayError: `endedEarly` if
 * the measurement has ended before its results are complete. What was answered before stays in the campaign.
 */
export async function runCampaign(campaign: Campaign, run: CampaignRun): Promise<void> {
  const enough = new AbortController();
  const feed = new Feed(campaign, run, () => enough.abort());
  const looking = setInterval(() => feed.look(), remoteDrawMs);
  try {
    for await (const answered of campaign.answers(AbortSignal.any([run.signal, enough.signal]))) {
      run.onAnswer(answered);
    }
    if (!run.signal.aborted && !enough.signal.aborted && !run.isWhole()) {
      feed.failure = endedEarly(campaign);
    }
  } catch (error) {
    if (!run.signal.aborted && !enough.signal.aborted) {
      throw error;
    }
  } finally {
    clearInterval(looking);
    campaign.finish();
  }
  if (campaign.isRunning) {
    await callOff(campaign, run.signal.aborted ? "cancelled" : "finished");
  }
  if (feed.failure !== null && !run.signal.aborted) {
    throw feed.failure;
  }
}

/** Adds probes when they are due, one request at a time, and ends the campaign when it is done. */
class Feed {
  failure: unknown = null;
  readonly #campaign: Campaign;
  readonly #run: CampaignRun;
  readonly #end: () => void;
  #isAdding = false;

  constructor(campaign: Campaign, run: CampaignRun, end: () => void) {
    this.#campaign = campaign;
    this.#run = run;
    this.#end = end;
  }

  look(): void {
    if (this.#isAdding || this.#run.signal.aborted) {
      return;
    }
    const more = this.#campaign.isRunning ? this.#run.next() : [];
    if (more.length > 0) {
      void this.#add(more);
    } else if (this.#run.isDone()) {
      this.#end();
    }
  }

  async #add(more: readonly PlannedProbe[]): Promise<void> {
    this.#isAdding = true;
    try {
      await this.#campaign.add(more);
    } catch (error) {
      const isClosed = error instanceof GatewayError && error.code === "measurement_closed";
      this.failure = isClosed ? endedEarly(this.#campaign) : error;
      this.#end();
    }
    this.#isAdding = false;
  }
}

function endedEarly({ submitted, progress }: Campaign): GatewayError {
  const errors = (progress.status?.agents ?? []).flatMap(({ agent_id, error }) =>
    error === null ? [] : [`${agent_id}: ${error}`],
  );
  const reason = errors.length === 0 ? "" : ` (${errors.join("; ")})`;
  return clientSide(
    "endedEarly",
    `The gateway has ended measurement ${submitted.id} before its results were complete${reason}`,
  );
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
