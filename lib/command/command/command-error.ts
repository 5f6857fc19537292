/** An error that the user of a command can fix. Any other error is shown in one line too, unless it is a bug. */

/** `usage`: the command line itself is wrong, so its help is useful. `failure`: something that it names is wrong. */
type CommandErrorCode = "usage" | "failure";

export class CommandError extends Error {
  override readonly name: string = "CommandError";
  readonly code: CommandErrorCode;

  constructor(code: CommandErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Invalid command line, with the reason. */
export function wrongUsage(message: string): CommandError {
  return new CommandError("usage", message);
}

/** The message has the failure and the next step. */
export function cannot(message: string, options?: ErrorOptions): CommandError {
  return new CommandError("failure", message, options);
}
