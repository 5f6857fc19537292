/** Each site's announcement during a catchment, from the plan. Pure. */
import { isSameWay, plainAttributes } from "../../base/api/announcements.ts";
import type { Announcement } from "./definition.ts";
import type { PlannedAction } from "./plan.ts";

/** By site; a site that announces nothing is missing. */
type Announced = ReadonlyMap<string, Announcement>;

/** By the round's number. `actions` in the order of their times, as in a plan. */
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

/** By site; null when a site uses more than prepends: such rounds show nothing about path length. */
export function prependsOf(announced: Announced): ReadonlyMap<string, number> | null {
  return [...announced.values()].every(isPlain)
    ? new Map([...announced].map(([site, { prepend }]) => [site, prepend]))
    : null;
}

/** Blackholed addresses are separate routes, and do not affect the prefix's. */
function isPlain(as: Announcement): boolean {
  const { prepend, blackhole } = as;
  return isSameWay({ ...plainAttributes, prepend, blackhole }, as);
}
