/** What goes wrong with the column store, by what a caller can do about it. */
type StoreErrorCode =
  /** The address is none, or names nothing that is there. */
  | "badAddress"
  /** Nothing answers at the address; it may come back. */
  | "unavailable"
  /** The store was made by a newer Vantage, or has been changed by hand, or lacks migrations. */
  | "version"
  /** An earlier insert of the same name is still under way. */
  | "busy"
  /** The store answers, and refuses the statement. */
  | "refused";

export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
