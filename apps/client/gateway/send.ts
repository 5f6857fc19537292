/** `vantage send`: probe lines to agents, through the gateway. */
import { tmpdir } from "node:os";
import { type OptionValues, UsageError } from "../../../lib/config/command-line.ts";
import { numberOf } from "../../../lib/config/option-values.ts";
import type { Gateway } from "../../../lib/gateway-client/gateway.ts";
import { submissionAnswerMs } from "../../../lib/gateway-client/limits.ts";
import { ProbeSpool } from "../../../lib/submission/probe-spool.ts";
import { grouped } from "../../../lib/terminal/figures.ts";
import type { Column } from "../../../lib/terminal/rows-output.ts";
import { exitCodes } from "../failure.ts";
import { badLinesShown, rowsMax } from "../limits.ts";
import { complain } from "../standard-error.ts";
import { checkIntake, readProbes } from "../submit/intake.ts";
import { readingLine } from "../submit/progress.ts";
import { formatTarget, parseTargets, type Target } from "../submit/targets.ts";
import { type Submitted, submittedSchema } from "./answers.ts";
import { gatewayCommand } from "./command.ts";
import { tellOutcome } from "./outcome.ts";
import { packedLines } from "./packed-lines.ts";
import { progressText } from "./progress-text.ts";
import { tellingRejected } from "./rejected.ts";
import type { Session } from "./session.ts";
import { printStatus } from "./show.ts";
import { timeoutOf } from "./timeout.ts";
import { repliesOf, type Waited, waitForMeasurement } from "./wait.ts";

const table = {
  agent: {
    type: "string",
    short: "a",
    multiple: true,
    value: "AGENT",
    meaning:
      "who probes: agent, agent:192.0.2.1 or agent:[2001:db8::1], several with commas; may be repeated",
  },
  "skip-bad": { type: "boolean", meaning: "count bad lines and go on; else nothing is sent" },
  wait: { type: "boolean", short: "w", meaning: "wait until the agents have sent everything" },
  timeout: { type: "string", value: "TIME", meaning: "wait no longer than this: 90s, 30m; needs --wait" },
  count: { type: "string", value: "N", meaning: "wait for no more than so many replies; needs --wait" },
  "idempotency-key": {
    type: "string",
    value: "KEY",
    meaning:
      "a name for this submission: the same lines under the same name are taken once (default: a new one)",
  },
} as const;

interface Options {
  readonly targets: readonly Target[];
  /** Files of probe lines; "-" is standard input. */
  readonly files: readonly string[];
  readonly skipBad: boolean;
  readonly wait: boolean;
  readonly timeoutMs: number | null;
  readonly count: number | null;
  readonly idempotencyKey: string;
}

export const { run, options } = gatewayCommand({
  name: "send",
  purpose: "submit probe lines to agents, through the gateway",
  usage: "[options] -a AGENT [FILE...]          probe lines come from standard input, or from files",
  about: `A probe line is dst,src_port,dst_port,ttl,protocol (see: vantage probes). All lines are checked before any is
sent, on disk, so a file may be of any size. A request that breaks off is made again; nothing is submitted twice.`,
  options: table,
  more: `Examples
  vantage probes 192.0.2.1 | vantage send -a west --wait
  vantage send -a west,east:[2001:db8:7::1] probes.csv
  id=$(vantage send -a west probes.csv -o json | jq -r .measurement_id); vantage follow $id

Exit codes: 0 done, 1 failure, 2 wrong usage, 3 lines skipped, agents that did not take part or did not finish, or no
more time to wait; 130 interrupted.`,
  check: checked,
  act: send,
});

function checked(
  values: OptionValues<typeof table>,
  files: readonly string[],
  { tokenStdin }: { readonly tokenStdin: boolean },
): Options {
  const { wait = false, timeout, count } = values;
  if (values.agent === undefined) {
    throw new UsageError("Say who probes with -a AGENT; vantage agents lists them");
  }
  if (!wait && (timeout !== undefined || count !== undefined)) {
    throw new UsageError("--timeout and --count say how long to wait: give --wait too");
  }
  const named = files.length === 0 ? ["-"] : files;
  if (named.includes("-") && (tokenStdin || named.indexOf("-") !== named.lastIndexOf("-"))) {
    const other = tokenStdin
      ? "the token comes from there too: set VANTAGE_TOKEN"
      : "it can be read only once";
    throw new UsageError(`Probe lines come from standard input, but ${other}`);
  }
  return {
    targets: parseTargets(values.agent.join(",")),
    files: named,
    skipBad: values["skip-bad"] === true,
    wait,
    timeoutMs: timeout === undefined ? null : timeoutOf(timeout),
    count: count === undefined ? null : numberOf("--count", count, [1, rowsMax]),
    idempotencyKey: values["idempotency-key"] ?? crypto.randomUUID(),
  };
}

