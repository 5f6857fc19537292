/** `vantage ping`: probes to targets themselves. */
import { printErrorLine, printLine } from "../../lib/terminal/output.ts";
import { pingHelp } from "./help.ts";
import { parseOptions } from "./options.ts";
import { pingAll } from "./ping-all.ts";
import { exitCodes, explain, openSession } from "./session.ts";

export { pingOptions as options } from "./options.ts";

/** Runs the command with the arguments behind its name; resolves to the exit code. */
export async function run(args: string[]): Promise<number> {
  const parsed = parseOptions("ping", args);
  if (parsed.kind === "help") {
    printLine(pingHelp);
    return exitCodes.ok;
  }
  if (parsed.kind === "wrong") {
    printErrorLine(`vantage ping: ${parsed.message} (see: vantage ping --help)`);
    return exitCodes.usage;
  }
  const { options } = parsed;
  const { from } = options;
  if (from !== null) {
    // Loaded on demand: a local ping starts without it.
    const { pingFrom } = await import("./remote/ping-from.ts");
    return await pingFrom(options, from);
  }
  try {
    await using session = await openSession(options);
    return await pingAll(session, options);
  } catch (error) {
    return explain("ping", error);
  }
}
