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
import { formats } from "../../../lib/terminal/rows-output.ts";
import { exitCodes } from "../failure.ts";
import { complain, explain } from "../standard-error.ts";
import { adviceFor } from "./advice.ts";
import type { CommonOptions } from "./common-options.ts";
import { Session } from "./session.ts";

const sharedOptions = {
  output: {
    type: "string",
    short: "o",
    default: "table",
    values: formats,
    value: "FORMAT",
    meaning: "table (default), json, ndjson (one object a line), csv",
  },
  profile: {
    type: "string",
    value: "NAME",
    meaning: "whose login (default: VANTAGE_PROFILE, else the one of the gateway, else the last one)",
  },
  "token-stdin": {
    type: "boolean",
    meaning: "take the token from standard input, and keep nothing; VANTAGE_TOKEN does the same",
  },
} as const;

const addressOptions = {
  probing: {
    gateway: {
      type: "string",
      value: "URL",
      meaning: "the gateway (default: VANTAGE_GATEWAY, else that of the login)",
    },
  },
  peering: {
    "peering-gateway": {
      type: "string",
      value: "URL",
      meaning: "the gateway of the exchange (default: VANTAGE_PEERING_GATEWAY, else that of the login)",
    },
  },
} as const;

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
  const options = { ...description.options, ...sharedOptions, ...addressOptions[service] };
  return {
    options,
    run: async (args) => {
      const parsed = parse(description, service, args);
      switch (parsed.kind) {
        case "help":
          console.log(helpText({ ...description, options }));
          return exitCodes.ok;
        case "wrong":
          return wrongUsage(description.name, parsed.message);
        case "run":
          return await act(description, parsed.options);
      }
    },
  };
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
  const table: OptionTable = { ...options, ...sharedOptions, ...addressOptions[service] };
  return parseCommandLine(args, {
    options: table,
    check: (values, positionals) => {
      const common = commonOf(values as unknown as CommonValues, service);
      return { common, own: check(values as OptionValues<Table>, positionals, common) };
    },
  });
}

/** The shared options, of whichever service. */
interface CommonValues {
  readonly gateway?: string;
  readonly "peering-gateway"?: string;
  readonly profile?: string;
  readonly "token-stdin"?: boolean;
  readonly output: string;
}

function commonOf(values: CommonValues, service: Service): CommonOptions {
  return {
    service,
    address: (service === "probing" ? values.gateway : values["peering-gateway"]) ?? null,
    profile: values.profile ?? null,
    tokenStdin: values["token-stdin"] === true,
    format: choiceOf("-o", values.output, formats),
  };
}

async function act<Table extends OptionTable, Options>(
  { name, act: run }: CommandDescription<Table, Options>,
  { common, own }: Parsed<Options>,
): Promise<number> {
  using interruption = listenForInterrupt();
  const session = new Session(name, common, interruption.signal);
  try {
    const exitCode = await run(session, own);
    return interruption.signal.aborted ? interrupted() : exitCode;
  } catch (error) {
    session.screen.clear();
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
    complain(name, `${path}: ${reason}`);
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
