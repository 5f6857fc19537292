/** What each site announced during a catchment, taken from the plan. Pure. */
import { isSameWay, plainAttributes } from "../../base/api/announcements.ts";
import type { Announcement } from "./definition.ts";
import type { PlannedAction } from "./plan.ts";

/** By site; a site that announces nothing is not there. */
type Announced = ReadonlyMap<string, Announcement>;

/** By the number of the round. `actions` in the order of their times, as a plan has them. */
export function roundSettings(actions: readonly PlannedAction[]): ReadonlyMap<number, Announced> {
  const now = new Map<string, Announcement>();
  const settings = new Map<number, Announced>();
  for (const action of actions) {
    if (action.kind === "announce") {
      now.set(action.site, action.as);
    } else if (action.kind === "withdraw") {
      now.delete(action.site);
    } else if (action.round !== null) {
      settings.set(action.round, new Map(now));
    }
  }
  return settings;
}

/** By site; null when a site uses more than prepends: such rounds say nothing about path length. */
export function prependsOf(announced: Announced): ReadonlyMap<string, number> | null {
  return [...announced.values()].every(isPlain)
    ? new Map([...announced].map(([site, { prepend }]) => [site, prepend]))
    : null;
}

/** Addresses that are discarded are routes of their own, and change nothing of the prefix's. */
function isPlain(as: Announcement): boolean {
  const { prepend, blackhole } = as;
  return isSameWay({ ...plainAttributes, prepend, blackhole }, as);
}
