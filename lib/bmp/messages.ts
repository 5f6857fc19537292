/** Cuts a stream of BMP into its messages, whatever the pieces it comes in. */
import { messageLength } from "./message.ts";

/**
 * Whole messages with their heads; one is valid until the next is asked for.
 *
 * @throws RangeError on other bytes than BMP, and when the stream ends within a message
 */
export async function* bmpMessages(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes =
      rest.length === 0
        ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
        : Buffer.concat([rest, chunk]);
    let at = 0;
    for (let length = messageLength(bytes, at); length !== null && at + length <= bytes.length; ) {
      yield bytes.subarray(at, at + length);
      at += length;
      length = messageLength(bytes, at);
    }
    rest = Buffer.from(bytes.subarray(at));
  }
  if (rest.length > 0) {
    throw new RangeError("the stream ends within a message");
  }
}
