/** `vantage replies`: what came back, from the column store. */
import { openStore } from "../../lib/store/clickhouse/open.ts";
import { paletteFor } from "../../lib/terminal/colour.ts";
import { listenForInterrupt } from "../../lib/terminal/interruption.ts";
import { Screen } from "../../lib/terminal/screen.ts";
import { readClientConfig } from "./config.ts";
import { ClientError, exitCodes, UsageError } from "./failure.ts";
import { follow } from "./replies/follow.ts";
import { repliesHelp } from "./replies/help.ts";
import { type Options, parseOptions } from "./replies/options.ts";
import { showView } from "./replies/show.ts";
import { complain, explain } from "./standard-error.ts";

export { repliesOptions as options } from "./replies/options.ts";

/** Runs the command with the arguments behind its name; resolves to the exit code. */
export async function run(args: string[]): Promise<number> {
  const parsed = parseOptions(args, Date.now());
  if (parsed.kind === "help") {
    new Screen(false).print(repliesHelp.trimEnd());
    return exitCodes.ok;
  }
  if (parsed.kind === "wrong") {
    return usage(parsed.message);
  }
  try {
    return await show(parsed.options);
  } catch (error) {
    return error instanceof UsageError ? usage(error.message) : explain("replies", error);
  }
}

function usage(message: string): number {
  complain("replies", `${message} (see: vantage replies --help)`);
  return exitCodes.usage;
}

async function show(options: Options): Promise<number> {
  const isTerminal = process.stdout.isTTY === true;
  if (options.follow && options.view !== "replies" && !isTerminal) {
    throw new UsageError(`-f with --view ${options.view} draws on a terminal, and this is none`);
  }
  await using store = await openStore(storeAddressOf(options));
  const screen = new Screen(isTerminal && options.follow);
  const palette = paletteFor(isTerminal, process.env.NO_COLOR);
  const print = (text: string) => screen.print(text);
  if (options.follow) {
    using interruption = listenForInterrupt();
    await follow({ store, options, screen, palette, print, signal: interruption.signal });
    return exitCodes.interrupted;
  }
  const rows = await showView(store, options, { palette, print });
  if (rows === 0) {
    complain("replies", `nothing found in ${store.address}: replies may be on their way, or kept no longer`);
  } else if (rows >= options.limit) {
    complain("replies", `shown are the first ${rows}; there may be more (see: --limit)`);
  }
  return exitCodes.ok;
}

function storeAddressOf({ storeAddress, config }: Options): string {
  if (storeAddress !== null) {
    return storeAddress;
  }
  const address = config === null ? "" : readClientConfig(config, process.env).storeAddress;
  if (address === "") {
    throw new ClientError(`${config} does not say where the store is: give store.address there, or --store`);
  }
  return address;
}
