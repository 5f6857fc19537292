/**
 * Submission rate of each user: requests a minute, and where an admin has set it, probes a second.
 *
 * Both are "not before" times. A request moves the user's time by a minute's share, and is refused when that is more
 * than a minute ahead; probes move theirs by their duration at the user's rate, and the next submission waits for it.
 * Kept in the memory of this gateway: n gateways accept n times as much at most.
 */
import { pacesRememberedMax } from "../limits.ts";

const minuteMs = 60_000;

interface PaceLimits {
  readonly requestsPerMinute: number;
  /** Null = limited by the quota only. */
  readonly probesPerSec: number | null;
}

interface Pace {
  requestsUntilMs: number;
  probesUntilMs: number;
  probesPerSec: number | null;
}

export class UserPace {
  readonly #paces = new Map<string, Pace>();

  /** Counts one request. Returns the seconds to wait when it is too early; 0 = accepted. */
  request(userHash: string, { requestsPerMinute, probesPerSec }: PaceLimits, nowMs: number): number {
    const pace = this.#paceOf(userHash);
    pace.probesPerSec = probesPerSec;
    if (probesPerSec !== null && pace.probesUntilMs > nowMs) {
      return Math.ceil((pace.probesUntilMs - nowMs) / 1000);
    }
    const untilMs = Math.max(nowMs, pace.requestsUntilMs) + minuteMs / requestsPerMinute;
    if (untilMs > nowMs + minuteMs) {
      return Math.ceil((untilMs - nowMs - minuteMs) / 1000);
    }
    pace.requestsUntilMs = untilMs;
    return 0;
  }

  /** Counts accepted probes x agents; negative = refused after all. */
  probes(userHash: string, probes: number, nowMs: number): void {
    const pace = this.#paceOf(userHash);
    if (pace.probesPerSec !== null) {
      pace.probesUntilMs = Math.max(nowMs, pace.probesUntilMs) + (1000 * probes) / pace.probesPerSec;
    }
  }

  /** Puts the user last in the map, so that the first entry is the least recently active. */
  #paceOf(userHash: string): Pace {
    const pace = this.#paces.get(userHash) ?? { requestsUntilMs: 0, probesUntilMs: 0, probesPerSec: null };
    this.#paces.delete(userHash);
    this.#paces.set(userHash, pace);
    if (this.#paces.size > pacesRememberedMax) {
      const [oldest = userHash] = this.#paces.keys();
      this.#paces.delete(oldest);
    }
    return pace;
  }
}
