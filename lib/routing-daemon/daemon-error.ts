/** What went wrong between us and a routing daemon. */

export type DaemonErrorCode =
  /** It does not run, or does not answer in time, or its tools are not here. */
  | "unreachable"
  /** It answers, but does not do as it is told: a configuration that it cannot read, a command it may not do. */
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

/** Whether the daemon is there, but has said no. */
export function isRefusal(error: unknown): boolean {
  return error instanceof DaemonError && error.code === "refused";
}
