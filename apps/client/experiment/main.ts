/** `vantage experiment`: announcements and probes on one time line. */
import { defineCommand, defineGroup, subcommand } from "../../../lib/command/command.ts";
import { cannot } from "../../../lib/command/command-error.ts";
import { complain } from "../../../lib/command/complain.ts";
import { exitCodes } from "../../../lib/command/exit-codes.ts";
import { formatOption } from "../../../lib/command/format-option.ts";
import { duration, file, text } from "../../../lib/command/kinds.ts";
import { type Experiment, experimentSchema } from "../../../lib/experiment/definition.ts";
import { lastsSecMax } from "../../../lib/experiment/limits.ts";
import { type Plan, type PlannedAction, planOf } from "../../../lib/experiment/plan.ts";
import { paletteFor } from "../../../lib/terminal/colour.ts";
import { grouped } from "../../../lib/terminal/figures.ts";
import { printLine } from "../../../lib/terminal/output.ts";
import { RowsOutput } from "../../../lib/terminal/rows-output.ts";
import { readChecked } from "../campaign/campaign-file.ts";
import { clock, planColumns } from "./plan-columns.ts";

/** Probes of a look at the paths to one target: one flow, to the TTL that `vantage trace` goes to. */
const probesPerPath = 32;

const check = defineCommand({
  about: `Prints each change of BGP and each probing of an experiment, its probes and its end, and what stands against \
it. Nothing is announced, nothing is sent, and nobody is asked.

  experiment: prepend west
  prefix: 2001:db8:51::/48
  probe: { agents: [west, east], targets: [2001:db8:9::1], rate: 500 }
  steps:
    - { at: 0m, announce: { sites: all }, probe: { catchment: { after: 20m, times: 3 } } }
    - { at: 90m, announce: { sites: [west], prepend: 2 }, probe: { paths: { every: 60s, until: converged } } }
    - { at: 180m, withdraw: { sites: [west] }, probe: { watch: { every: 1s, for: 5m } } }

or, instead of steps: sweep: { sites: [west, east], prepends: [0, 1, 2, 3], wait: 10m }`,
  options: {
    sites: {
      kind: text,
      defaultText: "those that the file names",
      meaning: "exchange servers, a comma between them: what `all` means",
    },
    lease: { kind: duration(1000 * lastsSecMax), meaning: "time until the lease of the prefix ends" },
    ...formatOption,
  },
  arguments: {
    file: { kind: file, required: true, meaning: "the experiment, YAML or JSON; - is standard input" },
  },
  examples: [
    "vantage experiment check prepend.yaml",
    "vantage experiment check --sites west,east --lease 6h sweep.yaml",
  ],
  exits: { failure: "it may not run; the reasons are printed" },
  act: async ({ file: path, sites, lease, output: format }) => {
    const experiment = await readChecked(path, experimentSchema, "experiment, prefix, probe, steps or sweep");
    const plan = planOf(experiment, {
      sites: sites?.split(",") ?? namedSites(experiment, path),
      targets: experiment.probe.targets.length,
      agents: experiment.probe.agents.length,
      probesPerPath,
      leaseSec: lease === null ? null : Math.floor(lease / 1000),
    });
    const { dim } = paletteFor(process.stdout.isTTY === true, process.env.NO_COLOR);
    const rows = new RowsOutput<PlannedAction>({ columns: planColumns, format, print: printLine, dim });
    for (const action of plan.actions) {
      rows.add(action);
    }
    rows.finish();
    complain("experiment check", totals(plan));
    for (const problem of plan.problems) {
      complain("experiment check", problem);
    }
    return plan.problems.length === 0 ? exitCodes.ok : exitCodes.failure;
  },
});

/** Throws CommandError where the file names none, as `all` says nothing then. */
function namedSites({ steps = [], sweep }: Experiment, path: string): readonly string[] {
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

function totals({ changes, probes, endSec }: Plan): string {
  return `${grouped(changes)} changes of BGP, ${grouped(probes)} probes, over after ${clock(endSec)}`;
}

export const command = defineGroup({
  about: "Announcements of a leased prefix, and probes from it, in steps.",
  subcommands: [subcommand("check", "print what an experiment would do", check)],
  examples: ["vantage experiment check prepend.yaml"],
});
