/**
 * The offset of another machine's clock from ours, by four timestamps (RFC 5905 s.8): our request, its receipt, the
 * response, its receipt here. Pure.
 *
 * Only the order matters; both directions need not take equally long: the true offset is between asked - received and
 * answered - sent. Clocks drift apart by 15 parts in a million at most (PHI of RFC 5905), if disciplined by NTP.
 */

/** Nanoseconds since the epoch; the first and last by our clock, the others by theirs. */
export interface ClockSample {
  readonly askedNs: bigint;
  /** They received at this time or before. */
  readonly receivedNs: bigint;
  /** They sent at this time or later. */
  readonly sentNs: bigint;
  readonly answeredNs: bigint;
}

interface ClockOffset {
  /** Add this to a time of theirs to get ours. */
  readonly addNs: bigint;
  /** The true offset is within this of `addNs`. */
  readonly withinNs: bigint;
}

export const driftPerMillion = 15;

/**
 * The offset at a time of theirs, by the sample with the narrowest bounds; null without a plausible sample.
 */
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
