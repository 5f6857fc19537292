/** A source that gave no data: it could not be reached, refused, or said something else than it should. */
export class SourceError extends Error {
  override readonly name = "SourceError";
}
