/** What the user of a command can put right. Any other error is shown in one line too, unless it is a bug. */

/** `usage`: the command line itself is wrong, so its help says more. `failure`: what it names is not as it must be. */
type CommandErrorCode = "usage" | "failure";

export class CommandError extends Error {
  override readonly name: string = "CommandError";
  readonly code: CommandErrorCode;

  constructor(code: CommandErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The command line cannot be used; the message names what is wrong with it. */
export function wrongUsage(message: string): CommandError {
  return new CommandError("usage", message);
}

/** The message names what failed, and what to do. */
export function cannot(message: string, options?: ErrorOptions): CommandError {
  return new CommandError("failure", message, options);
}
