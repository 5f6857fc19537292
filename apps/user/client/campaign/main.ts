/** `vantage campaign`: recurring measurements. */
import * as v from "valibot";
import {
  campaignDetailAnswer,
  campaignRunAnswer,
  estimateAnswer,
  madeCampaignAnswer,
} from "../../../../lib/base/api/campaigns.ts";
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { defineGroup, subcommand } from "../../../../lib/command/command/command.ts";
import { type ExitCode, exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import { file, number } from "../../../../lib/command/command/kinds.ts";
import { campaignPageRowsMax } from "../limits.ts";
import { campaignColumns, estimateColumns, runColumns } from "./campaign-columns.ts";
import { readCampaignFile } from "./campaign-file.ts";
import { allCampaigns, campaignId, campaignKind, campaignMeaning } from "./campaign-id.ts";
import { inTermsOf } from "./file-places.ts";
import { preview } from "./preview.ts";
import { removing } from "./remove.ts";

type Detail = v.InferOutput<typeof campaignDetailAnswer>;

const headers = { "content-type": "application/json" };
const fileArgument = {
  kind: file,
  required: true,
  meaning:
    "YAML or JSON: name, agents, probes, one of every, cron and on, stop or max_runs; - is standard input",
} as const;
const idArgument = { kind: campaignKind, required: true, meaning: campaignMeaning } as const;

const create = gatewayCommand({
  about: `Prints what the campaign will cost, then makes it. A name stands for one campaign at a time, so that \
asking twice does not measure twice.

  name: path watch
  agents: [west, 3@tag:eu]
  targets: [192.0.2.1, 198.51.100.0/24]    # or probes: |, and lines dst,src_port,dst_port,ttl,protocol
  every: 15m                     # or cron: "30 6 * * 1-5", with zone: Europe/Berlin
                                 # or on: {alert: NAME}, {ended: NAME}, {webhook: true}: an event starts each run
  stop: 2027-01-01T00:00:00Z     # or max_runs: 100`,
  options: { check: { flag: true, default: false, meaning: "print what it would cost, and make nothing" } },
  arguments: { file: fileArgument },
  examples: ["vantage campaign create --check watch.yaml", "vantage campaign create watch.yaml"],
  act: async (session, { file: path, check }) => {
    const file = await readCampaignFile(path);
    const { body } = file;
    const gateway = await session.open();
    const { signal } = session;
    const ask = { method: "POST", headers, body, signal } as const;
    const estimate = gateway.read("/api/campaigns/estimate", estimateAnswer, { ...ask, repeatable: true });
    const cost = await inTermsOf(file, estimate);
    if (check) {
      session.printRecord(estimateColumns, cost);
      return exitCodes.ok;
    }
    session.note(costInWords(cost));
    const { campaign } = await inTermsOf(file, gateway.read("/api/campaigns", madeCampaignAnswer, ask));
    session.printRecord(campaignColumns, campaign);
    return exitCodes.ok;
  },
});

function costInWords(cost: v.InferOutput<typeof estimateAnswer>): string {
  const share = `${(100 * cost.quota_share).toFixed(1)} % of your quota`;
  const end = cost.last_at === null ? "without an end in sight" : `until ${cost.last_at}`;
  return `${cost.probes_per_run} probes a run, ${cost.probes_per_day} a day (${share}), ${end}`;
}

const list = gatewayCommand({
  options: {},
  arguments: {},
  examples: ["vantage campaign list", "vantage campaign list -o json | jq -r '.[].name'"],
  act: async (session) => {
    const campaigns = await allCampaigns(await session.open(), session.signal);
    session.printRows(campaignColumns, campaigns, "no campaign; make one with: vantage campaign create FILE");
    return exitCodes.ok;
  },
});

const show = gatewayCommand({
  options: {},
  arguments: { campaign: idArgument },
  examples: ["vantage campaign show 'path watch' -o json"],
  act: async (session, { campaign }) => {
    const gateway = await session.open();
    const id = await campaignId(gateway, campaign, session.signal);
    const { signal } = session;
    const shown = await gateway.read(`/api/campaigns/${id}`, campaignDetailAnswer, { signal });
    const definition = Object.entries(shown.definition).map(
      ([key, value]) => `${key}: ${JSON.stringify(value)}`,
    );
    session.printRecord(
      [
        ...campaignColumns,
        {
          name: "follow_ups",
          head: "follow-ups",
          value: ({ follow_ups }) => [`${follow_ups.started} started`, `${follow_ups.refused} refused`],
          text: ({ follow_ups }) => `${follow_ups.started} started, ${follow_ups.refused} refused`,
        },
        ...(shown.events === undefined || !("on" in shown.definition) ? [] : [eventsColumn(shown.events)]),
        {
          name: "definition",
          head: "definition",
          value: () => definition,
          text: () => definition.join(", "),
        },
      ],
      shown,
    );
    return exitCodes.ok;
  },
});

function eventsColumn({ taken, waiting, cut }: NonNullable<Detail["events"]>): Column<Detail> {
  const words = [`${taken} taken`, `${waiting} waiting`, `${cut} cut`];
  return { name: "events", head: "events", value: () => words, text: () => words.join(", ") };
}

const edit = gatewayCommand({
  about: "The file holds the whole definition. It applies from the next run, as a new revision.",
  options: {},
  arguments: { campaign: idArgument, file: fileArgument },
  examples: ["vantage campaign edit 'path watch' watch.yaml"],
  act: async (session, { campaign, file: path }) => {
    const file = await readCampaignFile(path);
    const { body } = file;
    const gateway = await session.open();
    const { signal } = session;
    const id = await campaignId(gateway, campaign, signal);
    const ask = { method: "PUT", headers, body, signal } as const;
    const answer = gateway.read(`/api/campaigns/${id}`, madeCampaignAnswer, ask);
    const changed = await inTermsOf(file, answer);
    session.note(costInWords(changed.estimate));
    session.printRecord(campaignColumns, changed.campaign);
    return exitCodes.ok;
  },
});

const runs = gatewayCommand({
  about: "The newest first. Consecutive runs that were skipped for the same reason share a row.",
  options: {
    count: {
      kind: number(1, campaignPageRowsMax),
      short: "n",
      default: 20,
      meaning: "show at most this many rows",
    },
  },
  arguments: { campaign: idArgument },
  examples: ["vantage campaign runs 'path watch'", "vantage campaign runs 6f1c -n 100 -o csv"],
  act: async (session, { campaign, count }) => {
    const gateway = await session.open();
    const { signal } = session;
    const id = await campaignId(gateway, campaign, signal);
    const query = { limit: count };
    const rows = await gateway.read(`/api/campaigns/${id}/runs`, v.array(campaignRunAnswer), {
      query,
      signal,
    });
    session.printRows(runColumns, rows, "no run yet");
    return exitCodes.ok;
  },
});

/** Pause, resume, stop: idempotent; a repetition reports that the state is unchanged. */
function changing(kind: "pause" | "resume" | "stop", about: string) {
  return gatewayCommand({
    about,
    options: {},
    arguments: { campaign: idArgument },
    examples: [`vantage campaign ${kind} 'path watch'`],
    act: (session, { campaign }) => change(session, campaign, kind),
  });
}

async function change(session: GatewaySession, campaign: string, kind: string): Promise<ExitCode> {
  const gateway = await session.open();
  const { signal } = session;
  const id = await campaignId(gateway, campaign, signal);
  const ask = { method: "POST", signal } as const;
  session.printRecord(
    campaignColumns,
    await gateway.read(`/api/campaigns/${id}/${kind}`, campaignDetailAnswer, ask),
  );
  return exitCodes.ok;
}

export const command = defineGroup({
  about: "Each run is one of your measurements, submitted by the gateway and charged to that day's quota.",
  subcommands: [
    subcommand("create", "create a campaign from a file, and show its cost", create),
    subcommand("list", "list your campaigns", list),
    subcommand("show", "show a campaign with its definition", show),
    subcommand("pause", "pause the runs of a campaign", changing("pause", "A run that has begun continues.")),
    subcommand(
      "resume",
      "resume a paused campaign",
      changing("resume", "Runs that were due meanwhile are skipped."),
    ),
    subcommand(
      "stop",
      "end a campaign permanently",
      changing("stop", "Probes of the current run that are not yet sent go back to your quota."),
    ),
    subcommand("edit", "change a campaign by a file", edit),
    subcommand("preview", "show which alerts a file's rules would have raised", preview),
    subcommand("runs", "list the runs of a campaign, with their measurements", runs),
    subcommand("remove", "remove a campaign that has ended", removing("campaign", "CAMPAIGN")),
  ],
  examples: ["vantage campaign create watch.yaml", "vantage campaign runs 'path watch'"],
});
