/** What a plan comes to, in words, and the exchange servers that a file names. */
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import type { Experiment } from "../../../../lib/measuring/experiment/definition.ts";
import { leftAt } from "../../../../lib/measuring/experiment/exchange-budget.ts";
import type { Plan } from "../../../../lib/measuring/experiment/plan.ts";
import { clock } from "./plan-columns.ts";

/** Throws CommandError where the file names none, as `all` says nothing then. */
export function namedSites({ steps = [], sweep }: Experiment, path: string): readonly string[] {
  const asked = steps.flatMap(({ announce, withdraw }) => [announce?.sites ?? [], withdraw?.sites ?? []]);
  const named = new Set([
    ...(sweep?.sites ?? []),
    ...asked.flatMap((sites) => (sites === "all" ? [] : sites)),
  ]);
  if (named.size === 0) {
    throw cannot(`${path} uses sites: all; list the exchange servers with --sites`);
  }
  return [...named];
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

export function planTotals({ changes, probes, endSec }: Plan): string {
  return `${grouped(changes)} changes of BGP, ${grouped(probes)} probes, over after ${clock(endSec)}`;
}
