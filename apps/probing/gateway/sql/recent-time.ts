/**
 * How much of the engine each reader has used lately: heavy ones get less of the processor while others want it, where
 * the store may set priorities (CAP_SYS_NICE).
 */
import { heavyMs, readersRememberedMax, recentHalfMs } from "./limits.ts";

interface Used {
  readonly ms: number;
  readonly atMs: number;
}

/** Milliseconds used lately, and the nice value from there on. */
const steps = [
  [heavyMs, 19],
  [5000, 12],
  [1000, 6],
] as const;

export class RecentTime {
  readonly #used = new Map<string, Used>();

  add(who: string, usedMs: number, nowMs: number): void {
    const ms = this.#of(who, nowMs) + usedMs;
    this.#used.delete(who);
    this.#used.set(who, { ms, atMs: nowMs });
    if (this.#used.size > readersRememberedMax) {
      const [oldest = who] = this.#used.keys();
      this.#used.delete(oldest);
    }
  }

  /** 0 to 19, as of nice(1). */
  niceOf(who: string, nowMs: number): number {
    const usedMs = this.#of(who, nowMs);
    return steps.find(([from]) => usedMs >= from)?.[1] ?? 0;
  }

  isHeavy(who: string, nowMs: number): boolean {
    return this.#of(who, nowMs) >= heavyMs;
  }

  #of(who: string, nowMs: number): number {
    const { ms, atMs } = this.#used.get(who) ?? { ms: 0, atMs: nowMs };
    return ms * 0.5 ** ((nowMs - atMs) / recentHalfMs);
  }
}
