/** An aim's planner in a drawn Internet: what it is given, and the truth. */
import { asMapOf } from "../../lib/measuring/experiment/aim/as-map.ts";
import { allSettings, type Levers } from "../../lib/measuring/experiment/aim/candidates.ts";
import type { MeasuredRound } from "../../lib/measuring/experiment/aim/forecast.ts";
import { type GoalRange, goalRanges, readGoal } from "../../lib/measuring/experiment/aim/goals.ts";
import { MapTable } from "../../lib/measuring/experiment/aim/map-table.ts";
import type { AimState } from "../../lib/measuring/experiment/aim/next-setting.ts";
import { measuredShares } from "../../lib/measuring/experiment/aim/outlook.ts";
import { announcementsOf, type Setting } from "../../lib/measuring/experiment/aim/setting.ts";
import { type Drawing, drawInternet, type Internet } from "./drawn-internet.ts";
import { asnOf, catchmentOf, offeredPaths } from "./routing.ts";

/** Percentage points, as usual. */
const tolerance = 0.02;
export const furtherMax = 6;

export class Trial {
  readonly internet: Internet;
  readonly levers: Levers;
  readonly seed: number;
  readonly #map: MapTable | null;
  readonly #known = new Map<string, Int16Array>();
  /** By site: when its announcement changed last. */
  readonly #ages = new Map<string, number>();
  #announced = new Map<string, string>();
  #changes = 0;

  constructor(drawing: Drawing, { withPaths }: { readonly withPaths: boolean }) {
    this.internet = drawInternet(drawing);
    this.seed = drawing.seed;
    const { sites, entries: sessions } = this.internet;
    const entries = sites.map((site) => ({ site, neighbor: null }));
    this.levers = { entries, prependsMax: 3, mayWithdraw: true };
    const own = (site: string) =>
      sessions.filter((one) => one.site === site).map(({ network }) => asnOf(network));
    const neighbors = new Map(sites.map((site) => [site, own(site)]));
    const map = withPaths ? asMapOf({ entries, neighbors, paths: offeredPaths(this.internet) }) : null;
    this.#map = map && new MapTable(map);
  }

  get weights(): Float64Array {
    return new Float64Array(this.internet.targets.length).fill(1);
  }

  state(goals: readonly GoalRange[], rounds: readonly MeasuredRound[]): AimState {
    const { sites, targets } = this.internet;
    return {
      ...{ levers: this.levers, sites, goals, weights: this.weights, map: this.#map, rounds, earlier: [] },
      asns: targets.map(({ network }) => asnOf(network)),
      changesMax: sites.length + 1 + furtherMax,
      seed: this.seed,
    };
  }

  /** Without a history: all routes are of one age. */
  truth(setting: Setting): Int16Array {
    const key = setting.join();
    const known = this.#known.get(key) ?? this.#catchment(setting, () => 0);
    this.#known.set(key, known);
    return known;
  }

  /** After the settings before it: routes that changed are younger. */
  measure(setting: Setting): MeasuredRound {
    this.#changes++;
    const announced = new Map(
      [...announcementsOf(this.levers.entries, setting)].map(([site, as]) => [site, JSON.stringify(as)]),
    );
    for (const [site, as] of announced) {
      if (this.#announced.get(site) !== as) {
        this.#ages.set(site, this.#changes);
      }
    }
    this.#announced = announced;
    return { setting, siteOf: this.#catchment(setting, (site) => this.#ages.get(site) ?? 0) };
  }

  #catchment(setting: Setting, age: (site: string) => number): Int16Array {
    const announced = new Map(
      [...announcementsOf(this.levers.entries, setting)].map(([site, { prepend, notTo }]) => [
        site,
        { prepend, notTo: new Set(notTo) },
      ]),
    );
    const { sites } = this.internet;
    return Int16Array.from(catchmentOf(this.internet, announced, age), (site) =>
      site === null ? -1 : sites.indexOf(site),
    );
  }

  goals(texts: readonly string[]): GoalRange[] {
    const { sites, targets } = this.internet;
    const own = targets.map(({ name, network }) => ({ address: name, weight: 1, asn: asnOf(network) }));
    const goals = texts.map(readGoal).filter((goal) => goal !== null);
    return goalRanges(goals, { sites, targets: own, latencyOf: () => undefined, tolerance });
  }

  /** By exhaustive search. */
  canBeMet(goals: readonly GoalRange[]): boolean {
    const all = allSettings(this.levers) ?? [];
    return all.some((setting) => this.lossOf(goals, { siteOf: this.truth(setting) }) === 0);
  }

  lossOf(goals: readonly GoalRange[], round: Pick<MeasuredRound, "siteOf">): number {
    return measuredShares(goals, round, this.weights).loss;
  }
}
