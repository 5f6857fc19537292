/** Why an RTR session ends. */

/** RFC 8210 s.12. */
export const errorCodes = {
  corruptData: 0,
  internalError: 1,
  noData: 2,
  unsupportedVersion: 4,
  unsupportedType: 5,
  unknownWithdrawal: 6,
  duplicateAnnouncement: 7,
  unexpectedVersion: 8,
} as const;

export class RtrFailure extends Error {
  override readonly name = "RtrFailure";
  /**
   * Error code for the report to the cache; null = none: it ended the session itself, or did nothing wrong.
   */
  readonly code: number | null;

  constructor(code: number | null, message: string) {
    super(message);
    this.code = code;
  }
}
