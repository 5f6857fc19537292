/**
 * Which site each target uses under a setting, measured or not: of all explanations that agree with the rounds so far,
 * how many say which site. Explanations are rankings of entries, and networks on a map. Pure.
 *
 * Targets that were at the same sites in all rounds, and lie in the same network, are one group.
 */
import type { Steps } from "../../../base/list/steps.ts";
import type { MapTable } from "./map-table.ts";
import { below, type Random, seededRandom } from "./random.ts";
import { drawRankings, entryOf, type Ranking, type Seen } from "./ranking.ts";
import type { Entry, Setting } from "./setting.ts";

/** Sites are indices; `unknown` = it was silent, or at several. */
export const unknown = -1;

export interface MeasuredRound {
  readonly setting: Setting;
  /** By target. */
  readonly siteOf: Int16Array;
}

interface ForecastOrder {
  readonly entries: readonly Entry[];
  readonly sites: readonly string[];
  readonly rounds: readonly MeasuredRound[];
  readonly weights: Float64Array;
  /** By target, its ASN; null = unknown. */
  readonly asns: readonly (number | null)[];
  /** Null = no paths are known. */
  readonly map: MapTable | null;
  readonly seed: number;
  /** The forecast of the rounds before the last one. */
  readonly before: Forecast | null;
}

export interface TargetGroup {
  readonly targets: readonly number[];
  readonly weight: number;
  readonly sites: readonly number[];
  /** No explanation agrees with its rounds: it has no total order of preference, or its routes moved. */
  readonly isUnpredictable: boolean;
}

/** An explanation, and how much it counts. */
interface Explained {
  readonly rankings: readonly Ranking[];
  readonly rankingWeight: number;
  /** On the map: version and node. */
  readonly places: readonly { readonly version: number; readonly node: number; readonly weight: number }[];
}

const samplesPerGroup = 40;
/** Other networks on the map that explain a group; more say the same. */
const likePlacesMax = 40;
/** How likely the map's own routes of a network differ from one round. */
const mapStrayRatio = 0.03;
/** What a ranking counts beside the network itself on the map; another network that agrees with all rounds. */
const [rankingPrior, likePrior] = [0.1, 0.4];
/** Seen in drawn Internets (tests/bench/aim): errors of shares by the map alone, and less with each round. */
const [mapSpreadMax, mapSpreadStep, mapSpreadMin] = [0.11, 0.015, 0.025];
/** Rankings that others are drawn from. */
const populationMax = 2000;

export class Forecast {
  readonly groups: readonly TargetGroup[];
  /** What the explanations are wrong by together, of a share: a map of the routes errs at many targets at once. */
  readonly spread: number;
  readonly #siteOfEntry: readonly number[];
  readonly #sites: number;
  readonly #map: MapTable | null;
  readonly #explained: readonly Explained[];
  /** By what groups have in common: their rankings. */
  readonly #rankings: ReadonlyMap<string, readonly Ranking[]>;

  private constructor(
    order: ForecastOrder,
    groups: readonly TargetGroup[],
    explained: readonly Explained[],
    rankings: ReadonlyMap<string, readonly Ranking[]>,
  ) {
    this.groups = groups;
    this.spread =
      order.map === null ? 0.01 : Math.max(mapSpreadMin, mapSpreadMax - order.rounds.length * mapSpreadStep);
    this.#explained = explained;
    this.#rankings = rankings;
    this.#map = order.map;
    this.#sites = order.sites.length;
    this.#siteOfEntry = siteOfEntry(order);
  }

  static *of(order: ForecastOrder): Steps<Forecast> {
    const rankings = yield* drawAll(order);
    const like = yield* likePlaces(order);
    const groups: TargetGroup[] = [];
    const explained: Explained[] = [];
    for (const targets of groupsOf(order)) {
      const [first = 0] = targets;
      const sites = order.rounds.map(({ siteOf }) => siteOf[first] ?? unknown);
      const own = rankings.get(sites.join()) ?? [];
      const { isExplained, ...how } = explain(order, { sites, asn: order.asns[first] ?? null, own, like });
      const weight = targets.reduce((sum, target) => sum + (order.weights[target] ?? 0), 0);
      groups.push({ targets, weight, sites, isUnpredictable: !isExplained });
      explained.push(how);
      yield;
    }
    return new Forecast(order, groups, explained, rankings);
  }

  /** Rankings of targets at these sites in a round each; none where there was no such target. */
  rankingsOf(sites: readonly number[]): readonly Ranking[] {
    return this.#rankings.get(sites.join()) ?? [];
  }

