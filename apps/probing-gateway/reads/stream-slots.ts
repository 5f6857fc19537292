/** How many answers may go on at once, of one user and of all. */
import { Problem } from "../../../lib/http/problem.ts";
import { retryAfterSeconds } from "../limits.ts";

export interface SlotLimits {
  readonly perUser: number;
  readonly total: number;
}

export class StreamSlots {
  readonly #limits: SlotLimits;
  readonly #ofUser = new Map<string, number>();
  #taken = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Held until it is disposed of, once or more often. Throws Problem 429 or 503. */
  take(userHash: string): Disposable {
    const own = this.#ofUser.get(userHash) ?? 0;
    if (own >= this.#limits.perUser) {
      throw refusal(429, "too_many_streams", `Cannot send more than ${own} answers to one user at a time`);
    }
    if (this.#taken >= this.#limits.total) {
      throw refusal(503, "streams_exhausted", "Too many answers are being sent to all users");
    }
    this.#taken++;
    this.#ofUser.set(userHash, own + 1);
    let isHeld = true;
    const give = () => {
      if (isHeld) {
        isHeld = false;
        this.#give(userHash);
      }
    };
    return { [Symbol.dispose]: give };
  }

  #give(userHash: string): void {
    this.#taken--;
    const own = (this.#ofUser.get(userHash) ?? 1) - 1;
    if (own === 0) {
      this.#ofUser.delete(userHash);
    } else {
      this.#ofUser.set(userHash, own);
    }
  }
}

function refusal(status: number, code: string, what: string): Problem {
  return new Problem({
    status,
    code,
    message: `${what}; try again in ${retryAfterSeconds} s`,
    headers: { "retry-after": String(retryAfterSeconds) },
  });
}
