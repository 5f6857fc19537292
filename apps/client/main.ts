/** `vantage client`: probe lines in, records for agents out. */
import { tmpdir } from "node:os";
import { openBroker } from "../../lib/broker/open.ts";
import { ProbeSpool } from "../../lib/submission/probe-spool.ts";
import { listenForInterrupt } from "../../lib/terminal/interruption.ts";
import { Screen } from "../../lib/terminal/screen.ts";
import { type ClientConfig, readClientConfig } from "./config.ts";
import { exitCodes } from "./failure.ts";
import { complain, explain } from "./standard-error.ts";
import { clientHelp } from "./submit/help.ts";
import { type Options, parseOptions } from "./submit/options.ts";
import { Submission } from "./submit/submission.ts";
import { summaryJson, summaryText } from "./submit/summary.ts";

export { clientOptions as options } from "./submit/options.ts";

/** Runs the command with the arguments behind its name; resolves to the exit code. */
export async function run(args: string[]): Promise<number> {
  const parsed = parseOptions(args);
  const output = new Screen(false);
  if (parsed.kind === "help") {
    output.print(clientHelp.trimEnd());
    return exitCodes.ok;
  }
  if (parsed.kind === "wrong") {
    complain("client", `${parsed.message} (see: vantage client --help)`);
    return exitCodes.usage;
  }
  try {
    const config = readClientConfig(parsed.options.config, process.env);
    const exitCode = await submit(parsed.options, config, output);
    if (exitCode === exitCodes.interrupted) {
      // A read of standard input may still be waiting, and would keep the process alive.
      process.exit(exitCode);
    }
    return exitCode;
  } catch (error) {
    return explain("client", error);
  }
}

async function submit(options: Options, config: ClientConfig, output: Screen): Promise<number> {
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
    if (submission.summary().published > 0) {
      output.print(shown(submission, options));
    }
    return explain("client", error);
  }
  if (submission.summary().published > 0) {
    output.print(shown(submission, options));
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

function exitCodeOf(submission: Submission): number {
  const { outcome, skipped } = submission.summary();
  if (outcome === "interrupted") {
    return exitCodes.interrupted;
  }
  if (outcome === "expired" || outcome === "failed") {
    return exitCodes.failure;
  }
  return skipped > 0 ? exitCodes.partial : exitCodes.ok;
}
