/** What went wrong between us and a routing daemon. */

type DaemonErrorCode =
  /** It does not run, does not answer in time, or its tools are not installed. */
  | "unreachable"
  /** It answers, but refuses: a configuration that it cannot read, a command that is not permitted. */
  | "refused";

/** The message names the daemon. */
export class DaemonError extends Error {
  override readonly name = "DaemonError";
  readonly code: DaemonErrorCode;

  constructor(code: DaemonErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Whether the daemon is running but has refused. */
export function isRefusal(error: unknown): boolean {
  return error instanceof DaemonError && error.code === "refused";
}
