/** `vantage campaign run`: a campaign in this process, without a gateway. */
import { tmpdir } from "node:os";
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import { atOnce } from "../../../../lib/base/list/steps.ts";
import { listenForInterrupt } from "../../../../lib/base/terminal/interruption.ts";
import { printLine } from "../../../../lib/base/terminal/output.ts";
import { defineCommand } from "../../../../lib/command/command/command.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import { complain } from "../../../../lib/command/command/complain.ts";
import { neededConfig } from "../../../../lib/command/command/config-option.ts";
import { type ExitCode, exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { choice, file, folder } from "../../../../lib/command/command/kinds.ts";
import { openBroker } from "../../../../lib/engines/broker/open.ts";
import { pause } from "../../../../lib/engines/gateway-client/pause.ts";
import { parseTargets } from "../../../../lib/engines/submission/targets.ts";
import { estimate } from "../../../../lib/measuring/campaign/estimate.ts";
import { topicPartitions, topicRetentionMs } from "../../../../lib/net/wire/target-header.ts";
import type { RunRow } from "../../../probing/campaigns/campaign-book.ts";
import {
  type Definition,
  keptDefinition,
  laterProbesMax,
  probeLinesOf,
  scheduleOf,
  stepsOf,
} from "../../../probing/campaigns/definition.ts";
import { FileJournal, type FileRevision } from "../../../probing/campaigns/file-journal.ts";
import { readProbeText } from "../../../probing/campaigns/probe-text.ts";
import { startCampaigns } from "../../../probing/campaigns/service.ts";
import { type ClientConfig, readClientConfig } from "../config.ts";
import { campaignPollMs } from "../limits.ts";
import { readDefinition } from "./campaign-file.ts";
import { LocalMeasure } from "./local-measure.ts";

const name = "campaign run";

export const run = defineCommand({
  about: `Each run goes through the broker to agents, as vantage client sends it; agents are named, because only a \
gateway can choose them. Every step is written into a journal before and after it is done. When it is started again \
after an interruption, it continues, repeats nothing, and notes the runs that it missed. A changed file applies from \
the next run.

Ctrl-C ends the command, not the campaign; to end that, let the file stop, or remove the journal.`,
  options: {
    config: { ...neededConfig, meaning: "a file with the broker's address, as for vantage client" },
    journal: { kind: folder, defaultText: "FILE.journal", meaning: "folder of its journal" },
    check: { flag: true, default: false, meaning: "print what it would cost, and do nothing" },
    output: {
      kind: choice(["text", "json"], "FORMAT"),
      short: "o",
      default: "text",
      meaning: "a line for each run that begins, ends, or does not come",
    },
  },
  arguments: { file: { kind: file, required: true, meaning: "the campaign: see vantage campaign create" } },
  examples: [
    "vantage campaign run --check -c client.yaml watch.yaml",
    "vantage campaign run -c client.yaml watch.yaml",
  ],
  exits: { ok: "the campaign has ended", interrupted: "interrupted; the next start continues" },
  act: async ({ file: path, config: configPath, journal, check, output }) => {
    const config = readClientConfig(configPath, process.env);
    const definition = await readDefinition(path);
    const revision = revisionOf(path, definition, config);
    sayCost(definition, revision);
    if (check) {
      return exitCodes.ok;
    }
    const folderPath = journal ?? (path === "-" ? "campaign.journal" : `${path}.journal`);
    return await goOn({ revision, config, folder: folderPath, isJson: output === "json" });
  },
});

/** Throws CommandError, and Failure for agents that are not names. */
function revisionOf(path: string, definition: Definition, config: ClientConfig): FileRevision {
  parseTargets(definition.agents);
  if (definition.follow_up !== undefined && config.storeAddress === "") {
    throw cannot(`${path}: "follow_up" needs results: give store.address in the configuration`);
  }
  if (definition.discover !== undefined) {
    throw cannot(`${path}: "discover" needs a gateway: vantage discover, or vantage campaign create`);
  }
  if (definition.alerts !== undefined) {
    throw cannot(`${path}: "alerts" need a gateway: vantage campaign create`);
  }
  const made = atOnce(probeLinesOf(definition));
  if (!made.ok) {
    throw cannot(`${path}: targets ${made.reason}`);
  }
  const kept = keptDefinition(definition);
  return {
    definition: JSON.stringify([kept, made.lines]),
    schedule: scheduleOf(definition, Date.now()),
    isStartGiven: definition.start !== undefined,
    agents: definition.agents,
    probes: made.lines,
    spreadSec: kept.spread ?? 0,
    works: stepsOf(definition),
  };
}

function sayCost(definition: Definition, { schedule, probes, agents }: FileRevision): void {
  const probesOfAgent = readProbeText(probes).probes + laterProbesMax(definition);
  const cost = estimate(schedule, probesOfAgent * parseTargets(agents).length, null);
  const end = cost.lastMs === null ? "without an end in sight" : `until ${timeText(cost.lastMs)}`;
  complain(name, `${cost.probesPerRun} probes a run, ${cost.probesPerDay} a day, ${end}`);
}

interface RunOrder {
  readonly revision: FileRevision;
  readonly config: ClientConfig;
  readonly folder: string;
  readonly isJson: boolean;
}

async function goOn({ revision, config, folder: journalFolder, isJson }: RunOrder): Promise<ExitCode> {
  using interruption = listenForInterrupt();
  const { signal } = interruption;
  await using broker = await openBroker(config.broker.address, { login: config.broker.login });
  const topic = { name: config.broker.topic, partitions: topicPartitions, retentionMs: topicRetentionMs };
  await broker.ensureTopic(topic);
  const spoolDir = config.spoolDir || tmpdir();
  const measure = new LocalMeasure({ config, broker, spoolDir, journal: () => journal, signal });
  using journal = FileJournal.open(journalFolder, {
    nowMs: Date.now,
    isEnded: (id) => measure.isEnded(id),
    onRun: (row, ids) => printLine(isJson ? runJson(row, ids) : runText(row, ids)),
  });
  const begun = journal.begin(crypto.randomUUID(), revision);
  complain(name, `${beginnings[begun]}; its journal is in ${journalFolder}`);
  const log = {
    warn: (message: string, fields: { readonly error?: unknown } = {}) => say(message, fields.error),
    error: (message: string, fields: { readonly error?: unknown } = {}) => say(message, fields.error),
  };
  await using _service = startCampaigns({ journal, measure, log });
  while (!signal.aborted && journal.book.campaign?.ended === null) {
    await pause(campaignPollMs, signal);
  }
  return signal.aborted ? exitCodes.interrupted : exitCodes.ok;
}

const beginnings = {
  made: "a new campaign",
  edited: "the campaign continues, changed from its next run on",
  "as before": "the campaign continues",
} as const;

function say(message: string, error: unknown): void {
  complain(name, error === undefined ? message : `${message}: ${systemReason(error)}`);
}

function runText({ run: number, last_run: last, planned_ms, state, reason }: RunRow, ids: readonly string[]) {
  const which = number === last ? `run ${number}` : `runs ${number} to ${last}`;
  const why = reason === null ? "" : `: ${reason}`;
  return [which, `planned ${timeText(planned_ms)}`, `${stateWords[state]}${why}`, ...ids].join("  ");
}

const stateWords = {
  open: "begun",
  done: "done",
  missed: "missed",
  refused: "refused",
  passed: "skipped",
} as const;

function runJson(
  { run: number, last_run, revision, planned_ms, state, reason }: RunRow,
  ids: readonly string[],
) {
  const planned_at = timeText(planned_ms);
  return JSON.stringify({ run: number, last_run, revision, planned_at, state, reason, measurements: ids });
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
