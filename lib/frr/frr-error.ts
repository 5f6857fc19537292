/** What went wrong between us and FRR. */

export type FrrErrorCode =
  /** FRR does not run, or does not answer in time, or its tools are not here. */
  | "unreachable"
  /** It answers, but does not do as it is told: a configuration that it cannot read, for one. */
  | "refused";

export class FrrError extends Error {
  override readonly name = "FrrError";
  readonly code: FrrErrorCode;

  constructor(code: FrrErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
