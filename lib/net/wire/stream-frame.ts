/**
 * The stream frame of a Cap'n Proto message: where its segments lie.
 *
 * u32 segments - 1, u32 words of each segment, zeros up to a multiple of 8 bytes, then the segments; all little
 * endian. See "Serialization Over a Stream" in the encoding specification of capnproto.org.
 */
import { messageWordsMax, segmentsMax } from "./limits.ts";
import type { WireReason } from "./wire-reason.ts";

export const wordBytes = 8;

/** One instance serves many messages. Positions are bytes from the start of the view. */
export class StreamFrame {
  /** Where the message after this one starts; the end of the view when this frame is broken. */
  next = 0;
  #count = 0;
  readonly #starts = new Int32Array(segmentsMax);
  readonly #ends = new Int32Array(segmentsMax);

  /** Reads the frame at `offset`; null when the whole message is there and within the limits. */
  open(view: DataView, offset: number): WireReason | null {
    const end = view.byteLength;
    this.next = end;
    this.#count = 0;
    if (offset < 0 || offset + wordBytes > end) {
      return "truncated";
    }
    const count = view.getUint32(offset, true) + 1;
    if (count > segmentsMax) {
      return "segmentCount";
    }
    const headerBytes = (4 + 4 * count + 7) & ~7;
    return offset + headerBytes > end ? "truncated" : this.#place(view, offset, headerBytes, count);
  }

  #place(view: DataView, offset: number, headerBytes: number, count: number): WireReason | null {
    let at = offset + headerBytes;
    let words = 0;
    for (let i = 0; i < count; i++) {
      const segmentWords = view.getUint32(offset + 4 + 4 * i, true);
      words += segmentWords;
      if (words > messageWordsMax) {
        return "messageSize";
      }
      this.#starts[i] = at;
      at += wordBytes * segmentWords;
      this.#ends[i] = at;
    }
    if (at > view.byteLength) {
      return "truncated";
    }
    this.#count = count;
    this.next = at;
    return null;
  }

  /** First byte of a segment, or -1 when the message has no such segment. */
  start(segment: number): number {
    return segment < this.#count ? (this.#starts[segment] ?? -1) : -1;
  }

  /** Whether these bytes all lie in this segment. */
  holds(segment: number, at: number, length: number): boolean {
    const start = this.start(segment);
    return start >= 0 && at >= start && at + length <= (this.#ends[segment] ?? 0);
  }
}
