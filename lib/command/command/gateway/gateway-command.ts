/**
 * The frame of every command that uses a gateway: besides its own options it has those for gateway, login and output
 * format, and it gets a session. A gateway's refusal is printed in one line, with the next step.
 */
import { listenForInterrupt } from "../../../base/terminal/interruption.ts";
import type { Service } from "../../../engines/gateway-client/choose-gateway.ts";
import { GatewayError } from "../../../engines/gateway-client/gateway-error.ts";
import { type CommandTable, defineCommand } from "../command.ts";
import { complain } from "../complain.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { formatOption } from "../format-option.ts";
import type { ArgumentTable, Command, Given, OptionTable } from "../table.ts";
import { adviceFor } from "./advice.ts";
import { addressOptions, type CommonOptions, commonOptions, loginOptions } from "./common-options.ts";
import { GatewaySession } from "./session.ts";

interface GatewayTable<Options extends OptionTable, Arguments extends ArgumentTable>
  extends Omit<CommandTable<Options, Arguments>, "act"> {
  readonly service?: Service;
  /** Rejects with GatewayError, and with any command's errors. */
  readonly act: (session: GatewaySession, given: Given<Options, Arguments>) => Promise<ExitCode>;
}

export function gatewayCommand<const Options extends OptionTable, const Arguments extends ArgumentTable>({
  service = "probing",
  act,
  ...table
}: GatewayTable<Options, Arguments>): Command {
  const shared = { ...formatOption, ...addressOptions[service], ...loginOptions };
  return defineCommand({
    ...table,
    options: { ...shared, ...table.options } as OptionTable,
    act: (values, { name }) => {
      const given = values as unknown as Given<Options, Arguments> & Given<typeof shared>;
      return inSession(name, commonOptions(given, service, given.output), (session) => act(session, given));
    },
  });
}

/** Runs a command that uses a gateway; prints a failure in one line. Resolves to the exit code. */
export async function inSession(
  name: string,
  common: CommonOptions,
  run: (session: GatewaySession) => Promise<ExitCode>,
): Promise<ExitCode> {
  using interruption = listenForInterrupt();
  const session = new GatewaySession(name, common, interruption.signal);
  try {
    const exitCode = await run(session);
    return interruption.signal.aborted ? interrupted() : exitCode;
  } catch (error) {
    session.screen.clear();
    session.progress.clear();
    return failed(session, error);
  }
}

/** Rethrows errors that are not from the gateway. */
function failed(session: GatewaySession, error: unknown): ExitCode {
  const { name, signal } = session;
  if (signal.aborted) {
    return interrupted();
  }
  if (!(error instanceof GatewayError)) {
    throw error;
  }
  const advice = adviceFor(error, session);
  const message = advice.length === 0 ? error.message : error.message.replace(/\.$/, "");
  complain(name, [message, ...advice].join("; "));
  for (const { path, reason } of error.fields) {
    // For a single mistake the message is enough.
    if (!error.message.includes(`${path} ${reason}`)) {
      complain(name, path === "" ? reason : `${path}: ${reason}`);
    }
  }
  return exitCodes.failure;
}

/** A pending wait, for an issuer or a line of input, would keep the process alive. */
function interrupted(): never {
  process.exit(exitCodes.interrupted);
}
