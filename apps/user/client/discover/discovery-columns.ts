/** Discoveries, their rounds, and forecasts, as rows. */
import type { InferOutput } from "valibot";
import type {
  discoveryAnswer,
  discoveryDetailAnswer,
  discoveryForecast,
} from "../../../../lib/base/api/discoveries.ts";
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";

export const discoveryColumns: readonly Column<InferOutput<typeof discoveryAnswer>>[] = [
  { name: "id", head: "discovery", value: ({ id }) => id },
  { name: "name", head: "name", value: ({ name }) => name },
  { name: "state", head: "state", value: ({ state }) => state },
  { name: "run", head: null, value: ({ run }) => run },
  { name: "run_state", head: null, value: (one) => one.run_state },
  { name: "reason", head: "reason", value: ({ reason }) => reason },
  { name: "complete", head: "complete", value: ({ complete }) => complete },
  { name: "strategy", head: "strategy", value: ({ strategy }) => strategy },
  { name: "round", head: "round", align: "right", value: ({ round }) => round },
  { name: "probes_sent", head: "sent", align: "right", value: (one) => one.probes_sent },
  { name: "probes_planned", head: null, value: (one) => one.probes_planned },
  { name: "probes_max", head: "at most", align: "right", value: (one) => one.probes_max },
  { name: "probes_rest", head: "remaining", align: "right", value: (one) => one.probes_rest },
  { name: "units", head: "prefixes open", align: "right", value: ({ units }) => units },
  { name: "links", head: "links between routers", align: "right", value: ({ links }) => links },
  { name: "nodes", head: "routers", align: "right", value: ({ nodes }) => nodes },
  { name: "created_at", head: null, value: (one) => one.created_at },
  { name: "ended_at", head: null, value: (one) => one.ended_at },
];

type Round = InferOutput<typeof discoveryDetailAnswer>["rounds"][number];

export const roundColumns: readonly Column<Round>[] = [
  { name: "round", head: "round", align: "right", value: ({ round }) => round },
  { name: "units", head: "prefixes open", align: "right", value: ({ units }) => units },
  { name: "probes", head: "probes", align: "right", value: ({ probes }) => probes },
  { name: "sent", head: "sent", align: "right", value: ({ sent }) => sent },
  { name: "links", head: "links between routers before", align: "right", value: ({ links }) => links },
  { name: "nodes", head: "routers before", align: "right", value: ({ nodes }) => nodes },
  { name: "computed_at", head: "computed", value: (one) => one.computed_at },
];

export const forecastColumns: readonly Column<InferOutput<typeof discoveryForecast>>[] = [
  { name: "agents", head: "agents now", value: ({ agents }) => agents },
  { name: "strategy", head: "strategy", value: ({ strategy }) => strategy },
  { name: "prefixes", head: "prefixes", value: ({ prefixes }) => prefixes },
  { name: "prefixes_each", head: "prefixes of an agent", value: (one) => one.prefixes_each },
  { name: "prefixes_left", head: "prefixes without an agent", value: (one) => one.prefixes_left },
  { name: "subnets", head: "subnets", value: ({ subnets }) => subnets },
  { name: "contained", head: "nested targets", value: ({ contained }) => contained },
  { name: "left_out_subnets", head: "subnets left out", value: (one) => one.left_out_subnets },
  {
    name: "left_out",
    head: "reasons",
    value: (one) => leftOutInWords(one.left_out),
  },
  { name: "probes_first_round", head: "probes of the first round", value: (one) => one.probes_first_round },
  { name: "probes_expected", head: "probes expected", value: (one) => one.probes_expected },
  { name: "probes_max", head: "probes at most", value: (one) => one.probes_max },
  { name: "quota_per_day", head: "your quota", value: (one) => one.quota_per_day },
  {
    name: "quota_share",
    head: "share of it",
    value: (one) => one.quota_share,
    text: (one) => `${(100 * one.quota_share).toFixed(1)} %`,
  },
  { name: "rounds_max", head: "rounds at most", value: (one) => one.rounds_max },
  { name: "rate", head: "packets/s of an agent", value: ({ rate }) => rate },
  { name: "router_rate", head: "packets/s to a router", value: (one) => one.router_rate },
  { name: "first_round_sec", head: "seconds of the first round", value: (one) => one.first_round_sec },
  { name: "longest_sec", head: "seconds at most, at that rate", value: (one) => one.longest_sec },
];

/** Excluded subnets with their reasons, one after another. */
export function leftOutInWords(leftOut: InferOutput<typeof discoveryForecast>["left_out"]): string {
  return leftOut.map(({ subnet, reason }) => `${subnet}: ${reason}`).join("; ");
}
