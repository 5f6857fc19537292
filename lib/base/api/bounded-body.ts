/** Reads other servers' responses up to a size limit. */

/** The whole body; rejects with the error from `tooLong` as soon as it exceeds `bytesMax` bytes. */
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
