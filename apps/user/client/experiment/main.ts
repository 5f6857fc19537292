/** `vantage experiment`: announcements and probes on one time line. */
import { usualChangeBudget } from "../../../../lib/base/api/change-budget.ts";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import { defineGroup, subcommand } from "../../../../lib/command/command/command.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import { duration, file, number, text } from "../../../../lib/command/command/kinds.ts";
import { type Experiment, experimentSchema } from "../../../../lib/measuring/experiment/definition.ts";
import { siteBudget } from "../../../../lib/measuring/experiment/exchange-budget.ts";
import {
  changesPerHourMax,
  lastsSecMax,
  pathTtls,
  spacingSecDefault,
} from "../../../../lib/measuring/experiment/limits.ts";
import { type Plan, planOf } from "../../../../lib/measuring/experiment/plan.ts";
import {
  changesLeft,
  clock,
  leaseRenewal,
  namedSites,
  unknownBudgets,
} from "../../../../lib/measuring/experiment/terms.ts";
import { readChecked } from "../campaign/campaign-file.ts";
import { aim } from "./aim.ts";
import { gatewayTerms } from "./gateway-terms.ts";
import { changing, importing, list, remove } from "./list.ts";
import { planColumns } from "./plan-columns.ts";
import { printed } from "./printed.ts";
import { run } from "./run.ts";
import { show } from "./show.ts";
import { timeline } from "./timeline.ts";

const check = gatewayCommand({
  service: "peering",
  about: `Prints each BGP change and each round of probes of an experiment, its cost and its end, and what forbids \
it: the lease, the gateway's limits, and the change budget of exchange servers. Nothing is announced, and nothing
is sent. Only --ask asks the gateway; without it, the whole budget of changes is assumed to be left.

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
    burst: {
      kind: number(1, 1_000_000),
      default: usualChangeBudget.max,
      meaning: "changes of the prefix that each exchange server takes in a row",
    },
    refill: {
      kind: duration(1000 * lastsSecMax),
      default: 1000 * usualChangeBudget.every_seconds,
      defaultText: "10m",
      meaning: "time until an exchange server takes one more",
    },
    ask: {
      flag: true,
      default: false,
      notWith: ["lease", "spacing", "burst", "refill"],
      meaning: "read all of that from the peering gateway",
    },
  },
  arguments: {
    file: { kind: file, required: true, meaning: "the experiment, YAML or JSON; - is standard input" },
  },
  examples: [
    "vantage experiment check prepend.yaml",
    "vantage experiment check --sites west,east --lease 6h sweep.yaml",
  ],
  exits: { failure: "it may not run; the reasons are printed" },
  act: async (session, { file: path, sites: named, ask, ...given }) => {
    const experiment = await readChecked(
      path,
      experimentSchema,
      "experiment, prefix, probe, steps, sweep or aim",
    );
    const sites = named?.split(",") ?? sitesNamedIn(experiment, path);
    const asked = ask ? await gatewayTerms(await session.open(), experiment.prefix, Date.now()) : null;
    const terms = asked ?? termsGiven(sites, given);
    const plan = planOf(experiment, {
      // A run renews the lease, so the lease does not limit it.
      ...{ sites, leaseSec: null, ...terms },
      targets: experiment.probe.targets.length,
      agents: experiment.probe.agents.length,
      probesPerPath: pathTtls,
    });
    printed(planColumns(plan), plan.actions, session.format);
    session.note(planTotals(plan));
    const notes = [
      ...plan.problems,
      ...(plan.problems.length === 0 ? changesLeft(plan) : []),
      asked === null ? null : leaseRenewal(plan.endSec, asked.lease),
      unknownBudgets(sites, terms.budgets),
    ];
    for (const line of notes.filter((one) => one !== null)) {
      session.note(line);
    }
    return plan.problems.length === 0 ? exitCodes.ok : exitCodes.failure;
  },
});

/** Throws CommandError where the file names none, as `all` says nothing then. */
function sitesNamedIn(experiment: Experiment, path: string): readonly string[] {
  const named = namedSites(experiment);
  if (named.length === 0) {
    throw cannot(`${path} uses sites: all; list the exchange servers with --sites`);
  }
  return named;
}

function planTotals({ changes, probes, endSec }: Plan): string {
  return `${grouped(changes)} changes of BGP, ${grouped(probes)} probes, over after ${clock(endSec)}`;
}

interface GivenTerms {
  readonly lease: number | null;
  readonly spacing: number;
  readonly burst: number;
  readonly refill: number;
}

/** Assumes that all exchange servers are alike, with all of their changes left. Times in milliseconds. */
function termsGiven(sites: readonly string[], { lease, spacing, burst: max, refill }: GivenTerms) {
  const all = siteBudget({ ...usualChangeBudget, max, every_seconds: refill / 1000 }, 0);
  return {
    leaseSec: lease === null ? null : Math.floor(lease / 1000),
    pace: { spacingSec: spacing / 1000, perHourMax: changesPerHourMax },
    budgets: new Map(sites.map((site) => [site, all])),
  };
}

export const command = defineGroup({
  about: "Announcements of a leased prefix, and probes from it, in steps.",
  subcommands: [
    subcommand("check", "print what an experiment would do", check),
    subcommand("run", "start an experiment at the gateway, and follow it", run),
    subcommand("aim", "find the announcements that bring targets to the sites that you want", aim),
    subcommand("list", "list your experiments", list),
    subcommand("show", "show its catchments: rounds, sites, targets", show),
    subcommand("timeline", "show the events of control and data plane in order of time", timeline),
    subcommand(
      "pause",
      "announce and probe nothing more, until it is resumed",
      changing("pause", "What is announced stays, and is renewed."),
    ),
    subcommand(
      "resume",
      "continue a paused experiment",
      changing(
        "resume",
        "The rest follows in the planned order, with the planned distances between changes.",
      ),
    ),
    subcommand(
      "stop",
      "withdraw the prefix, and end the experiment",
      changing("stop", "Withdraws the prefix everywhere within seconds, and forgets the grant."),
    ),
    subcommand("import", "send the journal of an experiment that ran elsewhere", importing),
    subcommand("remove", "remove an experiment that has ended", remove),
  ],
  examples: [
    "vantage experiment check prepend.yaml",
    "vantage experiment run prepend.yaml",
    "vantage experiment timeline 'prepend west'",
  ],
});
