/** What limits an experiment's prefix, in sentences: its lease, and what exchange servers take. Pure. */

import type { Experiment } from "./definition.ts";
import { leftAt, type SiteBudget } from "./exchange-budget.ts";
import { leaseRestSec } from "./limits.ts";
import type { Plan } from "./plan.ts";

/** Exchange servers that a file names; none where it says `all` only. */
export function namedSites({ steps = [], sweep, aim }: Experiment): readonly string[] {
  const asked = steps.flatMap(({ announce, withdraw }) => [announce?.sites ?? [], withdraw?.sites ?? []]);
  return [
    ...new Set([
      ...(sweep?.sites ?? aim?.sites ?? []),
      ...asked.flatMap((sites) => (sites === "all" ? [] : sites)),
    ]),
  ];
}

/** How a run extends the lease; null = it lasts long enough. */
export function leaseRenewal(
  endSec: number,
  { leftSec, hoursMax }: { readonly leftSec: number; readonly hoursMax: number },
): string | null {
  const neededSec = endSec + leaseRestSec;
  if (leftSec >= neededSec) {
    return null;
  }
  const again = neededSec > 3600 * hoursMax ? ", again and again" : "";
  return (
    `The lease ends in ${leftSec} s, and is needed for ${neededSec} s: it is renewed, for at most ` +
    `${hoursMax} h${again}`
  );
}

/** Sites with unknown limits; null = none. */
export function unknownBudgets(
  sites: readonly string[],
  budgets: ReadonlyMap<string, SiteBudget>,
): string | null {
  const unknown = sites.filter((site) => !budgets.has(site));
  return unknown.length === 0
    ? null
    : `How often ${unknown.join(", ")} takes changes of the prefix is not known: no report yet, or no limit`;
}

/** What each exchange server takes of the prefix when it is over, a line each; none where that is not known. */
export function changesLeft({ exchanges, endSec }: Plan): string[] {
  return [...exchanges].map(([site, { budget, fullSec }]) => {
    const left = leftAt({ ...budget, fullSec }, endSec);
    const oneMoreSec = fullSec - (budget.max - left - 1) * budget.everySec;
    const more = left === budget.max ? "" : `, and one more ${clock(Math.ceil(oneMoreSec))} after the start`;
    return `When it is over, ${site} takes ${left} of ${budget.max} changes of the prefix in a row${more}`;
  });
}

/** `1:30:00`. */
export function clock(sec: number): string {
  const [hours, minutes, seconds] = [Math.floor(sec / 3600), Math.floor(sec / 60) % 60, sec % 60];
  return [hours, ...[minutes, seconds].map((part) => String(part).padStart(2, "0"))].join(":");
}
