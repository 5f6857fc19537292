/** Cuts a BMP stream into messages, however it is split into chunks. */
import { streamMessages } from "../../base/list/stream-messages.ts";
import { messageLength } from "./message.ts";

/**
 * Whole messages with their heads, one batch for each chunk; a batch is valid until the next one is read.
 *
 * @throws RangeError on other bytes than BMP, and when the stream ends within a message
 */
export function bmpMessages(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[]> {
  return streamMessages(chunks, messageLength);
}
