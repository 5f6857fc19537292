/** What goes to standard error: one line for what went wrong, with what to do. */
import { BrokerError } from "../../lib/broker/broker.ts";
import { StoreError } from "../../lib/store/clickhouse/store-error.ts";
import { ClientError, exitCodes } from "./failure.ts";

export function complain(command: string, message: string): void {
  console.error(`vantage ${command}: ${message}`);
}

/** Tells an error that the user can do something about, and returns the exit code; throws any other again. */
export function explain(command: string, error: unknown): number {
  if (error instanceof ClientError || error instanceof BrokerError || error instanceof StoreError) {
    complain(command, error.message);
    return exitCodes.failure;
  }
  throw error;
}
