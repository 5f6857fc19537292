/** Runs campaigns: reads the journal when something is due, and does the work. */
import { repeatWork } from "../../../lib/engines/service/repeat-work.ts";
import type { CampaignServices } from "./campaign-services.ts";
import { againMs, fullMs, lookMsMax, settleEveryMs } from "./limits.ts";
import { cancelRuns, StepTaker } from "./steps.ts";

export interface CampaignService extends AsyncDisposable {
  /** Something has changed: read the journal at once. */
  wake(): void;
}

/** Starts it; disposing waits for work in progress. */
export function startCampaigns(services: CampaignServices): CampaignService {
  const steps = new StepTaker(services, () => work.wake());
  const experiments = new StepTaker(services, () => work.wake(), "experiments");
  const looker = new Looker(services, steps, experiments);
  const work = repeatWork({
    look: () => looker.look(),
    complain: (error) => services.log.error("Cannot run campaigns; trying again", { error }),
    waitMs: lookMsMax,
  });
  return {
    wake: () => work.wake(),
    async [Symbol.asyncDispose]() {
      await work[Symbol.asyncDispose]();
      await Promise.all([steps.idle(), experiments.idle()]);
    },
  };
}

class Looker {
  readonly #services: CampaignServices;
  readonly #steps: StepTaker;
  readonly #experiments: StepTaker;
  #settledAtMs = Number.NEGATIVE_INFINITY;

  constructor(services: CampaignServices, steps: StepTaker, experiments: StepTaker) {
    this.#services = services;
    this.#steps = steps;
    this.#experiments = experiments;
  }

  /** Resolves to the milliseconds until more is due. */
  async look(): Promise<number> {
    const { journal } = this.#services;
    const { dueMs, isUnderWay } = await journal.ahead();
    if (dueMs <= 0) {
      await journal.takeDue();
      await this.#steps.claim();
      await this.#experiments.claim();
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
