/** Work that goes on for a few at a time; the others wait in line, up to a number. */
import { Problem } from "../../../lib/http/problem.ts";
import { retryAfterSeconds } from "../limits.ts";

export class Turns {
  readonly #atOnce: number;
  readonly #waitingMax: number;
  readonly #line: (() => void)[] = [];
  #working = 0;

  constructor({ atOnce, waitingMax }: { readonly atOnce: number; readonly waitingMax: number }) {
    this.#atOnce = atOnce;
    this.#waitingMax = waitingMax;
  }

  /** Throws Problem 503 when the line is full. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#enter();
    try {
      return await work();
    } finally {
      const next = this.#line.shift();
      if (next === undefined) {
        this.#working--;
      } else {
        next();
      }
    }
  }

  async #enter(): Promise<void> {
    if (this.#working < this.#atOnce) {
      this.#working++;
      return;
    }
    if (this.#line.length >= this.#waitingMax) {
      throw new Problem({
        status: 503,
        code: "store_busy",
        message: `Too many figures are being made; try again in ${retryAfterSeconds} s`,
        headers: { "retry-after": String(retryAfterSeconds) },
      });
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#line.push(resolve);
    await promise;
  }
}
