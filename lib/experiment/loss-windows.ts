/**
 * When answers were missing, from probes sent in equal intervals: the data plane's side of a withdrawal. Pure.
 *
 * A window is known to the interval only: answers ended between the last probe that was answered and the first that was
 * not, and came again likewise. What counts is the time between answered probes, so a sender that is late is no loss.
 */

interface LossWindow {
  /** The last probe before it that was answered. */
  readonly lastAnsweredNs: bigint;
  /** The first probe without an answer. */
  readonly firstLostNs: bigint;
  /** The first one behind it that was answered; null = none was until the end. */
  readonly againNs: bigint | null;
  /** To one target, by the interval. */
  readonly lost: number;
}

interface Watch {
  readonly everyNs: bigint;
  /** When the last probe left. */
  readonly endNs: bigint;
  /** Fewer that are lost in a row are chance. */
  readonly lostMin: number;
}

/** `answeredNs`: when the answered probes to a target left, in order, by whichever agent. None before the first. */
export function lossWindows(answeredNs: readonly bigint[], { everyNs, endNs, lostMin }: Watch): LossWindow[] {
  const windows = answeredNs.map((lastAnsweredNs, i): LossWindow => {
    const againNs = answeredNs[i + 1] ?? null;
    const untilNs = againNs ?? endNs + everyNs;
    const lost = Math.round(Number(untilNs - lastAnsweredNs) / Number(everyNs)) - 1;
    return { lastAnsweredNs, firstLostNs: lastAnsweredNs + everyNs, againNs, lost };
  });
  return windows.filter(({ lost }) => lost >= lostMin);
}
