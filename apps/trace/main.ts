/** `vantage trace`: the paths to targets, with all their branches. */
import { traceHelp } from "./help.ts";
import { parseOptions } from "./options.ts";
import { exitCodes, explain, openSession } from "./session.ts";
import { traceAll } from "./trace-all.ts";

export { traceOptions as options } from "./options.ts";

/** Runs the command with the arguments behind its name; resolves to the exit code. */
export async function run(args: string[]): Promise<number> {
  const parsed = parseOptions("trace", args);
  if (parsed.kind === "help") {
    console.log(traceHelp);
    return exitCodes.ok;
  }
  if (parsed.kind === "wrong") {
    console.error(`vantage trace: ${parsed.message} (see: vantage trace --help)`);
    return exitCodes.usage;
  }
  try {
    await using session = await openSession(parsed.options);
    return await traceAll(session, parsed.options);
  } catch (error) {
    return explain("trace", error);
  }
}
