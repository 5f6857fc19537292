/**
 * The latest changes that one watcher's filter lets through, in order, each with a number. The reader says from which
 * number it reads, so a reader that was cut off resumes where it was; one that is too slow, or disconnected for too
 * long, gets the number of changes that it has missed.
 */
import type { Change } from "./route-filter.ts";

interface Received {
  /** Changes that are not kept any more. */
  readonly missed: number;
  readonly changes: readonly Change[];
  /** Where to read on. */
  readonly next: number;
}

/** By message: an UPDATE has many events. */
const texts = new WeakMap<Uint8Array, string>();

function hexOf(raw: Uint8Array): string {
  const text = texts.get(raw) ?? raw.toHex().toUpperCase();
  texts.set(raw, text);
  return text;
}

export class RouteWatch {
  /** Whether changes are kept with the messages that they were in. */
  wantsRaw = false;
  readonly #wants: (change: Change) => boolean;
  readonly #max: number;
  /** The change of number n is at n modulo `max`. */
  #kept: Change[] = [];
  #next = 0;
  readonly #waiting = new Set<() => void>();
  #reason: string | null = null;

  /** `max`: changes that are kept. */
  constructor(wants: (change: Change) => boolean, max: number) {
    this.#wants = wants;
    this.#max = max;
  }

  /** The number that the next change gets. */
  get next(): number {
    return this.#next;
  }

  /** Why nothing more follows; null = it continues. */
  get endReason(): string | null {
    return this.#reason;
  }

  /** `raw`: the BGP message that an event was in, whose bytes are used again when this returns. */
  take(change: Change, raw: Uint8Array | null = null): void {
    if (this.#wants(change)) {
      const isRaw = change.kind === "event" && raw !== null && this.wantsRaw;
      this.#kept[this.#next % this.#max] = isRaw ? { ...change, raw: hexOf(raw) } : change;
      this.#next++;
      this.wake();
    }
  }

  read(from: number, changesMax: number): Received {
    const first = Math.max(from, this.#next - this.#max);
    const end = Math.min(this.#next, first + changesMax);
    const changes: Change[] = [];
    for (let number = first; number < end; number++) {
      const change = this.#kept[number % this.#max];
      if (change !== undefined) {
        changes.push(change);
      }
    }
    return { missed: first - from, changes, next: end };
  }

  /** Resolves when there is a change from this number on, at the end, by `wake`, and after the time. */
  async more(from: number, waitMs: number): Promise<void> {
    if (this.#next > from || this.#reason !== null) {
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, waitMs);
    this.#waiting.add(resolve);
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(resolve);
  }

  end(reason: string): void {
    this.#reason ??= reason;
    this.wake();
  }

  /** Wakes those who wait. */
  wake(): void {
    for (const resolve of this.#waiting) {
      resolve();
    }
  }
}
