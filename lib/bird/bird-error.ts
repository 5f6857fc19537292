/** What went wrong between us and BIRD. */

export type BirdErrorCode =
  /** No BIRD answers at the socket, or not in time. */
  | "unreachable"
  /** BIRD answers, but does not do as it is told: a configuration that it cannot read, a command it may not do. */
  | "refused";

export class BirdError extends Error {
  override readonly name = "BirdError";
  readonly code: BirdErrorCode;

  constructor(code: BirdErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
