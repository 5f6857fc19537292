/** What goes to standard error: one line for what went wrong, with what to do. */
import { BrokerError } from "../../lib/broker/broker.ts";
import { StoreError } from "../../lib/store/clickhouse/store-error.ts";
import { SubmissionError } from "../../lib/submission/submission-error.ts";
import { visible } from "../../lib/terminal/foreign-text.ts";
import { printErrorLine } from "../../lib/terminal/output.ts";
import { ClientError, exitCodes } from "./failure.ts";

/** One line, whatever the message holds: parts of it are text of others. */
export function complain(command: string, message: string): void {
  printErrorLine(`vantage ${command}: ${visible(message)}`);
}

/** Tells an error that the user can do something about, and returns the exit code; throws any other again. */
export function explain(command: string, error: unknown): number {
  if (
    error instanceof ClientError ||
    error instanceof SubmissionError ||
    error instanceof BrokerError ||
    error instanceof StoreError
  ) {
    const isSpool = error instanceof SubmissionError && error.code === "spool";
    complain(command, isSpool ? `${error.message} (see: --spool-dir)` : error.message);
    return exitCodes.failure;
  }
  throw error;
}
