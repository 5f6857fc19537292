/**
 * How often a probe is asked again before its hop counts as silent.
 *
 * A router that limits its answers, and a link that loses them, look alike: probes that stay silent are answered when
 * they are asked again. So at each place (a TTL behind a router) the share q of silence is measured on probes that were
 * answered in the end, together with ten probes that are as silent as those of the unit as a whole: a place that has
 * answered one probe only says little by itself. A probe there is asked n times, such that all n would be silent by
 * chance in 1 of 100,000 cases: q^n <= 0.00001, n from 2 up to 8. So at 5 % loss a hop behind which one flow goes is
 * asked four times; with 1 of 100 cases, 1 of 400 such hops was lost. Rounds lie seconds apart, so a router's limit is
 * slept out meanwhile; and a place of much silence is asked for a part of what it owes only, as more would not be
 * answered either.
 */
import type { FlowPath, FlowPaths } from "./flow-paths.ts";

const asksMin = 2;
const asksMax = 8;
const chanceMax = 0.000_01;
/** So many probes of the unit as a whole count at each place. */
const wholeProbes = 10;
/** A place with more silence is asked for a part only. */
const muchSilence = 0.3;

interface AnswerCount {
  answers: number;
  /** Before those answers. */
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

  /** Whether a probe has to be asked again: silent, not behind the end, and less often than its place asks for. */
  isOwed(path: FlowPath, ttl: number): boolean {
    const isSilent = path.isAsked(ttl) && path.node(ttl) < 0 && ttl < path.endTtl;
    return isSilent && path.silences(ttl) < asksOf(this.#likelySilence(path, ttl));
  }

  /** Whether a router there limits its answers: then a flow without one is not taken for a silent hop. */
  isLimited(path: FlowPath, ttl: number): boolean {
    return this.#silence(path, ttl) > muchSilence;
  }

  /** Whether this probe is among those that its place is asked for in this round; each call is one turn. */
  isInTurn(path: FlowPath, ttl: number): boolean {
    const silence = this.#silence(path, ttl);
    if (silence <= muchSilence) {
      return true;
    }
    const key = placeKey(path, ttl);
    // The first one has its turn: else a place of few probes would never be asked.
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

function asksOf(silence: number): number {
  const asks = silence === 0 ? asksMin : Math.ceil(Math.log(chanceMax) / Math.log(silence));
  return Math.min(asksMax, Math.max(asksMin, asks));
}

/** A TTL and the router before it; where that is silent, the TTL alone. */
function placeKey(path: FlowPath, ttl: number): number {
  return (Math.max(-1, path.node(ttl - 1)) + 1) * 128 + ttl;
}