  /** By group, then by site: how likely the group is there. */
  probabilities(setting: Setting): Float64Array {
    const routes = this.#map?.routes(setting) ?? [];
    const shares = new Float64Array(this.groups.length * this.#sites);
    for (const [group, { rankings, rankingWeight, places }] of this.#explained.entries()) {
      const from = group * this.#sites;
      const add = (entry: number, weight: number) => {
        const site = this.#siteOfEntry[entry];
        if (site !== undefined) {
          shares[from + site] = (shares[from + site] ?? 0) + weight;
        }
      };
      for (const ranking of rankings) {
        add(entryOf(ranking, setting), rankingWeight / rankings.length);
      }
      for (const { version, node, weight } of places) {
        add(routes[version]?.[node] ?? -1, weight);
      }
      normalise(shares, from, this.#sites);
    }
    return shares;
  }
}

function normalise(shares: Float64Array, from: number, count: number): void {
  let sum = 0;
  for (let i = from; i < from + count; i++) {
    sum += shares[i] ?? 0;
  }
  for (let i = from; i < from + count; i++) {
    shares[i] = sum === 0 ? 1 / count : (shares[i] ?? 0) / sum;
  }
}

function siteOfEntry({ entries, sites }: Pick<ForecastOrder, "entries" | "sites">): number[] {
  return entries.map(({ site }) => sites.indexOf(site));
}

function groupsOf({ rounds, asns, weights, map }: ForecastOrder): number[][] {
  const targets = Array.from(weights.keys());
  const keyOf = (target: number) => {
    const asn = asns[target] ?? null;
    const node = asn === null ? null : (map?.nodeOf(asn) ?? null);
    return `${node} ${rounds.map(({ siteOf }) => siteOf[target] ?? unknown).join()}`;
  };
  return [...Map.groupBy(targets, keyOf).values()];
}

/** For each sequence of sites that some target was at. */
function* drawAll(order: ForecastOrder): Steps<Map<string, readonly Ranking[]>> {
  const { rounds, weights, before, seed } = order;
  const random = seededRandom(seed + rounds.length);
  const counts = new Map<string, number>();
  for (const target of weights.keys()) {
    const key = rounds.map(({ siteOf }) => siteOf[target] ?? unknown).join();
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const drawn = new Map<string, readonly Ranking[]>();
  let others: Ranking[] = [];
  // The second time with what the first one found common.
  for (const pass of [0, 1]) {
    const population: Ranking[] = [];
    for (const [key, count] of counts) {
      const sites = key === "" ? [] : key.split(",").map(Number);
      const earlier = pass === 0 ? (before?.rankingsOf(sites.slice(0, -1)) ?? []) : (drawn.get(key) ?? []);
      const own = drawRankings({ ...chain(order, sites, random), others, earlier });
      drawn.set(key, own);
      population.push(
        ...Array.from({ length: Math.min(count, 20) }, () => own[below(random, own.length)] ?? []).filter(
          (one) => one instanceof Float64Array,
        ),
      );
      yield;
    }
    others = population.slice(0, populationMax);
  }
  return drawn;
}

function chain(order: ForecastOrder, sites: readonly number[], random: Random) {
  return { seen: seenOf(order, sites), siteOfEntry: siteOfEntry(order), samples: samplesPerGroup, random };
}

function seenOf({ rounds }: ForecastOrder, sites: readonly number[]): Seen[] {
  return rounds.flatMap(({ setting }, round) => {
    const site = sites[round] ?? unknown;
    return site === unknown ? [] : [{ setting, site }];
  });
}

interface LikePlace {
  readonly version: number;
  readonly node: number;
}

/** Places on the map by their sites in all rounds. */
function* likePlaces(order: ForecastOrder): Steps<Map<string, LikePlace[]>> {
  const { map, rounds } = order;
  const like = new Map<string, LikePlace[]>();
  if (map === null || rounds.length === 0) {
    return like;
  }
  const sitesOf = siteOfEntry(order);
  const routes = rounds.map(({ setting }) => map.routes(setting));
  for (let version = 0; version < map.versions; version++) {
    for (let node = 0; node < map.nodes; node++) {
      const key = routes.map((own) => sitesOf[own[version]?.[node] ?? -1] ?? unknown).join();
      const own = like.get(key) ?? [];
      like.set(key, own);
      own.push({ version, node });
    }
    yield;
  }
  return like;
}

interface ToExplain {
  readonly sites: readonly number[];
  readonly asn: number | null;
  readonly own: readonly Ranking[];
  readonly like: ReadonlyMap<string, readonly LikePlace[]>;
}

function explain(order: ForecastOrder, { sites, asn, own, like }: ToExplain) {
  const { map, rounds } = order;
  const sitesOf = siteOfEntry(order);
  const seen = seenOf(order, sites);
  const misses = own.map(
    (ranking) => seen.filter((one) => sitesOf[entryOf(ranking, one.setting)] !== one.site).length,
  );
  const isRanked = misses.some((count) => count === 0);
  const node = asn === null ? null : (map?.nodeOf(asn) ?? null);
  const places: { version: number; node: number; weight: number }[] = [];
  let isOnMap = false;
  if (map !== null && node !== null) {
    for (let version = 0; version < map.versions; version++) {
      const missed = rounds.filter(
        ({ setting }, round) =>
          sites[round] !== unknown && sitesOf[map.routes(setting)[version]?.[node] ?? -1] !== sites[round],
      ).length;
      isOnMap ||= missed === 0;
      places.push({ version, node, weight: mapStrayRatio ** missed / map.versions });
    }
  }
  const same = rounds.length === 0 ? [] : (like.get(sites.join()) ?? []).slice(0, likePlacesMax);
  places.push(...same.map((one) => ({ ...one, weight: likePrior / same.length })));
  return {
    rankings: own,
    rankingWeight: isRanked ? rankingPrior : rankingPrior * 0.1,
    places,
    isExplained: isRanked || isOnMap || same.length > 0,
  };
}
