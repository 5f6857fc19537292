/** Takes reply records off a receiver's ring; their layout is that of `repliesAt` in ffi/hotpath/memory-layout.ts. */
import {
  replyHeaderBytes,
  replyKeyOffset,
  replyMeasurementOffset,
  replyTagMaskOffset,
  replyTagValueOffset,
} from "../../../../ffi/hotpath/memory-layout.ts";
import { decodeReply } from "../../../../lib/net/wire/reply-codec.ts";
import type { ByteRing } from "./byte-ring.ts";
import type { ReceivedReply } from "./engine-types.ts";

const chunk = new Uint8Array(65536);
const view = new DataView(chunk.buffer);

/** Hands over every reply that is in the ring now; returns how many. */
export function readReplies(ring: ByteRing, onReply: (received: ReceivedReply) => void): number {
  let count = 0;
  for (;;) {
    const size = ring.peek(chunk);
    let at = 0;
    while (at + replyHeaderBytes <= size && at + view.getUint32(at, true) <= size) {
      const end = at + view.getUint32(at, true);
      onReply(readRecord(at, end));
      at = end;
      count++;
    }
    if (at === 0) {
      return count;
    }
    ring.advance(at);
  }
}

function readRecord(at: number, end: number): ReceivedReply {
  const decoded = decodeReply(chunk.subarray(0, end), at + replyHeaderBytes);
  if (!decoded.ok) {
    throw new Error(`Cannot decode a reply of our own: ${decoded.reason}`);
  }
  const instance = view.getInt32(at + replyKeyOffset, true);
  return {
    reply: decoded.reply,
    verdict: instance < 0 ? "mismatch" : "match",
    instance,
    measurement: view.getInt32(at + replyMeasurementOffset, true),
    quotedTag: {
      mask: view.getBigUint64(at + replyTagMaskOffset, true),
      value: view.getBigUint64(at + replyTagValueOffset, true),
    },
  };
}
