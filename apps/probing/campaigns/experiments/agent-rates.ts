/**
 * Checks that agents send watches with short intervals at the right rate. The gateway publishes probes at most some
 * hundred times a second; a closer watch is published as a whole, and the agent sends it at its `probing_rate`.
 */
import type { PlannedAction } from "../../../../lib/measuring/experiment/plan.ts";
import type { ExperimentMeasure } from "./run/experiment-measure.ts";
import { isClose, pacedSecMin } from "./run/looks.ts";

/** Tolerated relative difference of a rate. */
const toleranceRatio = 0.05;

interface Asked {
  readonly actions: readonly PlannedAction[];
  readonly agents: readonly string[];
  readonly targets: number;
}

/** Objections to the run, in sentences; none when agents send each close watch at the requested rate. */
export async function ratesAgainst(
  measure: Pick<ExperimentMeasure, "rateOf">,
  { actions, agents, targets }: Asked,
): Promise<string[]> {
  const watches = actions.flatMap((action) => (action.kind === "watch" && isClose(action) ? [action] : []));
  const wanted = [...new Set(watches.map(({ everySec }) => Math.round(targets / everySec)))];
  if (wanted.length === 0) {
    return [];
  }
  // The first one sends.
  const id = agents[0]?.replace(/:.*/, "") ?? "";
  const own = await measure.rateOf(id);
  return wanted
    .filter((rate) => own === null || Math.abs(own - rate) > toleranceRatio * rate)
    .map(
      (rate) =>
        `Agent ${id} sends ${own ?? "no"} probes a second, and a watch wants ${rate}: change its probing_rate, ` +
        `or give the watch an "every" of ${1000 * pacedSecMin}ms or more`,
    );
}
