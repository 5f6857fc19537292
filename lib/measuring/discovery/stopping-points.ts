/**
 * How many flows through a load balancer show all of its branches, with a given failure probability.
 *
 * With k - 1 successors found, the hypothesis "there are k, even" is rejected after
 *
 *     n(k) = ceil( ln(e / k) / ln((k - 1) / k) ),   n(1) = 0
 *
 * flows through the node: then a k-th successor would have been missed with a chance of at most e. At e = 0.05: 6,
 * 11, 16, 21, 27 for k = 2 … 6. (Veitch and others, "Failure Control in Multipath Route Tracing", INFOCOM 2009; the
 * form without the exact sum over j is what Diamond-Miner uses.)
 */

/** A failure probability: between 0 and 1, both excluded. */
export type Failure = number;

/**
 * Flows after which k successors are ruled out, k from 1.
 *
 * @throws RangeError on a k below 1 and on a value that is not a probability
 */
export function stoppingPoint(k: number, failure: Failure): number {
  if (!Number.isInteger(k) || k < 1 || !(failure > 0 && failure < 1)) {
    throw new RangeError(`No stopping point for ${k} successors at a failure of ${failure}`);
  }
  return k === 1 ? 0 : Math.ceil(Math.log(failure / k) / Math.log((k - 1) / k));
}

/** Flows that a node needs in total when it has this many known successors; 0 successors need none. */
export function flowsNeeded(successors: number, failure: Failure): number {
  return successors === 0 ? 0 : stoppingPoint(successors + 1, failure);
}

/**
 * Flows that a node needs, given the flows to each of its successors: more if these are uneven.
 *
 * The rule above holds for a balancer that treats its branches alike. Where the counts are too far from even for that
 * (chi-square beyond its mean by four deviations), one more branch may be as rare as the rarest that was seen: with a
 * share p of the flows, it is missed with a chance of at most e after ln(e / k) / ln(1 - p) of them.
 *
 * A single successor does not show a balancer's evenness: with `leastShare` below 1, a second branch with that part
 * of its even share is sought by the same rule.
 */
export function flowsNeededAt(counts: readonly number[], failure: Failure, leastShare = 1): number {
  const even =
    counts.length === 1 && leastShare < 1
      ? Math.ceil(Math.log(failure / 2) / Math.log1p(-leastShare / 2))
      : flowsNeeded(counts.length, failure);
  const sum = counts.reduce((all, count) => all + count, 0);
  const [mean, freedom] = [sum / counts.length, counts.length - 1];
  const chiSquare = counts.reduce((all, count) => all + (count - mean) ** 2 / mean, 0);
  if (freedom < 1 || chiSquare <= freedom + 4 * Math.sqrt(2 * freedom)) {
    return even;
  }
  // Half a flow more, as a branch that was seen only once may be that rare by chance.
  const rarest = (Math.min(...counts) + 0.5) / (sum + 0.5);
  const wanted = Math.ceil(Math.log(failure / (counts.length + 1)) / Math.log1p(-rarest));
  return Math.max(even, Math.min(wanted, unevenFactorMax * even));
}

/** A branch with less than about a quarter of its even share is not sought: flows grow as its share falls. */
const unevenFactorMax = 4;

/** The failure probability for each of `nodes` balancers, such that all together fail with `failure` at most. */
export function failurePerNode(failure: Failure, nodes: number): Failure {
  return nodes <= 1 ? failure : -Math.expm1(Math.log1p(-failure) / nodes);
}

interface Outcome {
  /** Probability that a branch is missed. */
  readonly failure: number;
  /** Flows sent, on average. */
  readonly meanFlows: number;
}

/**
 * The exact outcome of the rule at an even balancer of `branches`, from the probability of each state (branches found,
 * flows sent).
 *
 * A flow finds a new branch with probability (K - j) / K. Flows stop when as many were sent as the found branches need;
 * if adaptive, at a failure probability that they share.
 */
export function exactOutcome(branches: number, failure: Failure, isAdaptive = false): Outcome {
  // Probability of j branches found and no stop yet, after this many flows.
  let chances: number[] = Array.from({ length: branches + 1 }, (_, j) => (j === 1 ? 1 : 0));
  const outcome = { failure: 0, meanFlows: 0 };
  const stop = (found: number, sent: number, chance: number) => {
    outcome.failure += found < branches ? chance : 0;
    outcome.meanFlows += chance * sent;
  };
  const needs = chances.map((_, found) =>
    flowsNeeded(found, isAdaptive ? failurePerNode(failure, found) : failure),
  );
  for (let sent = 1; chances.some((chance) => chance > 0); sent++) {
    const next = chances.map(() => 0);
    for (const [found, chance] of chances.entries()) {
      if (chance === 0) {
        continue;
      }
      if (sent >= (needs[found] ?? 0)) {
        stop(found, sent, chance);
        continue;
      }
      const isNew = (branches - found) / branches;
      next[found] = (next[found] ?? 0) + chance * (1 - isNew);
      if (found < branches) {
        next[found + 1] = (next[found + 1] ?? 0) + chance * isNew;
      }
    }
    chances = next;
  }
  return outcome;
}
