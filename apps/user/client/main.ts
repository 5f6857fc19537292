/** `vantage client`: probe lines in, records for agents out. */
import { tmpdir } from "node:os";
import { isFailure } from "../../../lib/base/failure/failure.ts";
import { listenForInterrupt } from "../../../lib/base/terminal/interruption.ts";
import { Screen } from "../../../lib/base/terminal/screen.ts";
import { defineCommand } from "../../../lib/command/command/command.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { complain } from "../../../lib/command/command/complain.ts";
import { type ExitCode, exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { ProbeSpool } from "../../../lib/engines/submission/probe-spool.ts";
import { type ClientConfig, readClientConfig } from "./config.ts";
import { clientArguments, clientOptions, clientOrder, type Options } from "./submit/options.ts";
import { Submission } from "./submit/submission.ts";
import { summaryJson, summaryText } from "./submit/summary.ts";

export const command = defineCommand({
  about: `Each of the targets sends every probe:
  agent                       the agent chooses the source address
  agent:192.0.2.1             from this source
  agent:[2001:db8::1]         an IPv6 source has brackets
A probe line is dst,src_port,dst_port,ttl,protocol (see: vantage probes). All lines are checked before anything is \
published, on disk, so a file may be of any size.`,
  options: clientOptions,
  arguments: clientArguments,
  notes: `An agent has finished when it has taken every probe and 7 s have passed, in which the last replies come.
Configuration, each key also as a variable (VANTAGE_KAFKA__BROKERS=…):
  kafka:
    brokers: 192.0.2.10:9092            # host:port,… of Kafka, or embedded:DIR, the log of "vantage stack"
    in_topics: measure-probes           # where agents take probes from
    auth_protocol: PLAINTEXT            # or SSL, SASL_PLAINTEXT, SASL_SSL: docs/operate/encrypted-links.md
  client:
    record_probes_max: 1000             # what the slowest target sends in 10 s
  store:
    address: http://192.0.2.10:8123     # for "vantage replies": ClickHouse, or chdb:DIR of "vantage stack"`,
  examples: [
    "vantage probes 192.0.2.1 2001:db8::1 | vantage client --config=client.yaml west,east:[2001:db8:7::1]",
    "vantage client -c client.yaml -p probes.csv --skip-bad --no-wait west",
    "id=$(vantage client -c client.yaml -p probes.csv -o json west | jq -r .measurement_id)",
  ],
  exits: { ok: "all lines accepted", partial: "some lines skipped", interrupted: "interrupted" },
  act: async (given) => {
    const options = clientOrder(given);
    const exitCode = await spooled(() => submit(options, readClientConfig(options.config, process.env)));
    if (exitCode === exitCodes.interrupted) {
      // A pending read of standard input would keep the process alive.
      process.exit(exitCode);
    }
    return exitCode;
  },
});

/** The user chooses the disk of the spool. */
async function spooled<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw isFailure(error, "submission", "spool")
      ? cannot(`${error.message} (see: --spool-dir)`, { cause: error })
      : error;
  }
}

async function submit(options: Options, config: ClientConfig): Promise<ExitCode> {
  const output = new Screen(false);
  using interruption = listenForInterrupt();
  const { signal } = interruption;
  const isTerminal = process.stderr.isTTY === true;
  using spool = ProbeSpool.nameless(options.spoolDir ?? (config.spoolDir || tmpdir()));
  await using broker = await openBroker(config.broker.address, { login: config.broker.login });
  const screen = new Screen(isTerminal, process.stderr);
  const submission = new Submission({ options, config, broker, spool, screen, signal });
  try {
    await steps(submission, options.wait ?? isTerminal, signal);
  } catch (error) {
    screen.clear();
    throw error;
  } finally {
    if (submission.summary().published > 0) {
      output.print(shown(submission, options));
    }
  }
  return exitCodeOf(submission);
}

async function steps(submission: Submission, wait: boolean, signal: AbortSignal): Promise<void> {
  await submission.prepare();
  if (!signal.aborted) {
    await submission.read();
  }
  if (signal.aborted) {
    submission.outcome = "interrupted";
    complain("client", "interrupted: nothing is published");
    return;
  }
  await submission.publish();
  if (wait && !signal.aborted) {
    await submission.wait();
  }
}

function shown(submission: Submission, { output }: Options): string {
  const summary = submission.summary();
  return output === "json" ? summaryJson(summary) : summaryText(summary);
}

function exitCodeOf(submission: Submission): ExitCode {
  const { outcome, skipped } = submission.summary();
  if (outcome === "interrupted") {
    return exitCodes.interrupted;
  }
  if (outcome === "expired" || outcome === "failed") {
    return exitCodes.failure;
  }
  return skipped > 0 ? exitCodes.partial : exitCodes.ok;
}
