/** Expected remaining probes: those of the newest round, and of rounds that shrink as the last two did. */

interface Sent {
  readonly probes: number;
  readonly sent: number;
}

/** Null = unknown: fewer than two rounds, or growing ones. A round without probes is the end. */
export function restOf(rounds: readonly Sent[]): number | null {
  const [before, last] = rounds.slice(-2);
  if (rounds.at(-1)?.probes === 0) {
    return 0;
  }
  if (before === undefined || last === undefined || last.probes >= before.probes) {
    return null;
  }
  const share = last.probes / before.probes;
  return Math.round(last.probes - last.sent + (last.probes * share) / (1 - share));
}
