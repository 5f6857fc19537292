/** A source without usable data: unreachable, refused, or with an invalid answer. */
export class SourceError extends Error {
  override readonly name = "SourceError";
}
