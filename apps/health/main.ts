/** `vantage health`: asks one of our services for its health; a container has no other HTTP client. */
import { parseCommandLine, UsageError } from "../../lib/config/command-line.ts";
import { helpText } from "../../lib/config/help-text.ts";
import { printErrorLine, printLine } from "../../lib/terminal/output.ts";

const exitCodes = { ok: 0, failure: 1, usage: 2 } as const;
const name = "health";
/** Less than the default timeout of monitors, which is 30 s. */
const answerLimitMs = 10_000;

export const options = {} as const;

/** Runs the command with the arguments behind its name; resolves to the exit code. */
export async function run(args: string[]): Promise<number> {
  const parsed = parseCommandLine<typeof options, string>(args, { options, check });
  if (parsed.kind === "help") {
    printLine(helpText({ name, purpose: "asks a service how it is", usage: "URL", options, more }));
    return exitCodes.ok;
  }
  if (parsed.kind === "wrong") {
    printErrorLine(`vantage ${name}: ${parsed.message} (see: vantage ${name} --help)`);
    return exitCodes.usage;
  }
  return await ask(parsed.options);
}

const more = `Prints the answer.

Examples
  vantage health http://127.0.0.1:8080/health

Exit codes: 0 healthy, 1 another answer than 2xx, or none in 10 s, 2 wrong usage.`;

function check(_values: unknown, [url, ...rest]: readonly string[]): string {
  if (url === undefined || rest.length > 0 || !/^https?:/.test(url) || !URL.canParse(url)) {
    throw new UsageError("Give one URL, as http://127.0.0.1:8080/health");
  }
  return url;
}

async function ask(url: string): Promise<number> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(answerLimitMs) });
    printLine((await answer.text()).trimEnd());
    return answer.ok ? exitCodes.ok : exitCodes.failure;
  } catch (error) {
    printErrorLine(`Cannot ask ${url}: ${error instanceof Error ? error.message : String(error)}`);
    return exitCodes.failure;
  }
}
