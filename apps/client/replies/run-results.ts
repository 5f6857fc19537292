/** Runs the commands that show results: by the gateway, or by the column store where one is named. */
import { gatewaySource } from "../../../lib/results/gateway-source.ts";
import { storeSource } from "../../../lib/results/store-source.ts";
import { unattributedTexts } from "../../../lib/results/unattributed.ts";
import { openStore } from "../../../lib/store/clickhouse/open.ts";
import { paletteFor } from "../../../lib/terminal/colour.ts";
import { listenForInterrupt } from "../../../lib/terminal/interruption.ts";
import { Screen } from "../../../lib/terminal/screen.ts";
import { readClientConfig } from "../config.ts";
import { ClientError, exitCodes, UsageError } from "../failure.ts";
import { inSession } from "../gateway/command.ts";
import { followMeasurement } from "../gateway/follow-measurement.ts";
import { complain, explain } from "../standard-error.ts";
import { follow } from "./follow.ts";
import {
  type GatewayPlace,
  type Options,
  parseOptions,
  type ResultsCommand,
  type StorePlace,
} from "./options.ts";
import { type Shown, showView } from "./show.ts";

/** Resolves to the exit code. */
export async function runResults(command: ResultsCommand, help: string, args: string[]): Promise<number> {
  const parsed = parseOptions(command, args, Date.now());
  if (parsed.kind === "help") {
    new Screen(false).print(help.trimEnd());
    return exitCodes.ok;
  }
  if (parsed.kind === "wrong") {
    return usage(command, parsed.message);
  }
  const { options } = parsed;
  return options.place.kind === "gateway"
    ? await throughGateway(command, options, options.place)
    : await fromStore(command, options, options.place);
}

function usage(command: ResultsCommand, message: string): number {
  complain(command, `${message} (see: vantage ${command} --help)`);
  return exitCodes.usage;
}

async function throughGateway(
  command: ResultsCommand,
  options: Options,
  { common, measurementId: id }: GatewayPlace,
): Promise<number> {
  return await inSession(command, common, async (session) => {
    if (!options.follow) {
      const source = gatewaySource(await session.open(), session.signal);
      const shown = await showView(source, options, { ...session.show, palette: session.palette });
      for (const remark of remarksOn(shown, options, "")) {
        session.note(remark);
      }
      return exitCodes.ok;
    }
    if (options.view !== "replies") {
      throw new UsageError(`-f with --view ${options.view} needs a column store (--store, --config)`);
    }
    return followMeasurement(session, { id, filter: options.filter, count: null, timeoutMs: null });
  });
}

async function fromStore(command: ResultsCommand, options: Options, place: StorePlace): Promise<number> {
  try {
    return await show(command, options, place);
  } catch (error) {
    return error instanceof UsageError ? usage(command, error.message) : explain(command, error);
  }
}

async function show(command: ResultsCommand, options: Options, place: StorePlace): Promise<number> {
  const isTerminal = process.stdout.isTTY === true;
  if (options.follow && options.view !== "replies" && !isTerminal) {
    throw new UsageError(`-f with --view ${options.view} draws on a terminal, and this is none`);
  }
  await using store = await openStore(storeAddressOf(place));
  const screen = new Screen(isTerminal && options.follow);
  const palette = paletteFor(isTerminal, process.env.NO_COLOR);
  const show = {
    palette,
    print: (text: string) => screen.print(text),
    write: (bytes: Uint8Array) => screen.write(bytes),
  };
  if (options.follow) {
    using interruption = listenForInterrupt();
    await follow({ ...show, store, options, screen, signal: interruption.signal });
    return exitCodes.interrupted;
  }
  const shown = await showView(storeSource(store), options, show);
  for (const remark of remarksOn(shown, options, ` in ${store.address}`)) {
    complain(command, remark);
  }
  return exitCodes.ok;
}

/** Lines of CSV are routers of paths, so they do not say whether there are more paths. */
function remarksOn({ rows, unattributed }: Shown, { view, format, limit }: Options, place: string): string[] {
  const isCut = rows >= limit && !(view === "paths" && format === "csv");
  return [
    ...unattributedTexts(unattributed),
    ...(rows === 0 ? [`nothing found${place}: replies may be on their way, or kept no longer`] : []),
    ...(isCut ? [`shown are the first ${rows}; there may be more (see: --limit)`] : []),
  ];
}

function storeAddressOf({ storeAddress, config }: StorePlace): string {
  if (storeAddress !== null) {
    return storeAddress;
  }
  const address = config === null ? "" : readClientConfig(config, process.env).storeAddress;
  if (address === "") {
    throw new ClientError(`${config} does not say where the store is: give store.address there, or --store`);
  }
  return address;
}
