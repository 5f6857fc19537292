/**
 * How far the clock of another machine is from ours, by stamps of four moments (RFC 5905, section 8): we ask, they
 * receive, they send, we have the answer. Pure.
 *
 * What counts is the order only, not that both ways take as long: the true offset lies between asked - received and
 * answered - sent. Clocks drift apart by 15 parts in a million at most (PHI of RFC 5905), if NTP holds them.
 */

/** Nanoseconds since the epoch; the first and last by our clock, the others by theirs. */
export interface ClockSample {
  readonly askedNs: bigint;
  /** At the latest. */
  readonly receivedNs: bigint;
  /** At the earliest. */
  readonly sentNs: bigint;
  readonly answeredNs: bigint;
}

interface ClockOffset {
  /** What is added to a time of theirs. */
  readonly addNs: bigint;
  /** The true offset is this near. */
  readonly withinNs: bigint;
}

export const driftPerMillion = 15;

/** At a time of theirs, by the sample that says most about it; null without a sample that can be true. */
export function clockOffset(samples: readonly ClockSample[], atNs: bigint): ClockOffset | null {
  let best: ClockOffset | null = null;
  for (const { askedNs, receivedNs, sentNs, answeredNs } of samples) {
    const [low, high] = [askedNs - receivedNs, answeredNs - sentNs];
    const awayNs = atNs > sentNs ? atNs - sentNs : receivedNs > atNs ? receivedNs - atNs : 0n;
    const withinNs = (high - low + 1n) / 2n + (awayNs * BigInt(driftPerMillion)) / 1_000_000n;
    if (high >= low && (best === null || withinNs < best.withinNs)) {
      best = { addNs: low + (high - low) / 2n, withinNs };
    }
  }
  return best;
}
