/**
 * Rankings of entries as one target may have them: by entry a cost, to which prepends add 1 each. What BGP decides
 * before the length of paths (local preference) is a difference that no prepends make up for, what it decides after
 * (MED, exits, router ids) a fraction. Rankings that explain a target's sites are drawn by a Markov chain. Pure.
 */
import { below, type Random } from "./random.ts";
import { type Setting, withdrawn } from "./setting.ts";

/** By entry. */
export type Ranking = Float64Array;

/** A target's site under a setting. */
export interface Seen {
  readonly setting: Setting;
  readonly site: number;
}

/** How likely a round shows another site than the ranking says: routes move by themselves. */
const strayRatio = 0.01;
const [warmUpSteps, stepsPerSample] = [240, 10];

/** The entry with the least cost; -1 where nothing is announced. */
export function entryOf(ranking: Ranking, setting: Setting): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let entry = 0; entry < setting.length; entry++) {
    const level = setting[entry] ?? withdrawn;
    const cost = (ranking[entry] ?? 0) + level;
    if (level !== withdrawn && cost < least) {
      best = entry;
      least = cost;
    }
  }
  return best;
}

/** Preferred by a quarter of networks as from customers, by some as from peers; most compare lengths. */
function drawnCost(random: Random): number {
  const kind = random();
  const preference = kind < 0.25 ? 0 : kind < 0.45 ? 20 : 40;
  return preference + 1 + Math.floor(random() * 4 + random() * 2) + random() * 0.99;
}

interface RankingOrder {
  readonly seen: readonly Seen[];
  readonly siteOfEntry: readonly number[];
  readonly samples: number;
  /** Rankings of other targets: what is common is likelier. */
  readonly others: readonly Ranking[];
  /** Rankings that explained the earlier rounds. */
  readonly earlier: readonly Ranking[];
  readonly random: Random;
}

/** Rankings in proportion to how likely they are. */
export function drawRankings(order: RankingOrder): Ranking[] {
  const { seen, siteOfEntry, samples, earlier, random } = order;
  const misses = (ranking: Ranking) =>
    seen.reduce(
      (sum, { setting, site }) => sum + (siteOfEntry[entryOf(ranking, setting)] === site ? 0 : 1),
      0,
    );
  let ranking: Ranking = earlier[0] ?? Float64Array.from(siteOfEntry, () => drawnCost(random));
  let missed = misses(ranking);
  const kept: Ranking[] = [];
  for (let step = -warmUpSteps; step < samples * stepsPerSample; step++) {
    const proposed = proposedRanking(ranking, order);
    const missedThen = misses(proposed);
    if (missedThen <= missed || random() < strayRatio ** (missedThen - missed)) {
      ranking = proposed;
      missed = missedThen;
    }
    if (step >= 0 && step % stepsPerSample === 0) {
      kept.push(ranking);
    }
  }
  return kept;
}

function proposedRanking(ranking: Ranking, { others, earlier, random }: RankingOrder): Ranking {
  const kind = random();
  const whole = kind < 0.15 ? others : kind < 0.25 ? earlier : [];
  const copied = whole[below(random, whole.length)];
  if (copied !== undefined) {
    return copied;
  }
  const proposed = Float64Array.from(ranking);
  const entry = below(random, ranking.length);
  const other = kind < 0.5 ? others[below(random, others.length)] : undefined;
  proposed[entry] = other?.[entry] ?? drawnCost(random);
  return proposed;
}
