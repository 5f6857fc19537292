/**
 * Where the answers are that an agent lost when it was killed. Pure.
 *
 * Capture keeps the order of the interface. So what the kernel had and did not hand over is the tail of what came until
 * the agent's end, and what came while none ran ends where the next one's first answer is. The agent's own count of
 * what it had been handed, which outlives it, has to say the same. What fits neither has no cause, and is a fault.
 */

/** The end of an agent that was killed. */
export interface Kill {
  readonly agentId: string;
  /** When nothing of it ran any more; milliseconds since the epoch. */
  readonly endedAtMs: number;
  /** Answers that capture had handed over and that fitted, as its memory says: a batch may be missing. */
  readonly handedOver: number;
}

/** Answers to probes of the agent, in the order in which they came to its interface. */
interface Arrivals {
  readonly indices: readonly number[];
  readonly atMs: readonly number[];
}

export interface KillTrace {
  /** Answers at the interface until the end, and how many of them capture had handed over. */
  readonly arrived: number;
  readonly handedOver: number;
  /** Probes without a row: their answer was in the kernel's ring. */
  readonly inKernel: number;
  /** Milliseconds from the oldest of those to the end. */
  readonly tailMs: number;
  /** Probes without a row: their answer came when no agent ran. */
  readonly whileAway: number;
  /** Answers lost in either way to probes that were sent again, and have a row. */
  readonly askedAgain: number;
  /** Answers lost, and none of this fits. */
  readonly unexplained: number;
}

/** Two cores may give packets to two listeners in another order. */
const orderMs = 1;

/** `rows`: of each probe, by index. `batchMax`: answers of one batch of capture, which its count may lack. */
export function traceKill(
  { endedAtMs, handedOver }: Kill,
  arrivals: Arrivals,
  rows: Uint8Array,
  batchMax: number,
): KillTrace {
  const { atMs, indices } = arrivals;
  const isLost = lostOnes(arrivals, rows);
  const [lastTakenMs, firstTakenMs] = takenAround(atMs, isLost, endedAtMs);
  let [inKernel, whileAway, askedAgain, unexplained, oldestMs] = [0, 0, 0, 0, endedAtMs];
  let tail = 0;
  for (const [i, at] of atMs.entries()) {
    if (isLost[i] !== true) {
      continue;
    }
    const isBefore = at <= endedAtMs;
    const hasCause = isBefore ? at >= lastTakenMs - orderMs : at <= firstTakenMs + orderMs;
    tail += isBefore && hasCause ? 1 : 0;
    if (!hasCause) {
      unexplained++;
    } else if ((rows[indices[i] ?? 0] ?? 0) > 0) {
      askedAgain++;
    } else if (isBefore) {
      inKernel++;
      oldestMs = Math.min(oldestMs, at);
    } else {
      whileAway++;
    }
  }
  const arrived = atMs.filter((at) => at <= endedAtMs).length;
  const counted = arrived - handedOver;
  // By count there were as many in the ring as by order, but for a batch that was handed over and not counted.
  unexplained += Math.max(0, tail - counted, counted - batchMax - tail);
  return { arrived, handedOver, inKernel, tailMs: endedAtMs - oldestMs, whileAway, askedAgain, unexplained };
}

/** Among several answers to one probe, the first ones are those without a row. */
function lostOnes({ indices }: Arrivals, rows: Uint8Array): boolean[] {
  const missing = new Map<number, number>();
  for (const index of indices) {
    missing.set(index, (missing.get(index) ?? -(rows[index] ?? 0)) + 1);
  }
  return indices.map((index) => {
    const left = missing.get(index) ?? 0;
    missing.set(index, left - 1);
    return left > 0;
  });
}

/** When the last answer came that was handed over before the end, and the first one behind it. */
function takenAround(atMs: readonly number[], isLost: readonly boolean[], endedAtMs: number) {
  let [last, first] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const [i, at] of atMs.entries()) {
    if (isLost[i] !== true) {
      last = at <= endedAtMs ? Math.max(last, at) : last;
      first = at > endedAtMs ? Math.min(first, at) : first;
    }
  }
  return [last, first] as const;
}
