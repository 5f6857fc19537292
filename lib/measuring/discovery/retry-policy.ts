/**
 * How often a probe is sent before its hop counts as silent.
 *
 * A router that rate-limits its replies and a link that loses them are indistinguishable: a repeated probe is answered.
 * So for each place (a TTL behind a router) the share q of silence is measured on probes that were eventually answered,
 * together with ten probes as silent as the whole unit's: a place with a single reply is weak evidence. A probe there
 * is sent n times, so that all n are silent by chance in 1 of 100,000 cases: q^n <= 0.00001, n from 2 to 8. At 5 %
 * loss, a hop crossed by one flow is probed four times; with 1 of 100 cases, 1 of 400 such hops was lost. Rounds are
 * seconds apart, which gives a router's limit time to recover; a place with much silence gets only part of its repeated
 * probes in a round, as more would not be answered either.
 */
import type { FlowPath, FlowPaths } from "./flow-paths.ts";

const attemptsMin = 2;
const attemptsMax = 8;
const chanceMax = 0.000_01;
/** The whole unit counts as this many probes at each place. */
const wholeProbes = 10;
/** A place with more silence gets only part of its repeated probes in a round. */
const muchSilence = 0.3;

interface AnswerCount {
  answers: number;
  /** Before those replies. */
  silences: number;
}

export class RetryPolicy {
  readonly #places = new Map<number, AnswerCount>();
  readonly #turns = new Map<number, number>();
  readonly #whole: AnswerCount = { answers: 0, silences: 0 };

  constructor(paths: FlowPaths, subnets: readonly number[]) {
    for (const subnet of subnets) {
      for (const path of paths.of(subnet)) {
        for (let ttl = 1; ttl <= path.lastNode; ttl++) {
          if (path.node(ttl) >= 0) {
            const place = this.#places.get(placeKey(path, ttl)) ?? { answers: 0, silences: 0 };
            this.#places.set(placeKey(path, ttl), place);
            place.answers++;
            place.silences += path.silences(ttl);
            this.#whole.answers++;
            this.#whole.silences += path.silences(ttl);
          }
        }
      }
    }
  }

  /** Whether a probe is to be repeated: silent, before the end, and sent less often than its place needs. */
  needsRetry(path: FlowPath, ttl: number): boolean {
    const isSilent = path.isProbed(ttl) && path.node(ttl) < 0 && ttl < path.endTtl;
    return isSilent && path.silences(ttl) < attemptsOf(this.#likelySilence(path, ttl));
  }

  /** Whether a router there rate-limits its replies: then a flow without one is not evidence of a silent hop. */
  isLimited(path: FlowPath, ttl: number): boolean {
    return this.#silence(path, ttl) > muchSilence;
  }

  /** Whether this probe is among those that its place gets in this round; each call is one turn. */
  isInTurn(path: FlowPath, ttl: number): boolean {
    const silence = this.#silence(path, ttl);
    if (silence <= muchSilence) {
      return true;
    }
    const key = placeKey(path, ttl);
    // The first probe always has its turn: else a place with few probes would never be probed.
    const before = this.#turns.get(key) ?? silence;
    this.#turns.set(key, before + 1 - silence);
    return Math.floor(before + 1 - silence) > Math.floor(before);
  }

  #likelySilence(path: FlowPath, ttl: number): number {
    const { answers, silences } = this.#places.get(placeKey(path, ttl)) ?? { answers: 0, silences: 0 };
    const whole = this.#whole.silences / Math.max(1, this.#whole.answers + this.#whole.silences);
    return (silences + wholeProbes * whole) / (answers + silences + wholeProbes);
  }

  #silence(path: FlowPath, ttl: number): number {
    const { answers, silences } = this.#places.get(placeKey(path, ttl)) ?? { answers: 0, silences: 0 };
    return answers === 0 ? 0 : silences / (answers + silences);
  }
}

function attemptsOf(silence: number): number {
  const attempts = silence === 0 ? attemptsMin : Math.ceil(Math.log(chanceMax) / Math.log(silence));
  return Math.min(attemptsMax, Math.max(attemptsMin, attempts));
}

/** A TTL and the router before it; where that is silent, the TTL alone. */
function placeKey(path: FlowPath, ttl: number): number {
  return (Math.max(-1, path.node(ttl - 1)) + 1) * 128 + ttl;
}
