/**
 * The prefixes that each agent probes, when there are more than its budget: those whose links are worth most, by a
 * greedy cover of the links seen in earlier runs, and some at random, to find unseen links (Zeph, Rochel and others,
 * CCR 2022).
 *
 * Greedy: repeatedly the (agent, prefix) pair that adds most links to those covered so far. Exact order would need a
 * search for each; so pairs are kept in buckets of sizes that grow by 5 %, largest first (Cormode, CIKM 2010): a pair
 * whose remaining links still fit its bucket is taken, else it moves down to the right bucket. So a pair adds at least
 * 1 / 1.05 of what the best would add, in time nearly linear in the number of links.
 */
import { PrefixSet } from "./prefix-set.ts";

/** An agent's view of the path to a prefix in an earlier run. */
export interface SeenLinks {
  readonly agent: number;
  readonly prefix: number;
  /** Links by the caller's numbers; one number per link, whichever agent saw it. */
  readonly links: Iterable<number>;
}

interface BudgetOptions {
  /** Prefixes that each agent may probe: agent 0, 1, … */
  readonly budgets: readonly number[];
  /** Number of prefixes: 0, 1, … Results for other prefixes are ignored. */
  readonly prefixes: number;
  /** Share of each budget that is spent at random: from 0 up to 1. Zeph's is 0.1. */
  readonly randomShare: number;
  /** Seed: any whole number from 0. */
  readonly seed: number;
}

/** Sizes of one bucket differ by less than this. */
const bucketStep = 1.05;

interface Candidate {
  readonly agent: number;
  readonly prefix: number;
  /** Uncovered links when it was last checked. */
  rest: number[];
}

/**
 * Prefixes for each agent.
 *
 * Agents without earlier runs, and budgets left when all links are covered, get random ones. Budgets are used up as far
 * as there are prefixes. The same input, with `seen` in any order, yields the same prefixes.
 *
 * @throws RangeError on a share outside of 0 to 1, and on a budget that is not a whole number from 0
 */
export function assignPrefixes(seen: Iterable<SeenLinks>, options: BudgetOptions): PrefixSet[] {
  const { budgets, randomShare } = options;
  if (!(randomShare >= 0 && randomShare <= 1)) {
    throw new RangeError(`The random share is ${randomShare}: give a number from 0 to 1`);
  }
  const bad = budgets.findIndex((budget) => !(Number.isInteger(budget) && budget >= 0));
  if (bad >= 0) {
    throw new RangeError(`The budget of agent ${bad} is ${budgets[bad]}: give a whole number from 0`);
  }
  const taken = budgets.map(() => PrefixSet.empty(options.prefixes));
  const ranked = budgets.map((budget) => Math.round(budget * (1 - randomShare)));
  takeByWorth(candidatesOf(seen, options), taken, ranked);
  takeAtRandom(taken, options);
  return taken;
}

function candidatesOf(seen: Iterable<SeenLinks>, { prefixes, budgets }: BudgetOptions): Candidate[] {
  const candidates: Candidate[] = [];
  for (const { agent, prefix, links } of seen) {
    if (prefix < prefixes && budgets[agent] !== undefined) {
      candidates.push({ agent, prefix, rest: [...new Set(links)] });
    }
  }
  return candidates.sort((x, y) => x.prefix - y.prefix || x.agent - y.agent);
}

function takeByWorth(
  candidates: readonly Candidate[],
  taken: readonly PrefixSet[],
  limits: readonly number[],
): void {
  const buckets: Candidate[][] = [];
  const put = (candidate: Candidate) => {
    const bucket = bucketOf(candidate.rest.length);
    buckets[bucket] = buckets[bucket] ?? [];
    buckets[bucket].push(candidate);
  };
  candidates.filter(({ rest }) => rest.length > 0).forEach(put);
  const covered = new Set<number>();
  for (let bucket = buckets.length - 1; bucket >= 0; bucket--) {
    for (const candidate of buckets[bucket] ?? []) {
      const own = taken[candidate.agent];
      if (own === undefined || own.size >= (limits[candidate.agent] ?? 0) || own.has(candidate.prefix)) {
        continue;
      }
      candidate.rest = candidate.rest.filter((link) => !covered.has(link));
      if (candidate.rest.length > 0 && bucketOf(candidate.rest.length) < bucket) {
        put(candidate);
      } else if (candidate.rest.length > 0) {
        own.add(candidate.prefix);
        candidate.rest.forEach((link) => void covered.add(link));
      }
    }
    buckets.length = bucket;
  }
}

function bucketOf(size: number): number {
  return Math.floor(Math.log(size) / Math.log(bucketStep));
}

/** Agents in turns, so that they draw different prefixes until each one has been drawn once. */
function takeAtRandom(taken: readonly PrefixSet[], { budgets, prefixes, seed }: BudgetOptions): void {
  const step = stepThrough(prefixes);
  const agents = budgets.length;
  const room = budgets.map((budget, agent) => Math.min(budget, prefixes) - (taken[agent]?.size ?? 0));
  let left = room.reduce((sum, one) => sum + one, 0);
  for (let lap = 0; lap < agents && left > 0; lap++) {
    for (let i = 0; i < prefixes && left > 0; i++) {
      const agent = (i + lap) % agents;
      if ((room[agent] ?? 0) > 0 && taken[agent]?.add((seed + i * step) % prefixes) === true) {
        room[agent] = (room[agent] ?? 0) - 1;
        left--;
      }
    }
  }
}

/** A step near the golden section that visits each of `count` places once. */
function stepThrough(count: number): number {
  let step = Math.max(1, Math.floor(count * 0.618));
  while (divisor(step, count) !== 1) {
    step++;
  }
  return step;
}

function divisor(x: number, y: number): number {
  return y === 0 ? x : divisor(y, x % y);
}
