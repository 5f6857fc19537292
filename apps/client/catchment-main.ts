/** `vantage catchment`: which agent hears the answers to whose probes, from the gateway or a column store. */
import { catchmentHelp } from "./replies/help.ts";
import { runResults } from "./replies/run-results.ts";

export { catchmentOptions as options } from "./replies/options.ts";

/** Runs the command with the arguments behind its name; resolves to the exit code. */
export function run(args: string[]): Promise<number> {
  return runResults("catchment", catchmentHelp, args);
}
