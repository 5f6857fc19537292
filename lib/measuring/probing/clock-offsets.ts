/**
 * A clock's offset at many times: as clockOffset, whose cost grows with the samples for each of them.
 *
 * Between its samples a clock is known less precisely, and all samples lose precision at the same rate. So of those
 * before a time the same one is best for all later times, until a better one: it is found in a sorted list.
 */
import { countUntil } from "../../base/list/count-until.ts";
import { type ClockSample, clockOffset, driftPerMillion } from "./clocks.ts";

const drift = BigInt(driftPerMillion);
const million = 1_000_000n;

/** The best of some samples, by their bound in millionths of a nanosecond at time 0. */
interface Best {
  readonly sample: ClockSample;
  readonly bound: bigint;
}

export class ClockOffsets {
  readonly #bySent: readonly ClockSample[];
  readonly #byReceived: readonly ClockSample[];
  /**
   * By `sentNs`: those whose bounds are coarser than the duration of the exchange, as with a clock in milliseconds;
   * they are not in `byReceived`.
   */
  readonly #crossed: readonly ClockSample[];
  readonly #behindCrossed: readonly Best[];
  /** The best of the first i + 1 by `sentNs`, for later times; of those from i on by `receivedNs`, for earlier ones. */
  readonly #before: readonly Best[];
  readonly #behind: readonly Best[];
  /** The latest `sentNs` of the first i + 1 by `receivedNs`. */
  readonly #lastSentNs: readonly bigint[];

  constructor(samples: readonly ClockSample[]) {
    const possible = samples.filter((one) => rangeOf(one) >= 0n);
    const isCrossed = ({ receivedNs, sentNs }: ClockSample) => receivedNs > sentNs;
    this.#bySent = possible.toSorted((a, b) => compare(a.sentNs, b.sentNs));
    this.#crossed = this.#bySent.filter(isCrossed);
    const regular = possible.filter((one) => !isCrossed(one));
    this.#byReceived = regular.toSorted((a, b) => compare(a.receivedNs, b.receivedNs));
    this.#before = bests(this.#bySent, (one) => halfOf(one) * million - drift * one.sentNs);
    const earlier = (one: ClockSample) => halfOf(one) * million + drift * one.receivedNs;
    this.#behind = bests(this.#byReceived.toReversed(), earlier).toReversed();
    this.#behindCrossed = bests(this.#crossed.toReversed(), earlier).toReversed();
    let lastNs = 0n;
    this.#lastSentNs = this.#byReceived.map(({ sentNs }, i) => {
      lastNs = i === 0 || sentNs > lastNs ? sentNs : lastNs;
      return lastNs;
    });
  }

  /** At a time of theirs; null without a plausible sample. */
  at(atNs: bigint) {
    const sent = countUntil(this.#bySent.length, (i) => (this.#bySent[i]?.sentNs ?? 0n) < atNs);
    const received = countUntil(
      this.#byReceived.length,
      (i) => (this.#byReceived[i]?.receivedNs ?? 0n) <= atNs,
    );
    const crossed = countUntil(this.#crossed.length, (i) => (this.#crossed[i]?.sentNs ?? 0n) < atNs);
    const nearest = [
      ...[this.#before[sent - 1]?.sample, this.#behind[received]?.sample],
      this.#behindCrossed[crossed]?.sample,
    ];
    const around: ClockSample[] = [];
    for (let i = received - 1; (this.#lastSentNs[i] ?? -1n) >= atNs && i >= 0; i--) {
      const one = this.#byReceived[i];
      if (one !== undefined && one.sentNs >= atNs) {
        around.push(one);
      }
    }
    return clockOffset([...nearest.filter((one) => one !== undefined), ...around], atNs);
  }
}

function rangeOf({ askedNs, receivedNs, sentNs, answeredNs }: ClockSample): bigint {
  return answeredNs - sentNs - (askedNs - receivedNs);
}

function halfOf(sample: ClockSample): bigint {
  return (rangeOf(sample) + 1n) / 2n;
}

/** For each index, the best sample up to it. */
function bests(samples: readonly ClockSample[], boundOf: (sample: ClockSample) => bigint): Best[] {
  let best: Best | null = null;
  return samples.map((sample): Best => {
    const bound = boundOf(sample);
    best = best === null || bound < best.bound ? { sample, bound } : best;
    return best;
  });
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
