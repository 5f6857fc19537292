/** An aim in words: its settings, its shares, its end. Pure. */

import type { TargetGroup } from "./aim/forecast.ts";
import type { NextSetting } from "./aim/next-setting.ts";
import type { Share } from "./aim/outlook.ts";
import type { Aim } from "./definition.ts";
import type { PlannedSetting } from "./journal.ts";

/** `west +2 not to AS64601, east`. */
export function announcedText(announced: PlannedSetting["announced"]): string {
  return Object.entries(announced)
    .map(([site, { prepend, notTo }]) =>
      [
        site,
        ...(prepend === 0 ? [] : [`+${prepend}`]),
        ...(notTo.length === 0 ? [] : [`not to ${notTo.map((asn) => `AS${asn}`).join(" ")}`]),
      ].join(" "),
    )
    .join(", ");
}

/** `38.2 %`. */
export function percentText(ratio: number): string {
  return `${(100 * ratio).toFixed(1)} %`;
}

/** `38.2 % (36.0 to 41.1)`. */
export function shareText({ share, low, high }: Share): string {
  return `${percentText(share)} (${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)})`;
}

/** Targets for which nothing is forecast, where there are any. */
export function notPredictableText(groups: readonly TargetGroup[]): string {
  const count = groups.reduce(
    (sum, { targets, isUnpredictable }) => sum + (isUnpredictable ? targets.length : 0),
    0,
  );
  return count === 0 ? "" : `; ${count} targets not predictable`;
}

export const metReason = "goals met";

/** Why an aim has ended. */
export function endText(
  { result, nearest, forbidden }: Extract<NextSetting, { kind: "end" }>,
  aim: Aim,
): string {
  if (result === "met") {
    return `${metReason} in round ${nearest}`;
  }
  const closest = nearest === null ? "" : `; round ${nearest} came nearest`;
  if (result === "budget used") {
    return `goals not met within ${aim.changes} changes and the time of the aim${closest}`;
  }
  const how = `prepends 0 to ${aim.prepends}${aim.withdraw ? ", and withdrawals" : ""}`;
  const why = forbidden === null ? "goals cannot be met together" : `cannot be met: ${forbidden}`;
  return `${why}: routes rule it out for all sets of sites with ${how}${closest}`;
}
