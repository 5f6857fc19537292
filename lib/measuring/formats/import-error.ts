/** The reason why a file cannot be imported, and the place. */
export class ImportError extends Error {
  override readonly name = "ImportError";

  /** `place`: "byte 1024", or "line 3". */
  constructor(place: string, reason: string) {
    super(`${place}: ${reason}`);
  }
}
