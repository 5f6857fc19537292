/** `vantage experiment aim`: says what is wanted of an anycast prefix; the gateway finds the announcements. */
import { dayOf } from "../../../../lib/answers/enrich/address-context.ts";
import { atOnce } from "../../../../lib/base/list/steps.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import {
  contextFolderOption,
  contextRequest,
  openAddressContext,
} from "../../../../lib/command/command/context-options.ts";
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import { file, text } from "../../../../lib/command/command/kinds.ts";
import { nextSetting } from "../../../../lib/measuring/experiment/aim/next-setting.ts";
import { announcementsOf } from "../../../../lib/measuring/experiment/aim/setting.ts";
import { aimState } from "../../../../lib/measuring/experiment/aim-state.ts";
import {
  announcedText,
  endText,
  notPredictableText,
} from "../../../../lib/measuring/experiment/aim-words.ts";
import { begunExperiment, roundsOf } from "../../../../lib/measuring/experiment/begun.ts";
import {
  type Aim,
  type Experiment,
  experimentSchema,
} from "../../../../lib/measuring/experiment/definition.ts";
import { ExperimentLedger } from "../../../../lib/measuring/experiment/journal.ts";
import { roundSettings } from "../../../../lib/measuring/experiment/round-settings.ts";
import { readChecked } from "../campaign/campaign-file.ts";
import { dryRunColumns } from "./aim-columns.ts";
import { readLedger } from "./experiment-id.ts";
import { printed } from "./printed.ts";
import { probingSession, startExperiment, startOptions } from "./run.ts";

export const aim = gatewayCommand({
  service: "peering",
  about: `Says what is wanted of an anycast prefix, not how: the gateway announces it in several ways, learns from the \
catchments which sites each target prefers, forecasts announcements that were never made, and tries the likeliest \
until the goals are met, are shown to be out of reach, or changes or time are used up. Each round is printed with the
forecast and what was measured. Closing the terminal changes nothing; vantage experiment stop ends it.

  experiment: west 40
  prefix: 2001:db8:51::/48
  probe: { agents: [west, east], targets: [2001:db8:9::1, 2001:db8:a::1], rate: 500 }
  aim:
    sites: [west, east]
    goals: ["west: 40 %", "none of AS 64500 at east", "latency p90 below 80 ms"]
    weights: { AS64500: 10, 2001:db8:9::/48: 3 }
    changes: 12
    wait: 10m`,
  options: {
    ...startOptions,
    "dry-run": {
      flag: true,
      default: false,
      meaning: "print the forecast for the next announcement; announce and probe nothing",
    },
    from: {
      kind: text,
      placeholder: "EXPERIMENT",
      defaultText: "nothing",
      meaning: "an earlier experiment with the prefix: its rounds are known from the start",
    },
    context: {
      ...contextFolderOption,
      meaning: "for ASes of targets: where the sets of vantage context lie",
    },
    detach: { flag: true, short: "d", default: false, meaning: "do not follow it" },
  },
  arguments: {
    file: {
      kind: file,
      required: true,
      meaning: "the experiment with its aim, YAML or JSON; - is standard input",
    },
  },
  examples: [
    "vantage experiment aim --dry-run west-40.yaml",
    "vantage experiment aim west-40.yaml",
    "vantage experiment aim --from 'west 40' west-50.yaml",
  ],
  exits: {
    ok: "the goals are met, or it was started",
    failure: "they are not, or it may not run; the reason is printed",
  },
  act: async (session, given) => {
    const read = await readChecked(given.file, experimentSchema, "experiment, prefix, probe, aim");
    if (read.aim === undefined) {
      throw cannot(
        `${given.file} has no aim: vantage experiment run starts experiments with steps or a sweep`,
      );
    }
    const earlier =
      given.from === null
        ? read.aim.earlier
        : earlierRounds(
            await readLedger(await probingSession(session, given.gateway).open(), given.from, session.signal),
            read.prefix,
          );
    const asns = asnsOf(read.aim, read.probe.targets, given.context);
    const experiment = { ...read, aim: { ...read.aim, earlier, asns } };
    if (!given["dry-run"]) {
      return await startExperiment(session, experiment, given);
    }
    printForecast(session, experiment, experiment.aim);
    return exitCodes.ok;
  },
});

type Noting = { readonly format: Parameters<typeof printed>[2]; note(line: string): void };

/** From the file and earlier rounds; the gateway also has the paths of its collector. */
function printForecast(session: Noting, experiment: Experiment, wanted: Aim): void {
  const ledger = new ExperimentLedger();
  const changesMax = wanted.changes;
  const state = atOnce(aimState({ experiment, aim: wanted, ledger, map: null, changesMax }));
  const next = atOnce(nextSetting(state, null));
  if (next.kind === "end") {
    session.note(endText(next, wanted));
    return;
  }
  const announced = announcedText(Object.fromEntries(announcementsOf(state.levers.entries, next.setting)));
  const rows = wanted.goals.map((goal, index) => ({
    ...{ announced, goal, forecast: next.outlook.shares[index] ?? null },
  }));
  printed(dryRunColumns, rows, session.format);
  const { groups } = next.forecast;
  const chance = `${(100 * next.outlook.chance).toFixed(0)} %`;
  session.note(
    `first announcement, to ${next.why}; chance that it meets all goals: ${chance}${notPredictableText(groups)}`,
  );
}

/** The file's come first; sets are read where the aim names an AS, and the file has none or the folder is given. */
function asnsOf(wanted: Aim, targets: readonly string[], folder: string | null): Record<string, number> {
  const isNamed = [...wanted.goals, ...Object.keys(wanted.weights)].some((one) => /AS ?\d/.test(one));
  if (!isNamed || (folder === null && Object.keys(wanted.asns).length > 0)) {
    return wanted.asns;
  }
  const context = openAddressContext(contextRequest({ with: ["asn"], context: folder, resolver: [] }), true);
  const day = dayOf(Date.now());
  const known = targets.flatMap((target): [string, number][] => {
    const asn = wanted.asns[target] ?? context.of(target, day).context?.asn ?? null;
    return asn === null ? [] : [[target, asn]];
  });
  return Object.fromEntries(known);
}

/** Throws CommandError for an experiment with another prefix. */
function earlierRounds(ledger: ExperimentLedger, prefix: string): Aim["earlier"] {
  const begun = begunExperiment(ledger);
  if (begun?.experiment.prefix !== prefix) {
    throw cannot(`--from: that experiment announced ${begun?.experiment.prefix ?? "nothing"}, not ${prefix}`);
  }
  const settings = roundSettings(begun.actions);
  return roundsOf(ledger).map(({ round, sites }) => {
    const announced = [...(settings.get(round) ?? [])].map(
      ([site, as]) =>
        [site, { prepend: as.prepend, notTo: as.not_to.filter((one) => typeof one === "number") }] as const,
    );
    const at = [...sites].flatMap(([target, seen]) =>
      seen.size === 1 ? [[target, [...seen][0] ?? ""] as const] : [],
    );
    return { announced: Object.fromEntries(announced), at: Object.fromEntries(at) };
  });
}
