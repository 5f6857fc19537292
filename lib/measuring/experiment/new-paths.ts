/**
 * Which answers came by another way than the one before them: to another receiver, from another router, or over a path
 * back of another length. Pure.
 *
 * Looks overlap, so answers may arrive after later ones. Each is compared with the one before it in time.
 */

/** `sender`: who probed; empty = not known. */
export interface PathAnswer {
  readonly sender: string;
  readonly target: string;
  readonly ttl: number;
  readonly receiver: string;
  readonly router: string;
  /** TTL that the answer arrived with: what its way back has left of it. */
  readonly replyTtl: number;
  /** Nanoseconds since the epoch, by the receiver's clock. */
  readonly sentNs: bigint;
}

interface NewPath {
  readonly answer: PathAnswer;
  readonly before: PathAnswer;
}

/** Ways of a flow that are remembered: the latest; what flaps more often is not compared with what was long ago. */
const waysMax = 16;

export class PathsSeen {
  /** By flow, the first answer of each way, in the order of their times. */
  readonly #flows = new Map<string, PathAnswer[]>();

  /** Those that came by another way than the answer before them; a flow's first one has none. */
  take(answers: readonly PathAnswer[]): NewPath[] {
    const sorted = answers.toSorted((a, b) => (a.sentNs < b.sentNs ? -1 : a.sentNs > b.sentNs ? 1 : 0));
    return sorted.flatMap((answer) => this.#add(answer));
  }

  #add(answer: PathAnswer): NewPath[] {
    const key = `${answer.sender} ${answer.target} ${answer.ttl}`;
    const ways = this.#flows.get(key) ?? [];
    this.#flows.set(key, ways);
    const at = ways.findLastIndex(({ sentNs }) => sentNs <= answer.sentNs);
    const before = ways[at];
    if (before !== undefined && isSameWay(before, answer)) {
      return [];
    }
    const after = ways[at + 1];
    const isSooner = after !== undefined && isSameWay(after, answer);
    ways.splice(at + 1, isSooner ? 1 : 0, answer);
    if (ways.length > waysMax) {
      ways.shift();
    }
    return before === undefined ? [] : [{ answer, before }];
  }
}

function isSameWay(a: PathAnswer, b: PathAnswer): boolean {
  return a.receiver === b.receiver && a.router === b.router && a.replyTtl === b.replyTtl;
}
