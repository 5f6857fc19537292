/** Replies in a ring, as a receiver leaves them there (ffi/hotpath/memory-layout.ts, `repliesAt`). */
import type { ByteRing } from "../../apps/probing/agent/engine/byte-ring.ts";
import {
  replyHeaderBytes,
  replyKeyOffset,
  replyMeasurementOffset,
  replyMessageBytesOffset,
} from "../../ffi/hotpath/memory-layout.ts";
import type { Reply } from "../../lib/net/packet/reply.ts";
import { encodeReply } from "../../lib/net/wire/reply-codec.ts";

/** `measurement` and `sender` as in ReceivedReply. Throws when the ring has no room. */
export function writeReply(ring: ByteRing, reply: Reply, measurement = -1, sender = -1): void {
  const message = encodeReply(reply);
  const record = new Uint8Array(replyHeaderBytes + message.length);
  const view = new DataView(record.buffer);
  view.setUint32(0, record.length, true);
  view.setInt32(replyKeyOffset, sender, true);
  view.setInt32(replyMeasurementOffset, measurement, true);
  view.setUint32(replyMessageBytesOffset, message.length, true);
  record.set(message, replyHeaderBytes);
  if (!ring.write(record)) {
    throw new Error("Cannot write a reply: the ring is full");
  }
}
