/**
 * The frame of every command that asks a gateway: its options, whose login is used, how results are printed, and how
 * what goes wrong is told. A command itself is a table of options, a check of them, and what it does.
 */
import {
  type OptionTable,
  type OptionValues,
  type ParsedCommandLine,
  parseCommandLine,
  UsageError,
} from "../../../lib/config/command-line.ts";
import { helpText } from "../../../lib/config/help-text.ts";
import { choiceOf } from "../../../lib/config/option-values.ts";
import type { Service } from "../../../lib/gateway-client/choose-gateway.ts";
import { GatewayError } from "../../../lib/gateway-client/gateway-error.ts";
import { listenForInterrupt } from "../../../lib/terminal/interruption.ts";
import { printLine } from "../../../lib/terminal/output.ts";
import { formats } from "../../../lib/terminal/rows-output.ts";
import { exitCodes } from "../failure.ts";
import { complain, explain } from "../standard-error.ts";
import { adviceFor } from "./advice.ts";
import {
  addressOptions,
  type CommonOptions,
  type CommonValues,
  commonOptions,
  formatOption,
  loginOptions,
} from "./common-options.ts";
import { Session } from "./session.ts";

export interface CommandDescription<Table extends OptionTable, Options> {
  /** `send`, or `peering request`. */
  readonly name: string;
  readonly purpose: string;
  /** Behind the name, in its help. */
  readonly usage: string;
  readonly about?: string;
  readonly more?: string;
  readonly service?: Service;
  readonly options: Table;
  /** Throws UsageError. */
  readonly check: (
    values: OptionValues<Table>,
    positionals: readonly string[],
    common: CommonOptions,
  ) => Options;
  /** Resolves to the exit code. Rejects with what `explain` knows, or GatewayError. */
  readonly act: (session: Session, options: Options) => Promise<number>;
}

export interface Command {
  /** Runs the command with the arguments behind its name; resolves to the exit code. */
  readonly run: (args: string[]) => Promise<number>;
  /** For completions. */
  readonly options: OptionTable;
}

export function gatewayCommand<const Table extends OptionTable, Options>(
  description: CommandDescription<Table, Options>,
): Command {
  const service = description.service ?? "probing";
  const options = { ...description.options, ...formatOption, ...addressOptions[service], ...loginOptions };
  return {
    options,
    run: async (args) => {
      const parsed = parse(description, service, args);
      switch (parsed.kind) {
        case "help":
          printLine(helpText({ ...description, options }));
          return exitCodes.ok;
        case "wrong":
          return wrongUsage(description.name, parsed.message);
        case "run":
          return await start(description, parsed.options);
      }
    },
  };
}

function start<Table extends OptionTable, Options>(
  { name, act }: CommandDescription<Table, Options>,
  { common, own }: Parsed<Options>,
): Promise<number> {
  return inSession(name, common, (session) => act(session, own));
}

interface Parsed<Options> {
  readonly common: CommonOptions;
  readonly own: Options;
}

function parse<const Table extends OptionTable, Options>(
  { options, check }: CommandDescription<Table, Options>,
  service: Service,
  args: readonly string[],
): ParsedCommandLine<Parsed<Options>> {
  const table: OptionTable = { ...options, ...formatOption, ...addressOptions[service], ...loginOptions };
  return parseCommandLine(args, {
    options: table,
    check: (values, positionals) => {
      const shared = values as unknown as CommonValues & { readonly output: string };
      const common = commonOptions(shared, service, choiceOf("-o", shared.output, formats));
      return { common, own: check(values as OptionValues<Table>, positionals, common) };
    },
  });
}

/** Runs what asks the gateway; what goes wrong is told in a line. Resolves to the exit code. */
export async function inSession(
  name: string,
  common: CommonOptions,
  run: (session: Session) => Promise<number>,
): Promise<number> {
  using interruption = listenForInterrupt();
  const session = new Session(name, common, interruption.signal);
  try {
    const exitCode = await run(session);
    return interruption.signal.aborted ? interrupted() : exitCode;
  } catch (error) {
    session.screen.clear();
    session.progress.clear();
    return failed(session, error);
  }
}

function failed(session: Session, error: unknown): number {
  const { name, signal } = session;
  if (signal.aborted) {
    return interrupted();
  }
  if (error instanceof UsageError) {
    return wrongUsage(name, error.message);
  }
  if (!(error instanceof GatewayError)) {
    return explain(name, error);
  }
  complain(name, [error.message, ...adviceFor(error, session)].join("; "));
  for (const { path, reason } of error.fields) {
    // Of a single mistake the message says it all.
    if (!error.message.includes(`${path} ${reason}`)) {
      complain(name, `${path}: ${reason}`);
    }
  }
  return exitCodes.failure;
}

/** What is still being waited for, an issuer or a line of input, would keep the process alive. */
function interrupted(): never {
  process.exit(exitCodes.interrupted);
}

function wrongUsage(name: string, message: string): number {
  complain(name, `${message} (see: vantage ${name} --help)`);
  return exitCodes.usage;
}
