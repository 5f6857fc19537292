/**
 * One question for many askers, to a database or a disk: who asks while one is under way shares the next. So load makes
 * questions larger, not more, and nobody waits for others to come.
 */
interface TogetherOrder<Ask, Answer> {
  /** Asks of one question. */
  readonly asksMax: number;
  /** Questions at a time: with one, who waits for a lock holds up all others. */
  readonly underWayMax: number;
  /** Resolves to what each gets; where that throws, one asker has failed, and where this rejects, all of them. */
  readonly answer: (asks: readonly Ask[]) => Promise<(ask: Ask) => Answer>;
}

interface Asker<Ask, Answer> {
  readonly ask: Ask;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Its callers are its queue: there are never more asks than callers who wait. */
export class Together<Ask, Answer> {
  readonly #order: TogetherOrder<Ask, Answer>;
  #waiting: Asker<Ask, Answer>[] = [];
  #underWay = 0;
  #isDue = false;

  constructor(order: TogetherOrder<Ask, Answer>) {
    this.#order = order;
  }

  /** What is so from now on: an ask never joins a question that has begun. */
  ask(ask: Ask): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ask, resolve, reject });
      this.#goOn();
    });
  }

  /** After all that this turn of the event loop brings. */
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
