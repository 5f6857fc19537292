/** A data file of context that cannot be used: where it is wrong, and why. */
export class DataFileError extends Error {
  /** @param place as `line 17`, or `byte 4096` of the unpacked file */
  constructor(place: string, reason: string, options?: ErrorOptions) {
    super(`${place}: ${reason}`, options);
    this.name = "DataFileError";
  }
}
