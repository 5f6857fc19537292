/** `vantage trace`: the paths to targets, with all their branches. */
import { printErrorLine, printLine } from "../../lib/terminal/output.ts";
import { traceHelp } from "./help.ts";
import { parseOptions } from "./options.ts";
import { exitCodes, explain, openSession } from "./session.ts";
import { traceAll } from "./trace-all.ts";

export { traceOptions as options } from "./options.ts";

/** Runs the command with the arguments behind its name; resolves to the exit code. */
export async function run(args: string[]): Promise<number> {
  const parsed = parseOptions("trace", args);
  if (parsed.kind === "help") {
    printLine(traceHelp);
    return exitCodes.ok;
  }
  if (parsed.kind === "wrong") {
    printErrorLine(`vantage trace: ${parsed.message} (see: vantage trace --help)`);
    return exitCodes.usage;
  }
  const { options } = parsed;
  const { from } = options;
  if (from !== null) {
    // Loaded on demand: a local trace starts without it.
    const { traceFrom } = await import("./remote/trace-from.ts");
    return await traceFrom(options, from);
  }
  try {
    await using session = await openSession(options);
    return await traceAll(session, options);
  } catch (error) {
    return explain("trace", error);
  }
}
