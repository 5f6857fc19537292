/**
 * The steps of an anycast sweep: all sites alike, each one with more prepends than the others, all but each one, and
 * each one alone; after each of them a catchment. `preferencesOf` evaluates the results. Pure.
 */
import { plainAttributes } from "../../base/api/announcements.ts";
import type { ExperimentStep, Sweep } from "./definition.ts";

/** Announcements at a moment: prepends by site; a site that is missing has been withdrawn. */
type Setting = ReadonlyMap<string, number>;

/** Duplicate settings are merged. With one site only prepends can be compared. */
export function sweepSettings({ sites, prepends }: Sweep): Setting[] {
  const even = (of: readonly string[]): Setting => new Map(of.map((site) => [site, 0]));
  const lengths = [...new Set(prepends)].filter((count) => count > 0).sort((a, b) => a - b);
  const settings = [
    even(sites),
    ...sites.flatMap((long) =>
      lengths.map((count): Setting => new Map(sites.map((site) => [site, site === long ? count : 0]))),
    ),
    ...sites.map((left) => even(sites.filter((site) => site !== left))),
    ...sites.map((site) => even([site])),
  ].filter((setting) => setting.size > 0);
  const byText = new Map(settings.map((setting) => [JSON.stringify([...setting]), setting]));
  return [...byText.values()];
}

/** A step for each setting, spaced as widely as route flap damping requires. */
export function sweepSteps(sweep: Sweep, spacingSec: number): ExperimentStep[] {
  const stepSec = spacedSec(sweep.wait, spacingSec);
  return sweepSettings(sweep).flatMap((setting, i) => stepsOf(setting, sweep, i * stepSec));
}

/** Seconds between two changes, each with a catchment `wait` seconds after it. */
export function spacedSec(wait: number, spacingSec: number): number {
  return Math.max(spacingSec, wait + Math.min(wait, 60));
}

function stepsOf(setting: Setting, { sites, wait }: Sweep, at: number): ExperimentStep[] {
  const withdrawn = sites.filter((site) => !setting.has(site));
  const byPrepend = Map.groupBy(setting.keys(), (site) => setting.get(site) ?? 0);
  const announced = [...byPrepend].map(([prepend, named]) => ({
    at,
    announce: { sites: named, prepend, ...plainAttributes },
    probe: {},
  }));
  const withdraw = withdrawn.length === 0 ? [] : [{ at, withdraw: { sites: withdrawn }, probe: {} }];
  const catchment = { after: wait, times: 1, every: 60 };
  return [...withdraw, ...announced, { at, probe: { catchment } }];
}
