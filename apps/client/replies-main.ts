/** `vantage replies`: what came back, from the gateway or a column store. */
import { repliesHelp } from "./replies/help.ts";
import { runResults } from "./replies/run-results.ts";

export { repliesOptions as options } from "./replies/options.ts";

/** Runs the command with the arguments behind its name; resolves to the exit code. */
export function run(args: string[]): Promise<number> {
  return runResults("replies", repliesHelp, args);
}
