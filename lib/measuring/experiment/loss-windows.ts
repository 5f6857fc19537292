/**
 * When replies were missing, from probes sent in turn: the data plane's side of a withdrawal. Pure.
 *
 * Each probe carries its turn, so a late sender loses nothing, and lost ones are counted. A window is known to the
 * interval: replies ended between the last answered probe and the next one, and resumed likewise.
 */

interface AnsweredProbe {
  /** Nanoseconds since the epoch. */
  readonly sentNs: bigint;
  /** Number of the probe, from 0, modulo `turns`. */
  readonly turn: number;
}

interface LossWindow<Probe> {
  /** The last answered probe before it. */
  readonly last: Probe;
  /** When the first one without a reply was due. */
  readonly firstLostNs: bigint;
  /** The first answered one after it; null = none until the end. */
  readonly again: Probe | null;
  readonly lost: number;
}

interface Watch {
  readonly everyNs: bigint;
  /** Probes sent. */
  readonly times: number;
  readonly turns: number;
  /** Fewer lost in a row are chance. */
  readonly lostMin: number;
}

/**
 * `answered`: probes to a target roughly in send order. Losses before the first of them are not counted; with more than
 * `turns` losses, the count until the end may be off by a multiple of it.
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
      // Whole turns may be a miscount before the first reply, not a loss.
      const untilEnd = left % turns === 0 ? 0 : left;
      const lost = next === undefined ? untilEnd : next.number - number - 1;
      return { last, firstLostNs: last.sentNs + everyNs, again: next?.probe ?? null, lost };
    })
    .filter(({ lost }) => lost >= lostMin);
}

/** Each with its number counted from the first one: the nearest that its turn and its time allow. */
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

/** The smallest step, forward or back, that equals `step` modulo `turns`. */
function nearest(step: number, turns: number): number {
  const forwards = ((step % turns) + turns) % turns;
  return forwards > turns / 2 ? forwards - turns : forwards;
}
