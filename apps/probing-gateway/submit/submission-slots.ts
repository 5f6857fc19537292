/**
 * Who may submit now: some at once, of one user no more than half of them; the others wait in line for a moment.
 *
 * So a user whose bodies come slowly, or who cuts them off, takes nobody else's place. A body is not read while it
 * waits: its client is held up by TCP.
 */

export interface SlotLimits {
  readonly slotsMax: number;
  readonly slotsOfUserMax: number;
  readonly lineMax: number;
  readonly waitMs: number;
}

interface Waiting {
  readonly user: string;
  readonly resolve: (slot: Disposable | null) => void;
}

export class SubmissionSlots {
  readonly #limits: SlotLimits;
  /** Slots taken, by user; nobody has 0. */
  readonly #taken = new Map<string, number>();
  #takenInAll = 0;
  /** First come first; while slots are free, only of users who have theirs. */
  readonly #line = new Set<Waiting>();

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Resolves to a slot, which is given back by disposing it; null when the line is full, or moved too slowly. */
  take(user: string): Promise<Disposable | null> {
    if (this.#hasRoom(user)) {
      return Promise.resolve(this.#slot(user));
    }
    return this.#line.size < this.#limits.lineMax ? this.#wait(user) : Promise.resolve(null);
  }

  async #wait(user: string): Promise<Disposable | null> {
    const { promise, resolve } = Promise.withResolvers<Disposable | null>();
    const waiting = { user, resolve };
    this.#line.add(waiting);
    const timer = setTimeout(() => {
      this.#line.delete(waiting);
      resolve(null);
    }, this.#limits.waitMs);
    const slot = await promise;
    clearTimeout(timer);
    return slot;
  }

  #hasRoom(user: string): boolean {
    const { slotsMax, slotsOfUserMax } = this.#limits;
    return this.#takenInAll < slotsMax && (this.#taken.get(user) ?? 0) < slotsOfUserMax;
  }

  #slot(user: string): Disposable {
    this.#count(user, 1);
    return { [Symbol.dispose]: () => this.#giveBack(user) };
  }

  #giveBack(user: string): void {
    this.#count(user, -1);
    const next = [...this.#line].find((waiting) => this.#hasRoom(waiting.user));
    if (next !== undefined) {
      this.#line.delete(next);
      next.resolve(this.#slot(next.user));
    }
  }

  #count(user: string, change: 1 | -1): void {
    const taken = (this.#taken.get(user) ?? 0) + change;
    this.#takenInAll += change;
    if (taken === 0) {
      this.#taken.delete(user);
    } else {
      this.#taken.set(user, taken);
    }
  }
}
