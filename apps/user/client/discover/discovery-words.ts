/** A discovery's forecast, and its unfinished part, in sentences. */
import type { InferOutput } from "valibot";
import type { discoveryAnswer, discoveryForecast } from "../../../../lib/base/api/discoveries.ts";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import { leftOutInWords } from "./discovery-columns.ts";

export function forecastInWords(one: InferOutput<typeof discoveryForecast>): string {
  const share = `${(100 * one.quota_share).toFixed(1)} % of a day's quota`;
  const contained = one.contained === 0 ? "" : `; ${grouped(one.contained)} targets lie in others`;
  const leftOut =
    one.left_out_subnets === 0
      ? ""
      : `\n${grouped(one.left_out_subnets)} subnets are left out: ${leftOutInWords(one.left_out)}`;
  const tooFew =
    one.probes_expected > one.probes_max ? ", which is too few: it will likely end before all is found" : "";
  const each =
    one.prefixes_each === one.prefixes
      ? ""
      : ` of ${grouped(one.prefixes_each)} prefixes each (${grouped(one.prefixes_left)} are left)`;
  return (
    `${grouped(one.prefixes)} prefixes (${grouped(one.subnets)} subnets)${contained}, ${one.agents} agents${each}, ` +
    `${grouped(one.probes_first_round)} probes first, ` +
    `about ${grouped(one.probes_expected)} in all, at most ${grouped(one.probes_max)} (${share})${tooFew}; ` +
    `${grouped(one.rate)}/s of each agent, ${one.router_rate}/s to a router, ` +
    `the first round ${grouped(one.first_round_sec)} s${leftOut}`
  );
}

/** What is unfinished, and the next step. */
export function unfinishedInWords({
  id,
  reason,
  units,
  probes_max: max,
}: InferOutput<typeof discoveryAnswer>): string {
  const open = units === null ? "no round was computed" : `${grouped(units)} prefixes are unfinished`;
  return (
    `Incomplete: ${reason ?? open}. What was found is kept: vantage replies --campaign ${id} -v links. To find the ` +
    `rest, start again with a larger --probes-max (now ${grouped(max)}) or --rounds-max, or with fewer targets at a ` +
    "time; vantage limits shows your quota"
  );
}
