/** Cuts a stream of BMP into its messages, whatever the pieces it comes in. */
import { streamMessages } from "../list/stream-messages.ts";
import { messageLength } from "./message.ts";

/**
 * Whole messages with their heads, those of each piece together; they are valid until the next ones are asked for.
 *
 * @throws RangeError on other bytes than BMP, and when the stream ends within a message
 */
export function bmpMessages(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[]> {
  return streamMessages(chunks, messageLength);
}
