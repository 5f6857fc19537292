/** Reads answers of other servers up to a size limit. */

/** The whole body; rejects with what `tooLong` makes as soon as it has more than `bytesMax` bytes. */
export async function boundedBody(
  { body }: Pick<Response, "body">,
  bytesMax: number,
  tooLong: () => Error,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > bytesMax) {
      throw tooLong();
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}
