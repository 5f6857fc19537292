/** Truncated streams: compressed files that are cut or damaged, whose first part is good. */

/** Ends a stream whose rest cannot be read; the message is the reason. */
export class CutShort extends Error {
  override readonly name = "CutShort";
}

/** The stream up to where it is cut; `onCut` then receives the number of bytes and the reason. */
export async function* upToCut(
  chunks: AsyncIterable<Uint8Array>,
  onCut: (bytes: number, reason: string) => void,
): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
  } catch (cause) {
    if (!(cause instanceof CutShort)) {
      throw cause;
    }
    onCut(bytes, cause.message);
  }
}
