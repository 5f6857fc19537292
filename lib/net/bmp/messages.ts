/** Cuts a BMP stream into messages, whatever pieces it arrives in. */
import { streamMessages } from "../../base/list/stream-messages.ts";
import { messageLength } from "./message.ts";

/**
 * Whole messages with their heads, one batch for each piece; a batch is valid until the next one is read.
 *
 * @throws RangeError on other bytes than BMP, and when the stream ends within a message
 */
export function bmpMessages(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[]> {
  return streamMessages(chunks, messageLength);
}
