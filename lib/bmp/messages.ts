/** Cuts a stream of BMP into its messages, whatever the pieces it comes in. */
import { messageLength } from "./message.ts";

/**
 * Whole messages with their heads, those of each piece together; they are valid until the next ones are asked for.
 *
 * @throws RangeError on other bytes than BMP, and when the stream ends within a message
 */
export async function* bmpMessages(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[]> {
  let rest = new Uint8Array(0);
  for await (const chunk of chunks) {
    const { buffer, byteOffset, length } = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const bytes = new Uint8Array(buffer, byteOffset, length);
    const { messages, end, failure } = cut(bytes);
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

/** The whole messages at the begin, where they end, and why nothing can follow. */
function cut(bytes: Uint8Array) {
  const messages: Uint8Array[] = [];
  let end = 0;
  try {
    for (let length = messageLength(bytes, 0); length !== null && end + length <= bytes.length; ) {
      messages.push(bytes.subarray(end, end + length));
      end += length;
      length = messageLength(bytes, end);
    }
  } catch (failure) {
    return { messages, end, failure };
  }
  return { messages, end, failure: null };
}
