/** `vantage discover`: finds the routers and links on the paths to prefixes, by a gateway's agents in rounds. */
import type { InferOutput } from "valibot";
import * as v from "valibot";
import {
  discoveryAnswer,
  discoveryDetailAnswer,
  discoveryForecast,
  madeDiscoveryAnswer,
} from "../../../../lib/base/api/discoveries.ts";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import { subcommand } from "../../../../lib/command/command/command.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import { type ExitCode, exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import { choice, number, text } from "../../../../lib/command/command/kinds.ts";
import { restartMsMax, submissionAnswerMs } from "../../../../lib/engines/gateway-client/limits.ts";
import { pause } from "../../../../lib/engines/gateway-client/pause.ts";
import { strategies } from "../../../../lib/measuring/discovery/strategies.ts";
import { protocols } from "../../../../lib/net/packet/probe.ts";
import { campaignId, campaignKind } from "../campaign/campaign-id.ts";
import { removing } from "../campaign/remove.ts";
import { campaignPageRowsMax, followMs } from "../limits.ts";
import { discoveryColumns, forecastColumns, roundColumns } from "./discovery-columns.ts";
import { forecastInWords, unfinishedInWords } from "./discovery-words.ts";
import { readTargets } from "./read-targets.ts";

const idArgument = {
  kind: campaignKind,
  placeholder: "DISCOVERY",
  required: true,
  meaning: "its id, the beginning of it, or its name",
} as const;
const strategyNames = Object.keys(strategies);
const strategyLines = Object.values(strategies).map(
  ({ name, sentence }) => `  ${name.padEnd(14)} ${sentence}`,
);

const options = {
  agent: {
    kind: text,
    placeholder: "AGENT",
    short: "a",
    multiple: true,
    required: true,
    meaning: "who probes: agent, tag:eu, 3@any, several with commas",
  },
  targets: {
    kind: text,
    placeholder: "FILE|PREFIX",
    multiple: true,
    required: true,
    meaning: "a prefix, an address, or a file with one per line",
  },
  strategy: {
    kind: choice(strategyNames, "NAME"),
    default: "shared",
    meaning: "how the next probes are chosen",
  },
  confidence: {
    kind: text,
    placeholder: "PERCENT",
    default: "95",
    meaning: "probability (%) of finding every branch, 50 to 99.99",
  },
  rate: { kind: number(1, 1_000_000), default: 1000, meaning: "packets a second, of each agent" },
  routerRate: {
    kind: number(1, 1000),
    default: 10,
    meaning: "packets a second to a router, of each agent",
  },
  budget: {
    kind: number(1, 4_194_304),
    placeholder: "PREFIXES",
    defaultText: "all of them",
    meaning: "prefixes per agent, chosen by links in the previous run and at random",
  },
  probesMax: {
    kind: number(1, 10_000_000_000),
    defaultText: "your quota of a day",
    meaning: "stop after N probes",
  },
  roundsMax: { kind: number(1, 200), default: 100, meaning: "rounds at most" },
  settle: { kind: number(1, 300), default: 10, meaning: "seconds to wait for answers after a round" },
  protocol: {
    kind: choice(protocols),
    default: "udp",
    meaning: "of the probes; icmp is right for both families",
  },
  ttl: { kind: text, placeholder: "FIRST-LAST", default: "1-32", meaning: "TTLs" },
  seed: { kind: number(0, 2 ** 32 - 1), default: 0, meaning: "seed of the random order" },
  name: { kind: text, placeholder: "NAME", defaultText: "the time", meaning: "by which it is listed" },
  check: { flag: true, default: false, meaning: "print what it would do, and do nothing" },
  wait: { flag: true, default: false, short: "w", meaning: "show its progress until it has ended" },
} as const;

const start = gatewayCommand({
  about: `Prints what it will do, then does it: rounds of probes, each computed by the gateway from the answers to \
those before, until no prefix wants more. It ends before that, incomplete, when --probes-max or --rounds-max \
is reached. Results are those of a campaign: vantage replies --campaign NAME.
Targets are probed in random order; subnets that
the gateway must not probe are left out, and named before it begins.
Strategies:
${strategyLines.join("\n")}`,
  options,
  arguments: {},
  examples: [
    "vantage discover -a 3@any --targets 198.51.100.0/24 --check",
    "vantage discover -a west --targets prefixes.txt --strategy shared --confidence 99 --rate 5000 --wait",
    "vantage discover pause 6f1c && vantage discover resume 6f1c",
  ],
  exits: {
    partial:
      "with --wait: ended before all was found; standard error has what is unfinished, and how to continue",
    interrupted: "interrupted; the discovery continues: vantage discover pause holds it, stop ends it",
  },
  act: async (session, given) => {
    const { agent, targets, protocol, ttl, seed, name, check, wait } = given;
    const { strategy, rate, routerRate, probesMax, roundsMax, settle, budget } = given;
    const discover = {
      ...{ strategy, confidence: percentOf(given.confidence), rate, router_rate: routerRate },
      ...{ probes_max: probesMax ?? undefined, rounds_max: roundsMax, settle },
      budget_prefixes: budget ?? undefined,
    };
    const probes = { protocol, ttl, seed, name: name ?? undefined };
    const sent = sentAs({ agents: agent, ...probes, discover }, await readTargets(targets));
    const gateway = await session.open();
    const { signal } = session;
    const ask = { method: "POST", ...sent, signal } as const;
    const forecast = await gateway.read("/api/discoveries/estimate", discoveryForecast, {
      ...ask,
      repeatable: true,
    });
    if (check) {
      session.printRecord(forecastColumns, forecast);
      return exitCodes.ok;
    }
    session.note(forecastInWords(forecast));
    const { discovery } = await gateway.read("/api/discoveries", madeDiscoveryAnswer, ask);
    if (wait) {
      const commands = `vantage discover show|pause|stop ${discovery.id}`;
      session.note(`Ctrl-C stops watching; the discovery continues: ${commands}`);
    }
    const last = wait ? await follow(session, discovery.id) : discovery;
    session.printRecord(discoveryColumns, last);
    return outcomeOf(session, last);
  },
});

