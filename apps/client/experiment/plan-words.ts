/** What a plan comes to, in words, and the exchange servers that a file names. */
import { cannot } from "../../../lib/command/command-error.ts";
import type { Experiment } from "../../../lib/experiment/definition.ts";
import type { Plan } from "../../../lib/experiment/plan.ts";
import { grouped } from "../../../lib/terminal/figures.ts";
import { clock } from "./plan-columns.ts";

/** Throws CommandError where the file names none, as `all` says nothing then. */
export function namedSites({ steps = [], sweep }: Experiment, path: string): readonly string[] {
  const asked = steps.flatMap(({ announce, withdraw }) => [announce?.sites ?? [], withdraw?.sites ?? []]);
  const named = new Set([
    ...(sweep?.sites ?? []),
    ...asked.flatMap((sites) => (sites === "all" ? [] : sites)),
  ]);
  if (named.size === 0) {
    throw cannot(`${path} names no exchange server but "all": say with --sites which there are`);
  }
  return [...named];
}

export function planTotals({ changes, probes, endSec }: Plan): string {
  return `${grouped(changes)} changes of BGP, ${grouped(probes)} probes, over after ${clock(endSec)}`;
}
