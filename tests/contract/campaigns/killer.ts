/** Processes that take the steps of campaigns, and are killed between any two writes. */
import type { CampaignServices, StepMeasure } from "../../../apps/probing/campaigns/campaign-services.ts";
import type { Journal } from "../../../apps/probing/campaigns/journal.ts";
import { StepTaker } from "../../../apps/probing/campaigns/steps.ts";

const none: CampaignServices["experiments"] = { take: () => Promise.resolve("left") };
const quiet: CampaignServices["log"] = { warn: () => {}, error: () => {} };

/** One look of a process: what is due is begun and taken, what has ended goes on. Rejects when it was killed. */
export async function look(journal: Journal, measure: StepMeasure): Promise<void> {
  const steps = new StepTaker({ journal, measure, log: quiet, experiments: none }, () => {});
  await journal.takeDue();
  await steps.claim();
  await steps.idle();
  await journal.settle();
}

export class Killed extends Error {}

/** Lets so many calls pass before and after each write; then nothing is done any more. */
export class Killer {
  #left: number;
  isDead = false;

  constructor(calls: number) {
    this.#left = calls;
  }

  readonly tick = (): void => {
    this.isDead ||= this.#left-- <= 0;
    if (this.isDead) {
      throw new Killed();
    }
  };

  killing(journal: Journal): Journal {
    const around =
      <Args extends unknown[], Answer>(act: (...args: Args) => Promise<Answer>) =>
      async (...args: Args): Promise<Answer> => {
        this.tick();
        const answer = await act(...args);
        this.tick();
        return answer;
      };
    return {
      ahead: () => journal.ahead(),
      takeDue: around(() => journal.takeDue()),
      settle: around(() => journal.settle()),
      claim: around((room, kind) => journal.claim(room, kind)),
      taken: around((place, id) => journal.taken(place, id)),
      done: around((place, next, reason) => journal.done(place, next, reason)),
      spread: around((place, slots) => journal.spread(place, slots)),
      over: around((place, state, reason) => journal.over(place, state, reason)),
      again: around((place, seconds) => journal.again(place, seconds)),
      cancelling: around(() => journal.cancelling()),
      cancelled: around((run) => journal.cancelled(run)),
    };
  }
}