/** Reports an incomplete discovery, and how to continue it. */
function outcomeOf(session: GatewaySession, one: InferOutput<typeof discoveryAnswer>): ExitCode {
  if (one.complete !== false) {
    return exitCodes.ok;
  }
  session.note(unfinishedInWords(one));
  return one.probes_sent === 0 ? exitCodes.failure : exitCodes.partial;
}

/** Few targets are sent in the JSON, a list as text after it. */
function sentAs(order: object, given: Awaited<ReturnType<typeof readTargets>>) {
  return given.kind === "few"
    ? {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...order, targets: given.targets }),
      }
    : {
        headers: { "content-type": "text/plain", "content-encoding": "gzip" },
        query: { order: JSON.stringify(order) },
        body: () => new Blob([given.packed]).stream(),
        answerMs: submissionAnswerMs,
      };
}

function percentOf(given: string): number {
  const value = Number(given);
  if (!(value >= 50 && value <= 99.99)) {
    throw cannot(`--confidence ${given} is not a number from 50 to 99.99`);
  }
  return value;
}

/** Until it has ended, or is stopped; Ctrl-C stops watching, and the discovery continues. */
async function follow(
  session: GatewaySession,
  id: string,
): Promise<InferOutput<typeof discoveryDetailAnswer>> {
  const gateway = await session.open();
  const { signal } = session;
  const onBreak = (reason: string) => session.note(`${reason}; trying again, the discovery continues`);
  const ask = { signal, patientMs: restartMsMax, onBreak };
  for (;;) {
    const one = await gateway.read(`/api/discoveries/${id}`, discoveryDetailAnswer, ask);
    const rest = one.probes_rest === null ? "" : `, about ${grouped(one.probes_rest)} remaining`;
    const found = `${grouped(one.links ?? 0)} links, ${grouped(one.nodes ?? 0)} routers`;
    session.progress.draw(`round ${one.round ?? 1}: ${grouped(one.probes_sent)} sent, ${found}${rest}`);
    if (one.state !== "running" || signal.aborted) {
      session.progress.clear();
      return one;
    }
    await pause(followMs, signal);
  }
}

const list = gatewayCommand({
  options: {},
  arguments: {},
  examples: ["vantage discover list"],
  act: async (session) => {
    const gateway = await session.open();
    const query = { limit: campaignPageRowsMax };
    const rows = await gateway.read("/api/discoveries", v.array(discoveryAnswer), {
      query,
      signal: session.signal,
    });
    session.printRows(discoveryColumns, rows, "no discovery; see vantage discover --help to begin one");
    return exitCodes.ok;
  },
});

const show = gatewayCommand({
  about: "Its rounds, the oldest first, with what was found before each.",
  options: {},
  arguments: { discovery: idArgument },
  examples: ["vantage discover show 6f1c", "vantage discover show 6f1c -o json"],
  act: async (session, { discovery }) => {
    const gateway = await session.open();
    const { signal } = session;
    const id = await campaignId(gateway, discovery, signal);
    const shown = await gateway.read(`/api/discoveries/${id}`, discoveryDetailAnswer, { signal });
    if (session.format === "table") {
      session.printRecord(discoveryColumns, shown);
      if (shown.complete === false) {
        session.note(unfinishedInWords(shown));
      }
      for (const { agent: name, prefixes } of shown.shares) {
        session.note(`${name} probes ${grouped(prefixes)} prefixes`);
      }
    }
    session.printRows(roundColumns, shown.rounds);
    return exitCodes.ok;
  },
});

function changing(kind: "pause" | "resume" | "stop", about: string) {
  return gatewayCommand({
    about,
    options: {},
    arguments: { discovery: idArgument },
    examples: [`vantage discover ${kind} 6f1c`],
    act: async (session, { discovery }): Promise<ExitCode> => {
      const gateway = await session.open();
      const { signal } = session;
      const id = await campaignId(gateway, discovery, signal);
      const ask = { method: "POST", signal } as const;
      const shown = await gateway.read(`/api/discoveries/${id}/${kind}`, discoveryDetailAnswer, ask);
      session.printRecord(discoveryColumns, shown);
      return exitCodes.ok;
    },
  });
}

export const command = {
  ...start,
  subcommands: [
    subcommand("list", "list your discoveries", list),
    subcommand("show", "show the rounds of a discovery", show),
    subcommand(
      "pause",
      "pause a discovery",
      changing("pause", "Unsent probes are planned again when it resumes."),
    ),
    subcommand(
      "resume",
      "resume a paused discovery",
      changing("resume", "No probe that was sent is sent again."),
    ),
    subcommand(
      "stop",
      "end a discovery",
      changing(
        "stop",
        "It cannot be resumed; what it found stays. Probes not yet sent go back to your quota.",
      ),
    ),
    subcommand("remove", "remove a discovery that has ended", removing("discover", "DISCOVERY")),
  ],
};
