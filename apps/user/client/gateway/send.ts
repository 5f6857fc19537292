/** `vantage send`: probe lines to agents, through the gateway. */
import { tmpdir } from "node:os";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { wrongUsage } from "../../../../lib/command/command/command-error.ts";
import { type ExitCode, exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { agentChoices } from "../../../../lib/command/command/gateway/agent-targets.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import { labelOptions, labelQuery } from "../../../../lib/command/command/gateway/label-options.ts";
import { tellingRejected } from "../../../../lib/command/command/gateway/rejected.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import { shapeOptions, shapeQuery } from "../../../../lib/command/command/gateway/shape-options.ts";
import { duration, file, number, text } from "../../../../lib/command/command/kinds.ts";
import {
  type MeasurementAgent,
  type MeasurementStatus,
  type Submitted,
  submittedSchema,
} from "../../../../lib/engines/gateway-client/answers.ts";
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { submissionAnswerMs } from "../../../../lib/engines/gateway-client/limits.ts";
import { ProbeSpool } from "../../../../lib/engines/submission/probe-spool.ts";
import { type AgentChoice, formatTarget } from "../../../../lib/engines/submission/targets.ts";
import { selectorForms } from "../../../../lib/measuring/probing/agent-selector.ts";
import { badLinesShown, percentMax, rowsMax, waitMsMax } from "../limits.ts";
import { checkIntake, readProbes } from "../submit/intake.ts";
import { readingLine } from "../submit/progress.ts";
import { statusOf } from "./measurement-columns.ts";
import { tellOutcome } from "./outcome.ts";
import { packedLines } from "./packed-lines.ts";
import { progressText } from "./progress-text.ts";
import { printStatus } from "./show.ts";
import { repliesOf, type WaitedMeasurement, waitForMeasurement } from "./wait.ts";

interface Options {
  readonly targets: readonly AgentChoice[];
  /** Files of probe lines; "-" is standard input. */
  readonly files: readonly string[];
  readonly skipBad: boolean;
  readonly wait: boolean;
  readonly timeoutMs: number | null;
  readonly count: number | null;
  readonly percent: number | null;
  readonly idempotencyKey: string;
  readonly recordPackets: boolean;
  /** Name, tags, note and shape. */
  readonly query: Readonly<Record<string, string>>;
}

export const command = gatewayCommand({
  about: `A probe line is dst,src_port,dst_port,ttl,protocol (see: vantage probes). All lines are checked before \
any is sent, on disk, so a file may be of any size. A request that breaks off is made again; nothing is submitted \
twice.
For an agent there may be what the gateway chooses agents by: ${selectorForms}.`,
  options: {
    agent: {
      kind: text,
      placeholder: "AGENT",
      short: "a",
      multiple: true,
      required: true,
      meaning: "who probes: agent, agent:192.0.2.1 or agent:[2001:db8::1], several with commas",
    },
    skipBad: { flag: true, default: false, meaning: "count and skip bad lines; else nothing is sent" },
    wait: { flag: true, default: false, short: "w", meaning: "wait until the agents have sent everything" },
    timeout: {
      kind: duration(waitMsMax),
      needs: "wait",
      meaning: "wait no longer than this: 90s, 30m; needs --wait",
    },
    count: {
      kind: number(1, rowsMax),
      needs: "wait",
      meaning: "wait for at most this many replies; needs --wait",
    },
    percent: {
      kind: number(1, percentMax),
      needs: "wait",
      meaning: "wait for at most this many replies for each 100 probes; needs --wait",
    },
    idempotencyKey: {
      kind: text,
      placeholder: "KEY",
      defaultText: "a new one",
      meaning: "a name for this submission: the same lines under the same name are taken once",
    },
    recordPackets: {
      flag: true,
      default: false,
      meaning:
        "agents keep the packets themselves, for vantage packets: if an operator has granted it to you",
    },
    ...shapeOptions,
    ...labelOptions,
  },
  arguments: {
    files: { kind: file, many: true, meaning: "probe lines; without, or as -, from standard input" },
  },
  examples: [
    "vantage probes 192.0.2.1 | vantage send -a west --wait",
    "vantage send -a west,east:[2001:db8:7::1] probes.csv",
    ["vantage send -a 3@tag:eu,as:64500 probes.csv", "three agents with the tag eu, and all of AS 64500"],
    "id=$(vantage send -a west probes.csv -o json | jq -r .measurement_id); vantage follow $id",
  ],
  exits: {
    partial: "lines skipped, agents that did not take part or did not finish, or no more time to wait",
    interrupted: "interrupted",
  },
  act: (session, given) =>
    send(session, {
      ...given,
      targets: agentChoices(given.agent),
      files: filesOf(given.files, session),
      timeoutMs: given.timeout,
      idempotencyKey: given.idempotencyKey ?? crypto.randomUUID(),
      query: { ...labelQuery(given), ...shapeQuery(given) },
    }),
});

function filesOf(given: readonly string[], { common: { tokenStdin } }: GatewaySession): readonly string[] {
  const named = given.length === 0 ? ["-"] : given;
  if (named.includes("-") && (tokenStdin || named.indexOf("-") !== named.lastIndexOf("-"))) {
    const other = tokenStdin
      ? "the token comes from there too: set VANTAGE_TOKEN"
      : "it can be read only once";
    throw wrongUsage(`probe lines come from standard input, but ${other}`);
  }
  return named;
}

async function send(session: GatewaySession, given: Options): Promise<ExitCode> {
  const gateway = await session.open();
  using spool = ProbeSpool.nameless(tmpdir());
  const bad = await readInto(session, spool, given);
  session.progress.draw(`sending     ${grouped(spool.probes)} probes to ${gateway.address}`);
  const submitted = await tellingRejected(session, gateway, () =>
    submit(gateway, given, spool, session.signal),
  );
  const isPartial = bad > 0 || submitted.rejected.length > 0;
  if (!given.wait) {
    const shown = session.format === "table" ? [...columns, nextColumn] : columns;
    session.printRecord(shown, { submitted, status: null });
    return isPartial ? exitCodes.partial : exitCodes.ok;
  }
  const exitCode = await wait(session, gateway, submitted, given);
  return exitCode === exitCodes.ok && isPartial ? exitCodes.partial : exitCode;
}

/** Resolves to the number of bad lines. Throws CommandError when there must be none, or nothing is left. */
async function readInto(
  session: GatewaySession,
  spool: ProbeSpool,
  { files, skipBad }: Options,
): Promise<number> {
  const { signal, progress } = session;
  const count = await readProbes({
    files,
    spool,
    shownMax: badLinesShown,
    onBad: (line) => session.note(line),
    onProgress: (read) => progress.draw(readingLine(read)),
    signal,
  });
  progress.clear();
  signal.throwIfAborted();
  checkIntake(count, { files, skipBad });
  return count.bad;
}

/** One key for all attempts: a gateway that accepted the first one returns the same measurement for the second. */
async function submit(
  gateway: Gateway,
  { targets, idempotencyKey, recordPackets, query: more }: Options,
  spool: ProbeSpool,
  signal: AbortSignal,
): Promise<Submitted> {
  return await gateway.read("/api/probes", submittedSchema, {
    method: "POST",
    query: {
      agents: targets.map(formatTarget).join(","),
      ...(recordPackets ? { record_packets: "true" } : {}),
      ...more,
    },
    headers: {
      "content-type": "text/csv",
      "content-encoding": "gzip",
      "idempotency-key": idempotencyKey,
    },
    body: () => packedLines(spool),
    repeatable: true,
    answerMs: submissionAnswerMs,
    signal,
  });
}

async function wait(
  session: GatewaySession,
  gateway: Gateway,
  submitted: Submitted,
  given: Options,
): Promise<ExitCode> {
  const { id } = submitted;
  session.note(`measurement ${id}`);
  const { timeoutMs, count: replies, percent } = given;
  const waited = await waitForMeasurement(gateway, id, {
    timeoutMs,
    replies,
    percent,
    signal: session.signal,
    onBreak: (reason) => session.note(`${reason}; trying again`),
    onStatus: (status) => session.progress.draw(progressText(status)),
  });
  session.progress.clear();
  if (session.format === "table") {
    printStatus(session, waited.status);
  } else {
    session.printRecord(columns, { submitted, status: waited.status });
  }
  return outcome(session, waited);
}

function outcome(session: GatewaySession, { outcome, status }: WaitedMeasurement): ExitCode {
  const { measurement_id: id } = status;
  switch (outcome) {
    case "ended":
      return tellOutcome(session, status);
    case "enough":
      session.note(`${grouped(repliesOf(status))} replies so far; it continues: vantage follow ${id}`);
      return exitCodes.ok;
    case "timeout":
      session.note(`it continues: vantage follow ${id}`);
      return exitCodes.partial;
    case "interrupted":
      session.note(`it continues: vantage follow ${id}, or stop it: vantage cancel ${id}`);
      return exitCodes.interrupted;
  }
}

/** `status` is null until it is waited for. */
interface Sent {
  readonly submitted: Submitted;
  readonly status: MeasurementStatus | null;
}

/** The same with and without --wait, so that a script reads both. */
const columns: readonly Column<Sent>[] = [
  { name: "measurement_id", head: "measurement", value: ({ submitted: { id } }) => id },
  { name: "status", head: null, value: ({ status }) => (status === null ? "submitted" : statusOf(status)) },
  {
    name: "probes",
    head: "probes",
    value: ({ submitted: { probes } }) => probes,
    cell: ({ submitted: { probes } }) => grouped(probes),
  },
  count("sent_probes", (agent) => agent.sent_probes),
  count("received_replies", (agent) => agent.received_replies),
  count("failed_probes", (agent) => agent.failed_probes),
  {
    name: "agents",
    head: "agents",
    value: ({ submitted: { agents } }) => agents,
    text: ({ submitted: { agents } }) => agents.map(({ id }) => id).join(" "),
  },
  {
    name: "rejected",
    head: null,
    value: ({ submitted: { rejected } }) => rejected,
    text: ({ submitted: { rejected } }) => rejected.map(({ id, reason }) => `${id}: ${reason}`).join("|"),
  },
  {
    name: "selections",
    head: null,
    value: ({ submitted: { selections } }) => selections,
    text: ({ submitted: { selections } }) =>
      selections.map(({ selector, agents }) => `${selector}: ${agents.join(" ")}`).join("|"),
  },
];

/** Null without --wait. */
function count(name: string, of: (agent: MeasurementAgent) => number): Column<Sent> {
  return {
    name,
    head: null,
    value: ({ status }) => status?.agents.reduce((sum, agent) => sum + of(agent), 0) ?? null,
  };
}

/** Only shown to people. */
const nextColumn: Column<Sent> = {
  name: "next",
  head: "next",
  value: ({ submitted: { id } }) => `vantage follow ${id}`,
};
