/** An experiment before its run: its file, the two gateways' terms, and objections. */
import { withoutPassword } from "../../../../lib/base/failure/without-password.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { type Experiment, experimentSchema } from "../../../../lib/measuring/experiment/definition.ts";
import type { ExperimentLedger } from "../../../../lib/measuring/experiment/journal.ts";
import { pathTtls } from "../../../../lib/measuring/experiment/limits.ts";
import { type Plan, planOf } from "../../../../lib/measuring/experiment/plan.ts";
import { formatAddress } from "../../../../lib/net/ip/address.ts";
import { because, readAddress } from "../../../../lib/net/ip/typed-address.ts";
import { readChecked } from "../campaign/campaign-file.ts";
import { experimentTargetsMax } from "../limits.ts";
import { ratesAgainst } from "./agent-rates.ts";
import { gatewayTerms, unknownBudgets } from "./gateway-terms.ts";
import { begunExperiment } from "./journal.ts";
import { changesLeft, planTotals } from "./plan-words.ts";

interface Asked {
  readonly ledger: ExperimentLedger;
  /** The peering gateway. */
  readonly control: Gateway;
  readonly probing: Gateway;
  readonly experiment: Experiment;
  /** Exchange servers of `all`. */
  readonly sites: readonly string[];
}

interface PreparedRun {
  readonly plan: Plan;
  /** Objections as sentences; none = it may run. */
  readonly problems: readonly string[];
  /** The definition, which must match when a journal is continued. */
  readonly definition: string;
  /** Shown to the user before it runs. */
  readonly summary: string;
  /** Additional remarks on the exchange servers. */
  readonly notes: readonly string[];
}

/** A started experiment keeps its rates; its lease and budgets are not checked again. */
export async function prepareRun({
  ledger,
  control,
  probing,
  experiment,
  sites,
}: Asked): Promise<PreparedRun> {
  const begun = begunExperiment(ledger);
  const { pace, budgets } =
    begun === null
      ? await gatewayTerms(control, experiment.prefix, Date.now())
      : { pace: begun.pace, budgets: new Map() };
  const asked = { agents: experiment.probe.agents, targets: experiment.probe.targets.length };
  const plan = planOf(experiment, {
    ...{ sites, targets: asked.targets, agents: asked.agents.length },
    ...{ probesPerPath: pathTtls, leaseSec: null, pace, budgets },
  });
  const unknown = unknownBudgets(sites, budgets);
  return {
    plan,
    problems: [...plan.problems, ...(await ratesAgainst(probing, { actions: plan.actions, ...asked }))],
    definition: JSON.stringify([experiment, sites, pace]),
    summary: begun === null ? planTotals(plan) : "in progress",
    notes: begun === null ? [...changesLeft(plan), ...(unknown === null ? [] : [unknown])] : [],
  };
}

/** Its targets in canonical form, as in replies. Rejects with CommandError, with the position in the file. */
export async function readExperiment(path: string): Promise<Experiment> {
  const experiment = await readChecked(path, experimentSchema, "experiment, prefix, probe, steps or sweep");
  const { targets } = experiment.probe;
  if (targets.length > experimentTargetsMax) {
    throw cannot(`${path}: probe.targets names more than ${experimentTargetsMax} targets`);
  }
  const addresses = targets.map((target, at) => {
    const read = readAddress(target);
    if (!read.ok) {
      const shown = withoutPassword(target).slice(0, 50);
      throw cannot(`${path}: probe.targets.${at}: "${shown}" ${because("is not an address", read.reason)}`);
    }
    return formatAddress(read.value);
  });
  return { ...experiment, probe: { ...experiment.probe, targets: [...new Set(addresses)] } };
}
