/** A problem that keeps probes from being submitted, and that the submitter can fix. */

/** `targets`: they cannot be read, or leave no room in a record. `spool`: the disk does not take the probes. */
type SubmissionErrorCode = "targets" | "spool";

export class SubmissionError extends Error {
  override readonly name = "SubmissionError";
  readonly code: SubmissionErrorCode;

  constructor(code: SubmissionErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
