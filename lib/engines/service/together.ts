/**
 * Batches requests to a database or a disk: those that arrive during a batch share the next. So
 * load makes batches larger, not more, and no request waits for others to come.
 */
interface TogetherOrder<Ask, Answer> {
  /** Requests of one batch. */
  readonly asksMax: number;
  /** Batches at a time: with only one, a request that waits for a lock would hold up all others. */
  readonly underWayMax: number;
  /**
   * Resolves to a function that gives each request's answer. If that throws, one request fails; if this
   * rejects, all.
   */
  readonly answer: (asks: readonly Ask[]) => Promise<(ask: Ask) => Answer>;
}

interface Asker<Ask, Answer> {
  readonly ask: Ask;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Needs no limit of its own: there are never more requests than waiting callers. */
export class Together<Ask, Answer> {
  readonly #order: TogetherOrder<Ask, Answer>;
  #waiting: Asker<Ask, Answer>[] = [];
  #underWay = 0;
  #isDue = false;

  constructor(order: TogetherOrder<Ask, Answer>) {
    this.#order = order;
  }

  /** The answer is as new as the call: a request never joins a batch that has begun. */
  ask(ask: Ask): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ask, resolve, reject });
      this.#goOn();
    });
  }

  /** Starts a batch after this turn of the event loop, so that all its requests are in. */
  #goOn(): void {
    if (this.#isDue || this.#waiting.length === 0 || this.#underWay >= this.#order.underWayMax) {
      return;
    }
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      void this.#send();
    });
  }

  async #send(): Promise<void> {
    const askers = this.#waiting.splice(0, this.#order.asksMax);
    this.#underWay++;
    this.#goOn();
    try {
      const answerOf = await this.#order.answer(askers.map(({ ask }) => ask));
      for (const asker of askers) {
        give(asker, answerOf);
      }
    } catch (error) {
      for (const { reject } of askers) {
        reject(error);
      }
    }
    this.#underWay--;
    this.#goOn();
  }
}

function give<Ask, Answer>(
  { ask, resolve, reject }: Asker<Ask, Answer>,
  answerOf: (ask: Ask) => Answer,
): void {
  try {
    resolve(answerOf(ask));
  } catch (error) {
    reject(error);
  }
}