async function send(session: Session, given: Options): Promise<number> {
  const gateway = await session.open();
  using spool = ProbeSpool.nameless(tmpdir());
  const bad = await readInto(session, spool, given);
  session.progress.draw(`sending     ${grouped(spool.probes)} probes to ${gateway.address}`);
  const submitted = await tellingRejected(session, gateway, () =>
    submit(gateway, given, spool, session.signal),
  );
  const isPartial = bad > 0 || submitted.rejected.length > 0;
  if (!given.wait) {
    session.printRecord(session.format === "table" ? [...columns, nextColumn] : columns, submitted);
    return isPartial ? exitCodes.partial : exitCodes.ok;
  }
  const exitCode = await wait(session, gateway, submitted, given);
  return exitCode === exitCodes.ok && isPartial ? exitCodes.partial : exitCode;
}

/** Resolves to the number of bad lines. Throws ClientError when there must be none, or nothing is left. */
async function readInto(session: Session, spool: ProbeSpool, { files, skipBad }: Options): Promise<number> {
  const { signal, progress, name } = session;
  const count = await readProbes({
    files,
    spool,
    shownMax: badLinesShown,
    onBad: (line) => {
      progress.clear();
      complain(name, line);
    },
    onProgress: (read) => progress.draw(readingLine(read)),
    signal,
  });
  progress.clear();
  signal.throwIfAborted();
  checkIntake(count, { files, skipBad });
  return count.bad;
}

/** One key for all tries: a gateway that had taken the first one answers the second with the same measurement. */
async function submit(
  gateway: Gateway,
  { targets, idempotencyKey }: Options,
  spool: ProbeSpool,
  signal: AbortSignal,
): Promise<Submitted> {
  return await gateway.read("/api/probes", submittedSchema, {
    method: "POST",
    query: { agents: targets.map(formatTarget).join(",") },
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

async function wait(session: Session, gateway: Gateway, { id }: Submitted, given: Options): Promise<number> {
  session.note(`measurement ${id}`);
  const { timeoutMs, count: replies } = given;
  const waited = await waitForMeasurement(gateway, id, {
    timeoutMs,
    replies,
    signal: session.signal,
    onStatus: (status) => session.progress.draw(progressText(status)),
  });
  session.progress.clear();
  printStatus(session, waited.status);
  return outcome(session, waited);
}

function outcome(session: Session, { outcome, status }: Waited): number {
  const { measurement_id: id } = status;
  switch (outcome) {
    case "ended":
      return tellOutcome(session, status);
    case "enough":
      session.note(`${grouped(repliesOf(status))} replies have come; it goes on: vantage follow ${id}`);
      return exitCodes.ok;
    case "timeout":
      session.note(`it goes on: vantage follow ${id}`);
      return exitCodes.partial;
    case "interrupted":
      session.note(`it goes on: vantage follow ${id}, or stop it: vantage cancel ${id}`);
      return exitCodes.interrupted;
  }
}

const columns: readonly Column<Submitted>[] = [
  { name: "measurement_id", head: "measurement", value: ({ id }) => id },
  { name: "probes", head: "probes", value: ({ probes }) => probes, cell: ({ probes }) => grouped(probes) },
  {
    name: "agents",
    head: "agents",
    value: ({ agents }) => agents,
    text: ({ agents }) => agents.map(({ id }) => id).join(" "),
  },
  {
    name: "rejected",
    head: null,
    value: ({ rejected }) => rejected,
    text: ({ rejected }) => rejected.map(({ id, reason }) => `${id}: ${reason}`).join("|"),
  },
];

/** For people only. */
const nextColumn: Column<Submitted> = {
  name: "next",
  head: "next",
  value: ({ id }) => `vantage follow ${id}`,
};
