/** How commands end that could not do what was asked: lines on standard error, and the exit code. */
import { ConfigError } from "../config/config-error.ts";
import { CommandError } from "./command-error.ts";
import { complain, fullName } from "./complain.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";

/** What JavaScript throws for mistakes in a program: their place says more than their message. */
const bugs = [TypeError, RangeError, ReferenceError, SyntaxError];

/** Says why a command failed, and what to do; rethrows bugs. */
export function failedBy(command: string, error: unknown): ExitCode {
  if (!(error instanceof Error) || bugs.some((bug) => error instanceof bug)) {
    throw error;
  }
  if (error instanceof CommandError && error.code === "usage") {
    return usageFailure(command, error.message);
  }
  const lines = error instanceof ConfigError ? error.message.split("\n") : [error.message];
  for (const line of lines) {
    complain(command, line);
  }
  return error instanceof ConfigError ? exitCodes.usage : exitCodes.failure;
}

/** Our questions end the sentence. */
function usageFailure(command: string, message: string): ExitCode {
  const help = `ee ${fullName(command)} --help`;
  complain(command, message.endsWith("?") ? `${message} S${help}` : `${message}; s${help}`);
  return exitCodes.usage;
}
