/** Figures of a path that is traced again and again: by hop, router and flow, in constant memory. Pure. */
import type { Outcome, Path } from "../../../../lib/measuring/paths/path.ts";
import { rewrittenNames } from "../../../../lib/measuring/paths/rewriting.ts";
import { formatAddress } from "../../../../lib/net/ip/address.ts";

/** Sums from which the figures are made; RTTs in milliseconds. */
interface Sums {
  sent: number;
  answered: number;
  /** Answers whose RTT is known. */
  timed: number;
  mean: number;
  /** Sum of squared differences to the mean (Welford, Technometrics 4(3), 1962): it keeps the digits. */
  squares: number;
  best: number;
  worst: number;
  last: number | null;
  /** When `last` was added, counted in answers. */
  lastAt: number;
  /** Differences between one RTT and the next of the same flow. */
  steps: number;
  stepCount: number;
  /** Bits of what its quotes have otherwise than it was sent. */
  rewritten: number;
}

export interface HopFigures {
  readonly ttl: number;
  /** Routers that answered, the one with most answers first; empty = none. */
  readonly routers: readonly string[];
  /** Flows that answered. */
  readonly flows: number;
  readonly sent: number;
  readonly answered: number;
  readonly lossPercent: number;
  readonly lastMs: number | null;
  readonly meanMs: number | null;
  readonly bestMs: number | null;
  readonly worstMs: number | null;
  readonly deviationMs: number | null;
  /** Mean difference between an RTT and the one before it, of the same flow. */
  readonly jitterMs: number | null;
  /** What NATs have changed in the probes that its routers received. */
  readonly rewritten: readonly string[];
}

const nobody = "";

export class WatchedPath {
  cycles = 0;
  /** By TTL, flow and router. */
  readonly #sums = new Map<number, Map<number, Map<string, Sums>>>();
  #lastTtl = 0;
  #answers = 0;

  /** Adds what one more trace has found. */
  add(path: Path, firstTtl: number): void {
    this.cycles++;
    this.#lastTtl = path.lastTtl();
    for (let ttl = firstTtl; ttl <= this.#lastTtl; ttl++) {
      for (const { flow, sent, outcomes } of path.cellsOfHop(ttl)) {
        const known = outcomes.filter((outcome) => outcome !== "failed");
        for (const outcome of known.slice(0, sent)) {
          this.#take(ttl, flow, outcome);
        }
      }
    }
  }

  /** Hops of the last trace, or of its one flow. */
  hops(flow: number | null): HopFigures[] {
    const ttls = [...this.#sums.keys()].filter((ttl) => ttl <= this.#lastTtl).sort((a, b) => a - b);
    return ttls.map((ttl) => this.#figures(ttl, flow, null));
  }

  /** A row for each router of a hop. */
  routers(ttl: number, flow: number | null): HopFigures[] {
    const { routers } = this.#figures(ttl, flow, null);
    return routers.map((router) => this.#figures(ttl, flow, router));
  }

  #take(ttl: number, flow: number, outcome: Outcome): void {
    const isAnswer = typeof outcome !== "string";
    const sums = this.#at(ttl, flow, isAnswer ? formatAddress(outcome.from) : nobody);
    sums.sent++;
    if (!isAnswer) {
      return;
    }
    sums.answered++;
    sums.rewritten |= outcome.reply?.replyRewritten ?? 0;
    const { rttMs } = outcome;
    if (rttMs !== null) {
      sums.steps += sums.last === null ? 0 : Math.abs(rttMs - sums.last);
      sums.stepCount += sums.last === null ? 0 : 1;
      sums.timed++;
      const offMean = rttMs - sums.mean;
      sums.mean += offMean / sums.timed;
      sums.squares += offMean * (rttMs - sums.mean);
      sums.best = Math.min(sums.best, rttMs);
      sums.worst = Math.max(sums.worst, rttMs);
      sums.last = rttMs;
      sums.lastAt = ++this.#answers;
    }
  }

  #at(ttl: number, flow: number, router: string): Sums {
    const flows = this.#sums.get(ttl) ?? new Map<number, Map<string, Sums>>();
    const routers = flows.get(flow) ?? new Map<string, Sums>();
    const sums = routers.get(router) ?? noSums();
    this.#sums.set(ttl, flows);
    flows.set(flow, routers);
    routers.set(router, sums);
    return sums;
  }

  #figures(ttl: number, flow: number | null, router: string | null): HopFigures {
    const flows = [...(this.#sums.get(ttl) ?? [])].filter(([number]) => flow === null || number === flow);
    const entries = flows.flatMap(([number, routers]) =>
      [...routers].map(([name, sums]) => ({ number, name, sums })),
    );
    const own = entries.filter(({ name }) => router === null || name === router);
    const answering = own.filter(({ sums }) => sums.answered > 0);
    const total = added(own.map(({ sums }) => sums));
    const mean = total.timed === 0 ? null : total.mean;
    const variance = mean === null ? null : total.squares / total.timed;
    return {
      ttl,
      routers: byAnswers(answering),
      flows: new Set(answering.map(({ number }) => number)).size,
      sent: total.sent,
      answered: total.answered,
      lossPercent: total.sent === 0 ? 0 : (100 * (total.sent - total.answered)) / total.sent,
      lastMs: total.last,
      meanMs: mean,
      bestMs: mean === null ? null : total.best,
      worstMs: mean === null ? null : total.worst,
      deviationMs: variance === null ? null : Math.sqrt(variance),
      jitterMs: total.stepCount === 0 ? null : total.steps / total.stepCount,
      rewritten: rewrittenNames(total.rewritten),
    };
  }
}

function byAnswers(entries: readonly { readonly name: string; readonly sums: Sums }[]): string[] {
  const counts = new Map<string, number>();
  for (const { name, sums } of entries) {
    counts.set(name, (counts.get(name) ?? 0) + sums.answered);
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name);
}

function noSums(): Sums {
  return {
    ...{ sent: 0, answered: 0, timed: 0, mean: 0, squares: 0, steps: 0, stepCount: 0 },
    ...{ best: Number.POSITIVE_INFINITY, worst: 0, last: null, lastAt: 0, rewritten: 0 },
  };
}

function added(all: readonly Sums[]): Sums {
  const total = noSums();
  for (const sums of all) {
    total.sent += sums.sent;
    total.answered += sums.answered;
    if (sums.timed > 0) {
      const timed = total.timed + sums.timed;
      const apart = sums.mean - total.mean;
      total.squares += sums.squares + (apart * apart * total.timed * sums.timed) / timed;
      total.mean += (apart * sums.timed) / timed;
      total.timed = timed;
    }
    total.best = Math.min(total.best, sums.best);
    total.worst = Math.max(total.worst, sums.worst);
    if (sums.lastAt > total.lastAt) {
      total.last = sums.last;
      total.lastAt = sums.lastAt;
    }
    total.rewritten |= sums.rewritten;
    total.steps += sums.steps;
    total.stepCount += sums.stepCount;
  }
  return total;
}
