/** An invalid data file of context: the place of the error, and the reason. */
export class DataFileError extends Error {
  /** @param place as `line 17`, or `byte 4096` of the unpacked file */
  constructor(place: string, reason: string, options?: ErrorOptions) {
    super(`${place}: ${reason}`, options);
    this.name = "DataFileError";
  }
}
