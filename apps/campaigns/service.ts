/** Runs campaigns: looks at the journal when something is due, and does what it says. */
import type { CampaignServices } from "./campaign-services.ts";
import { againMs, fullMs, lookMsMax, settleEveryMs } from "./limits.ts";
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
  const looker = new Looker(services, steps);
  const work = (async () => {
    let isFailing = false;
    while (!stop.signal.aborted) {
      let waitMs = lookMsMax;
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      try {
        waitMs = await looker.look();
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

class Looker {
  readonly #services: CampaignServices;
  readonly #steps: StepTaker;
  #settledAtMs = Number.NEGATIVE_INFINITY;

  constructor(services: CampaignServices, steps: StepTaker) {
    this.#services = services;
    this.#steps = steps;
  }

  /** Resolves to the milliseconds until there is something to do. */
  async look(): Promise<number> {
    const { journal } = this.#services;
    const { dueMs, isUnderWay } = await journal.ahead();
    if (dueMs <= 0) {
      await journal.takeDue();
      await this.#steps.claim();
    }
    if (isUnderWay && performance.now() >= this.#settledAtMs + settleEveryMs) {
      await cancelRuns(this.#services);
      await journal.settle();
      this.#settledAtMs = performance.now();
    }
    if (dueMs <= 0) {
      return this.#steps.room === 0 ? fullMs : againMs;
    }
    return Math.min(dueMs, isUnderWay ? settleEveryMs : lookMsMax);
  }
}
