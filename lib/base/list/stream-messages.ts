/** Cuts a stream of bytes into length-prefixed messages, however it is split into chunks. */

/**
 * Length in bytes of the message that begins here; null while its length field is incomplete. Throws if there can be
 * none.
 */
type LengthAt = (bytes: Uint8Array, at: number) => number | null;

/**
 * Whole messages with their heads, one batch per chunk; a batch is valid until the next one is read.
 *
 * @throws RangeError when the stream ends within a message; and as `lengthAt` does, after the messages before
 */
export async function* streamMessages(
  chunks: AsyncIterable<Uint8Array>,
  lengthAt: LengthAt,
): AsyncGenerator<Uint8Array[]> {
  let rest = new Uint8Array(0);
  for await (const chunk of chunks) {
    const { buffer, byteOffset, length } = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const bytes = new Uint8Array(buffer, byteOffset, length);
    const { messages, end, failure } = cut(bytes, lengthAt);
    if (messages.length > 0) {
      yield messages;
    }
    if (failure !== null) {
      throw failure;
    }
    rest = Uint8Array.from(bytes.subarray(end));
  }
  if (rest.length > 0) {
    throw new RangeError("the stream ends within a message");
  }
}

/** The whole messages at the start, where they end, and why nothing can follow. */
function cut(bytes: Uint8Array, lengthAt: LengthAt) {
  const messages: Uint8Array[] = [];
  let end = 0;
  try {
    for (let length = lengthAt(bytes, 0); length !== null && end + length <= bytes.length; ) {
      messages.push(bytes.subarray(end, end + length));
      end += length;
      length = lengthAt(bytes, end);
    }
  } catch (failure) {
    return { messages, end, failure };
  }
  return { messages, end, failure: null };
}
