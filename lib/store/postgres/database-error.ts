/** Errors of the database as a whole, grouped by what a caller can do. */
export type DatabaseErrorCode =
  /** The address is invalid, or names nothing that is there, or nobody we may be. */
  | "badAddress"
  /** Nothing answers at the address; it may come back. */
  | "unavailable"
  /** The schema was made by a newer Vantage, or by another service of it. */
  | "newerSchema"
  /** A migration that was applied is not the one of this program. */
  | "changedMigration"
  /** The database refuses a migration. */
  | "refusedMigration";

export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  readonly code: DatabaseErrorCode;

  constructor(code: DatabaseErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
