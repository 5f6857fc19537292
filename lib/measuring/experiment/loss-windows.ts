/**
 * When answers were missing, from probes that leave in turn: the data plane's side of a withdrawal. Pure.
 *
 * Each probe carries its turn, so a sender that is late loses nothing, and what is lost is counted. A window is known
 * to the interval: answers ended between the last probe that was answered and the one behind it, and began likewise.
 */

interface AnsweredProbe {
  /** Nanoseconds since the epoch. */
  readonly sentNs: bigint;
  /** Number of the probe, from 0, modulo `turns`. */
  readonly turn: number;
}

interface LossWindow<Probe> {
  /** The last probe before it that was answered. */
  readonly last: Probe;
  /** When the first one without an answer was due. */
  readonly firstLostNs: bigint;
  /** The first one behind it that was answered; null = none was until the end. */
  readonly again: Probe | null;
  readonly lost: number;
}

interface Watch {
  readonly everyNs: bigint;
  /** Probes that were sent. */
  readonly times: number;
  readonly turns: number;
  /** Fewer that are lost in a row are chance. */
  readonly lostMin: number;
}

/**
 * `answered`: probes to a target about in the order in which they left. What is lost before the first of them is not
 * counted; where more than `turns` were, the number of those lost until the end may be wrong by as many.
 */
export function lossWindows<Probe extends AnsweredProbe>(
  answered: readonly Probe[],
  watch: Watch,
): LossWindow<Probe>[] {
  const { everyNs, times, turns, lostMin } = watch;
  const inOrder = numbered(answered, watch);
  return inOrder
    .map(({ probe: last, number }, i): LossWindow<Probe> => {
      const next = inOrder[i + 1];
      const left = times - 1 - number;
      // Whole turns may be a wrong count of those before the first answer, and no loss.
      const untilEnd = left % turns === 0 ? 0 : left;
      const lost = next === undefined ? untilEnd : next.number - number - 1;
      return { last, firstLostNs: last.sentNs + everyNs, again: next?.probe ?? null, lost };
    })
    .filter(({ lost }) => lost >= lostMin);
}

/** Each with its number from the first one's turn on: the nearest that its turn and its time allow. */
function numbered<Probe extends AnsweredProbe>(answered: readonly Probe[], { everyNs, turns }: Watch) {
  let before: { readonly probe: Probe; readonly number: number } | null = null;
  const found: { readonly probe: Probe; readonly number: number }[] = [];
  for (const probe of answered) {
    const byTime: number =
      before === null ? 0 : before.number + Number(probe.sentNs - before.probe.sentNs) / Number(everyNs);
    const expected = before === null || byTime - before.number < turns / 2 ? (before?.number ?? 0) : byTime;
    const number: number = before === null ? probe.turn : expected + nearest(probe.turn - expected, turns);
    before = { probe, number: Math.round(number) };
    found.push(before);
  }
  return found.sort((a, b) => a.number - b.number);
}

/** The least step, forwards or back, that is `step` modulo `turns`. */
function nearest(step: number, turns: number): number {
  const forwards = ((step % turns) + turns) % turns;
  return forwards > turns / 2 ? forwards - turns : forwards;
}
