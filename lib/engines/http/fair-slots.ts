/**
 * Slots for work that a client can prolong, such as uploads and streams: a total number, shared fairly.
 *
 * While there is room a user may have up to `ofOneMax`. When there is none, and a user with fewer slots waits, the
 * slowest slot of the user with most is withdrawn. When no user has more than one, a user without a slot gets the
 * slowest one that was held for `safeMs`. So neither many connections nor many accounts can lock out a user with a
 * small body, or an active reader. Waiting users are served in that order too: fewest slots, then first come.
 */
interface FairLimits {
  readonly placesMax: number;
  readonly ofOneMax: number;
  /** Requests that may wait. */
  readonly lineMax: number;
  readonly waitMs: number;
  /** Time for which a user keeps a single slot. */
  readonly safeMs: number;
}

/** Disposing releases it. */
export interface FairSlot extends Disposable {
  /** Aborted when the slot is withdrawn: its holder should end and release it at once. */
  readonly signal: AbortSignal;
  /** Reports how much the client has sent or read: the slowest slot is withdrawn first. */
  moved(bytes: number): void;
  /** Makes it permanent: the work no longer waits for the client. */
  keep(): void;
}

interface Waiting {
  readonly who: string;
  readonly resolve: (place: FairSlot | null) => void;
}

/** Interval of checks for waiting requests that time out, and slots that may be withdrawn. */
const lookMs = 100;

export class FairSlots {
  readonly #limits: FairLimits;
  readonly #nowMs: () => number;
  readonly #held = new Map<string, Set<HeldSlot>>();
  #taken = 0;
  /** Withdrawn, but not released yet. */
  #leaving = 0;
  readonly #line: Waiting[] = [];
  #timer: ReturnType<typeof setInterval> | null = null;

  /** `nowMs` is any monotonic clock. */
  constructor(limits: FairLimits, nowMs: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#nowMs = nowMs;
  }

  get taken(): number {
    return this.#taken;
  }

  heldBy(who: string): number {
    return this.#held.get(who)?.size ?? 0;
  }

  /** Resolves to null when the line is full or too slow. */
  take(who: string): Promise<FairSlot | null> {
    if (this.#hasRoom(who) && this.#line.every((waiting) => !this.#hasRoom(waiting.who))) {
      return Promise.resolve(this.#place(who));
    }
    if (this.#line.length >= this.#limits.lineMax && !this.#shortenLine(who)) {
      return Promise.resolve(null);
    }
    return this.#wait(who);
  }

  /** Without waiting: a slot that is withdrawn for it must be released in its signal's own event. Null = no room. */
  takeNow(who: string): FairSlot | null {
    if (this.#taken >= this.#limits.placesMax && this.heldBy(who) < this.#limits.ofOneMax) {
      this.#takeBackFor(who);
    }
    return this.#hasRoom(who) ? this.#place(who) : null;
  }

  async #wait(who: string): Promise<FairSlot | null> {
    const { promise, resolve } = Promise.withResolvers<FairSlot | null>();
    const waiting = { who, resolve };
    this.#line.push(waiting);
    const timer = setTimeout(() => this.#leaveLine(waiting), this.#limits.waitMs);
    this.#timer ??= setInterval(() => this.#check(), lookMs);
    this.#check();
    const place = await promise;
    clearTimeout(timer);
    return place;
  }

  #leaveLine(waiting: Waiting): void {
    const at = this.#line.indexOf(waiting);
    if (at >= 0) {
      this.#line.splice(at, 1);
      waiting.resolve(null);
      this.#rest();
    }
  }

  #rest(): void {
    if (this.#line.length === 0 && this.#timer !== null) {
      clearInterval(this.#timer);
      this.#timer = null;
    }
  }

  /** Drops the last request of the user with most waiting ones in favour of a user with fewer. */
  #shortenLine(who: string): boolean {
    const counts = new Map<string, number>();
    for (const waiting of this.#line) {
      counts.set(waiting.who, (counts.get(waiting.who) ?? 0) + 1);
    }
    const most = Math.max(...counts.values());
    const last = this.#line.findLast((waiting) => counts.get(waiting.who) === most);
    if (last === undefined || most < (counts.get(who) ?? 0) + 2) {
      return false;
    }
    this.#leaveLine(last);
    return true;
  }

  #hasRoom(who: string): boolean {
    const { placesMax, ofOneMax } = this.#limits;
    return this.#taken < placesMax && this.heldBy(who) < ofOneMax;
  }

  /** Assigns free slots, and withdraws slots for those still waiting. */
  #check(): void {
    const line = this.#line.toSorted((a, b) => this.heldBy(a.who) - this.heldBy(b.who));
    let coming = this.#leaving;
    for (const waiting of line) {
      if (this.#hasRoom(waiting.who)) {
        this.#line.splice(this.#line.indexOf(waiting), 1);
        waiting.resolve(this.#place(waiting.who));
      } else if (this.heldBy(waiting.who) < this.#limits.ofOneMax && --coming < 0) {
        this.#takeBackFor(waiting.who);
      }
    }
    this.#rest();
  }

  #takeBackFor(who: string): void {
    const own = this.heldBy(who);
    const holders = [...this.#held.values()].map((places) => [...places].filter((place) => place.isLoose));
    const most = Math.max(0, ...holders.map((places) => places.length));
    const isUneven = most >= own + 2;
    if (!isUneven && own > 0) {
      return;
    }
    const nowMs = this.#nowMs();
    const mayGo = holders
      .filter((places) => places.length === most)
      .flat()
      .filter((place) => isUneven || nowMs - place.sinceMs >= this.#limits.safeMs)
      .toSorted((a, b) => a.speed(nowMs) - b.speed(nowMs));
    const [slowest] = mayGo;
    if (slowest !== undefined) {
      this.#leaving++;
      slowest.takeBack();
    }
  }

  #place(who: string): FairSlot {
    const place = new HeldSlot(this.#nowMs(), () => this.#giveBack(who, place));
    this.#taken++;
    this.#held.set(who, (this.#held.get(who) ?? new Set()).add(place));
    return place;
  }

  #giveBack(who: string, place: HeldSlot): void {
    const places = this.#held.get(who);
    if (places?.delete(place) !== true) {
      return;
    }
    this.#taken--;
    if (place.signal.aborted) {
      this.#leaving--;
    }
    if (places.size === 0) {
      this.#held.delete(who);
    }
    this.#check();
  }
}

class HeldSlot implements FairSlot {
  readonly sinceMs: number;
  readonly #end = new AbortController();
  readonly #giveBack: () => void;
  #bytes = 0;
  #isKept = false;

  constructor(sinceMs: number, giveBack: () => void) {
    this.sinceMs = sinceMs;
    this.#giveBack = giveBack;
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** Whether it can be withdrawn. */
  get isLoose(): boolean {
    return !this.#isKept && !this.#end.signal.aborted;
  }

  speed(nowMs: number): number {
    return this.#bytes / Math.max(1, nowMs - this.sinceMs);
  }

  moved(bytes: number): void {
    this.#bytes += bytes;
  }

  keep(): void {
    this.#isKept = true;
  }

  takeBack(): void {
    this.#end.abort();
  }

  [Symbol.dispose](): void {
    this.#giveBack();
  }
}
