/** Finds one of the caller's experiments at the probing gateway, and reads its journal. */
import * as v from "valibot";
import { experimentAnswer } from "../../../../lib/base/api/experiments.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import { text } from "../../../../lib/command/command/kinds.ts";
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { begunExperiment as begunIn } from "../../../../lib/measuring/experiment/begun.ts";
import { type ExperimentEntry, ExperimentLedger } from "../../../../lib/measuring/experiment/journal.ts";
import { campaignPageRowsMax } from "../limits.ts";

export const experimentArgument = {
  kind: text,
  placeholder: "EXPERIMENT",
  required: true,
  meaning: "its id, the beginning of it, or its name",
} as const;

/** The newest first. */
export function allExperiments(gateway: Gateway, signal: AbortSignal) {
  const query = { limit: campaignPageRowsMax };
  return gateway.read("/api/experiments", v.array(experimentAnswer), { query, signal });
}

/** Throws CommandError when none or several match; running experiments take precedence over ended ones. */
export async function oneExperiment(
  gateway: Gateway,
  given: string,
  signal: AbortSignal,
): Promise<v.InferOutput<typeof experimentAnswer>> {
  const meant = (await allExperiments(gateway, signal)).filter(
    ({ id, name }) => name === given || id.startsWith(given.toLowerCase()),
  );
  const goingOn = meant.filter(({ state }) => state !== "ended");
  const [one, ...others] = goingOn.length > 0 ? goingOn : meant;
  if (one === undefined) {
    throw cannot(`The gateway has no experiment "${given}" of yours: vantage experiment list`);
  }
  if (others.length > 0) {
    throw cannot(`"${given}" matches ${others.length + 1} experiments: give more of the id`);
  }
  return one;
}

/** As `oneExperiment`. */
export async function experimentId(gateway: Gateway, given: string, signal: AbortSignal): Promise<string> {
  return (await oneExperiment(gateway, given, signal)).id;
}

/** Its current state. Throws CommandError for a journal of another version. */
export async function readLedger(
  gateway: Gateway,
  given: string,
  signal: AbortSignal,
): Promise<ExperimentLedger> {
  const id = await experimentId(gateway, given, signal);
  const response = await gateway.request(`/api/experiments/${id}/journal`, { signal });
  const ledger = new ExperimentLedger();
  for (const line of (await response.text()).trimEnd().split("\n")) {
    ledger.apply(JSON.parse(line) as ExperimentEntry);
  }
  begunExperiment(ledger);
  return ledger;
}

/** Null for an empty journal. Throws CommandError for one of another version. */
export function begunExperiment(ledger: ExperimentLedger): ReturnType<typeof begunIn> {
  try {
    return begunIn(ledger);
  } catch (error) {
    throw cannot(error instanceof Error ? error.message : String(error));
  }
}
