/** Runs campaigns inside a gateway: looks at the journal when something is due, and does what it says. */
import type { CampaignServices } from "./campaign-services.ts";
import { endRuns, takeDue, workAhead } from "./journal.ts";
import { againMs, fullMs, lookMsMax } from "./limits.ts";
import { cancelRuns, StepTaker } from "./steps.ts";

export interface CampaignService extends AsyncDisposable {
  /** Something has changed: look at once. */
  wake(): void;
}

/** Starts it; disposing waits for what is under way. */
export function startCampaigns(services: CampaignServices): CampaignService {
  const stop = new AbortController();
  const steps = new StepTaker(services, () => wake());
  let wake = () => {};
  const work = (async () => {
    let isFailing = false;
    while (!stop.signal.aborted) {
      let waitMs = lookMsMax;
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      try {
        waitMs = await look(services, steps);
        isFailing = false;
      } catch (error) {
        if (!isFailing) {
          services.log.error("Cannot look after campaigns; trying again", { error });
        }
        isFailing = true;
      }
      const timer = setTimeout(resolve, waitMs);
      await promise;
      clearTimeout(timer);
    }
    await steps.idle();
  })();
  return {
    wake: () => wake(),
    async [Symbol.asyncDispose]() {
      stop.abort();
      wake();
      await work;
    },
  };
}

/** Resolves to the milliseconds until there is something to do. */
async function look(services: CampaignServices, steps: StepTaker): Promise<number> {
  const { database } = services;
  const { dueMs, isUnderWay } = await workAhead(database);
  if (dueMs <= 0) {
    await takeDue(database);
    await steps.claim();
  }
  if (isUnderWay) {
    await cancelRuns(services);
    await endRuns(database, services.results.settleMs);
  }
  const isFull = steps.room === 0;
  return Math.min(lookMsMax, isFull || dueMs > 0 ? Math.max(dueMs, fullMs) : againMs);
}
