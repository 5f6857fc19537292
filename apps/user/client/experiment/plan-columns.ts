/** The output of `vantage experiment check`: a line for each action of the experiment. */
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import type { Announcement } from "../../../../lib/measuring/experiment/definition.ts";
import type { Plan, PlannedAction } from "../../../../lib/measuring/experiment/plan.ts";
import { clock } from "../../../../lib/measuring/experiment/terms.ts";

export const planColumns = ({ exchanges }: Plan): readonly Column<PlannedAction>[] => [
  { name: "sec", head: "at", value: ({ sec }) => sec, cell: ({ sec }) => clock(sec), align: "right" },
  { name: "kind", head: "what", value: ({ kind }) => kind },
  { name: "site", head: "where", value: (action) => ("site" in action ? action.site : null) },
  {
    name: "as",
    head: "how",
    value: (action) => (action.kind === "announce" ? action.as : null),
    text: (action) => (action.kind === "announce" ? announcedAs(action.as) : repeats(action)),
  },
  {
    name: "probes",
    head: "probes",
    value: (action) => ("probes" in action ? action.probes : null),
    align: "right",
  },
  {
    name: "changes_left",
    head: "changes left there",
    // Null where it is unknown, and for other actions than announcements.
    value: (action) =>
      action.kind === "announce" ? (exchanges.get(action.site)?.leftBySec.get(action.sec) ?? null) : null,
    align: "right",
  },
];

function announcedAs(as: Announcement): string {
  const { prepend, poison, blackhole, not_to, only_to, prepend_to, no_export, graceful_shutdown } = as;
  const towards = Object.entries(prepend_to).map(([who, times]) => `${neighbor(who)} ${times}`);
  return [
    ...(prepend === 0 ? [] : [`prepended ${prepend}`]),
    ...(towards.length === 0 ? [] : [`prepended to ${towards.join(" ")}`]),
    ...(poison.length === 0 ? [] : [`poisoned with ${neighbors(poison)}`]),
    ...(blackhole.length === 0 ? [] : [`blackhole ${blackhole.join(" ")}`]),
    ...(not_to.length === 0 ? [] : [`not to ${neighbors(not_to)}`]),
    ...(only_to.length === 0 ? [] : [`only to ${neighbors(only_to)}`]),
    ...(no_export ? ["no-export"] : []),
    ...(graceful_shutdown ? ["graceful-shutdown"] : []),
  ].join(", ");
}

function neighbors(named: readonly (number | string)[]): string {
  return named.map(neighbor).join(" ");
}

/** By its ASN, or by its name. */
function neighbor(named: number | string): string {
  return /^\d+$/.test(String(named)) ? `AS${named}` : String(named);
}

function repeats(action: PlannedAction): string {
  if (!("times" in action)) {
    return "";
  }
  return action.round === null ? `${action.times} times, each ${action.everySec} s` : `round ${action.round}`;
}
