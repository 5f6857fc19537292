/** `vantage experiment`: announcements and probes on one time line. */
import { defineCommand, defineGroup, subcommand } from "../../../lib/command/command.ts";
import { complain } from "../../../lib/command/complain.ts";
import { exitCodes } from "../../../lib/command/exit-codes.ts";
import { formatOption } from "../../../lib/command/format-option.ts";
import { duration, file, text } from "../../../lib/command/kinds.ts";
import { experimentSchema } from "../../../lib/experiment/definition.ts";
import { changesPerHourMax, lastsSecMax, spacingSecDefault } from "../../../lib/experiment/limits.ts";
import { planOf } from "../../../lib/experiment/plan.ts";
import { readChecked } from "../campaign/campaign-file.ts";
import { list } from "./list.ts";
import { pathTtls } from "./looks.ts";
import { planColumns } from "./plan-columns.ts";
import { namedSites, planTotals } from "./plan-words.ts";
import { printed } from "./printed.ts";
import { run } from "./run.ts";
import { show } from "./show.ts";
import { stop } from "./stop.ts";
import { timeline } from "./timeline.ts";

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
    spacing: {
      kind: duration(1000 * lastsSecMax),
      default: 1000 * spacingSecDefault,
      defaultText: "10m",
      meaning: "time that the gateway wants between two changes of the prefix",
    },
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
  act: async ({ file: path, sites, lease, spacing, output: format }) => {
    const experiment = await readChecked(path, experimentSchema, "experiment, prefix, probe, steps or sweep");
    const plan = planOf(experiment, {
      sites: sites?.split(",") ?? namedSites(experiment, path),
      targets: experiment.probe.targets.length,
      agents: experiment.probe.agents.length,
      probesPerPath: pathTtls,
      leaseSec: lease === null ? null : Math.floor(lease / 1000),
      pace: { spacingSec: spacing / 1000, perHourMax: changesPerHourMax },
    });
    printed(planColumns, plan.actions, format);
    complain("experiment check", planTotals(plan));
    for (const problem of plan.problems) {
      complain("experiment check", problem);
    }
    return plan.problems.length === 0 ? exitCodes.ok : exitCodes.failure;
  },
});

export const command = defineGroup({
  about: "Announcements of a leased prefix, and probes from it, in steps.",
  subcommands: [
    subcommand("check", "print what an experiment would do", check),
    subcommand("run", "run an experiment, or go on with it", run),
    subcommand("list", "list the experiments whose journals are in a folder", list),
    subcommand("show", "show its catchments: rounds, sites, targets", show),
    subcommand("timeline", "show what happened on both planes, in order", timeline),
    subcommand("stop", "withdraw the prefix, and end it", stop),
  ],
  examples: [
    "vantage experiment check prepend.yaml",
    "vantage experiment run prepend.yaml",
    "vantage experiment timeline prepend.yaml.journal",
  ],
});
