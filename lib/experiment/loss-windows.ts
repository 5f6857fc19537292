/**
 * When answers were missing, from probes sent in equal intervals: the data plane's side of a withdrawal. Pure.
 *
 * A window is known to the interval only: answers ended between the last probe that was answered and the first that was
 * not, and came again likewise.
 */

/** A probe to one target. */
interface WatchProbe {
  /** Nanoseconds since the epoch. */
  readonly sentNs: bigint;
  readonly isAnswered: boolean;
}

interface LossWindow {
  /** The first probe without an answer. */
  readonly firstLostNs: bigint;
  /** The last probe before it that was answered; null = none was. */
  readonly lastAnsweredNs: bigint | null;
  /** The first one behind it that was answered; null = none was until the end. */
  readonly againNs: bigint | null;
  readonly lost: number;
}

/** `probes` in the order in which they were sent. Windows of fewer than `lostMin` probes are chance, and left out. */
export function lossWindows(probes: readonly WatchProbe[], lostMin: number): LossWindow[] {
  const windows: LossWindow[] = [];
  let lastAnsweredNs: bigint | null = null;
  let open: { firstLostNs: bigint; lastAnsweredNs: bigint | null; lost: number } | null = null;
  for (const { sentNs, isAnswered } of probes) {
    if (!isAnswered) {
      open = open ?? { firstLostNs: sentNs, lastAnsweredNs, lost: 0 };
      open.lost++;
      continue;
    }
    if (open !== null) {
      windows.push({ ...open, againNs: sentNs });
      open = null;
    }
    lastAnsweredNs = sentNs;
  }
  const all = open === null ? windows : [...windows, { ...open, againNs: null }];
  return all.filter(({ lost }) => lost >= lostMin);
}
