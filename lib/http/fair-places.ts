/**
 * Places for work that a client can draw out, such as uploads and streams: a number in all, and fair shares of it.
 *
 * While there is room everybody may have up to `ofOneMax`. When there is none, and somebody waits who has fewer than
 * others, a place of the one who has most is taken back: the slowest. When nobody has more than one, whoever has none
 * gets the slowest that was held for `safeMs`. So neither many connections nor many accounts keep anybody out who
 * comes with a small body, or a reader that reads.
 *
 * Those who wait are served in that order too: first who has least, then who came first.
 */
interface FairLimits {
  readonly placesMax: number;
  readonly ofOneMax: number;
  /** Those who wait. */
  readonly lineMax: number;
  readonly waitMs: number;
  /** Kept for so long by whoever has one place only. */
  readonly safeMs: number;
}

/** Disposing it gives it back. */
export interface Place extends Disposable {
  /** Aborted when the place is taken back: its holder should end, and give it back, at once. */
  readonly signal: AbortSignal;
  /** Says how much the client has sent, or read: the place that moves least is the first to go. */
  moved(bytes: number): void;
  /** It cannot be taken back any more: no client is waited for. */
  keep(): void;
}

interface Waiting {
  readonly who: string;
  readonly resolve: (place: Place | null) => void;
}

/** How often those who wait are looked at: whose time is over, and what has become old enough to be taken back. */
const lookMs = 100;

export class FairPlaces {
  readonly #limits: FairLimits;
  readonly #nowMs: () => number;
  readonly #held = new Map<string, Set<HeldPlace>>();
  #taken = 0;
  /** Taken back, and not given back yet. */
  #leaving = 0;
  readonly #line: Waiting[] = [];
  #timer: ReturnType<typeof setInterval> | null = null;

  /** `nowMs` is any clock that only goes forward. */
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

  /** Resolves to null when the line is full, or moved too slowly. */
  take(who: string): Promise<Place | null> {
    if (this.#hasRoom(who) && this.#line.every((waiting) => !this.#hasRoom(waiting.who))) {
      return Promise.resolve(this.#place(who));
    }
    if (this.#line.length >= this.#limits.lineMax && !this.#shortenLine(who)) {
      return Promise.resolve(null);
    }
    return this.#wait(who);
  }

  async #wait(who: string): Promise<Place | null> {
    const { promise, resolve } = Promise.withResolvers<Place | null>();
    const waiting = { who, resolve };
    this.#line.push(waiting);
    const timer = setTimeout(() => this.#leaveLine(waiting), this.#limits.waitMs);
    this.#timer ??= setInterval(() => this.#look(), lookMs);
    this.#look();
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

  /** The last one of whoever waits most often makes room for one who waits less often. */
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

  /** Hands out what is free, and takes back what those who still wait may have. */
  #look(): void {
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

  #place(who: string): Place {
    const place = new HeldPlace(this.#nowMs(), () => this.#giveBack(who, place));
    this.#taken++;
    this.#held.set(who, (this.#held.get(who) ?? new Set()).add(place));
    return place;
  }

  #giveBack(who: string, place: HeldPlace): void {
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
    this.#look();
  }
}

class HeldPlace implements Place {
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

  /** Whether it can be taken back. */
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
