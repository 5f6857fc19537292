/**
 * Replies that took another path than the previous one: to another receiver, from another router, or over a return path
 * of another length. Pure.
 *
 * Samples overlap, so replies may arrive after later ones. Each is compared with the previous one in time.
 */

/** `sender`: the probing agent; empty = unknown. */
export interface PathAnswer {
  readonly sender: string;
  readonly target: string;
  readonly ttl: number;
  readonly receiver: string;
  readonly router: string;
  /** TTL of the reply on arrival: what its return path has left of it. */
  readonly replyTtl: number;
  /** Nanoseconds since the epoch, by the receiver's clock. */
  readonly sentNs: bigint;
}

interface NewPath {
  readonly answer: PathAnswer;
  readonly before: PathAnswer;
}

/** Paths remembered per flow: the latest ones; a flow that flaps more often is not compared with the distant past. */
const waysMax = 16;

export class PathsSeen {
  /** By flow, the first reply of each path, in the order of their times. */
  readonly #flows = new Map<string, PathAnswer[]>();

  /** Replies that took another path than the reply before them; a flow's first one has none. */
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
