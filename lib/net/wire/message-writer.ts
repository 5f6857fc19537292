/**
 * Writes one stream-framed, unpacked Cap'n Proto message of one segment: the root struct first, then the lists in the
 * order in which they are started, each padded with zeros to whole words. See `message-reader.ts` for pointers.
 */
import { wordBytes } from "./stream-frame.ts";

const kindList = 1;
const elementByte = 2;
const elementComposite = 7;

/** Bytes before the root struct: the frame of a single segment and the root pointer. */
const rootAt = 2 * wordBytes;

/** Bytes of a message whose lists take `listWords` words. */
export function messageBytes(dataWords: number, pointerWords: number, listWords: number): number {
  return rootAt + wordBytes * (dataWords + pointerWords + listWords);
}

export function wordsFor(bytes: number): number {
  return Math.ceil(bytes / wordBytes);
}

export class MessageWriter {
  #target: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(this.#target.buffer);
  /** Where the data of the root struct begin. */
  #dataAt = 0;
  #pointersAt = 0;
  /** Where the next list starts. */
  #at = 0;

  /** Starts a message of `size` bytes in `target`, whose bytes from `start` on must be zeros. */
  begin(
    target: Uint8Array,
    view: DataView,
    { start, size }: { readonly start: number; readonly size: number },
    dataWords: number,
    pointerWords: number,
  ): void {
    this.#target = target;
    this.#view = view;
    this.#dataAt = start + rootAt;
    this.#pointersAt = this.#dataAt + wordBytes * dataWords;
    this.#at = this.#pointersAt + wordBytes * pointerWords;
    view.setUint32(start + 4, size / wordBytes - 1, true);
    view.setUint16(start + wordBytes + 4, dataWords, true);
    view.setUint16(start + wordBytes + 6, pointerWords, true);
  }

  u8(offset: number, value: number): void {
    this.#view.setUint8(this.#dataAt + offset, value);
  }

  u16(offset: number, value: number): void {
    this.#view.setUint16(this.#dataAt + offset, value, true);
  }

  u32(offset: number, value: number): void {
    this.#view.setUint32(this.#dataAt + offset, value, true);
  }

  u64(offset: number, value: bigint): void {
    this.#view.setBigUint64(this.#dataAt + offset, value, true);
  }

  /** Data, or text when `count` is one more than the bytes: the padding then holds the closing NUL. */
  byteList(pointer: number, bytes: Uint8Array, count = bytes.length): void {
    this.#point(pointer, elementByte, count);
    const target = this.#target;
    const at = this.#at;
    // A loop: for short lists like addresses, a call of `set` costs more than the bytes.
    for (let i = 0; i < bytes.length; i++) {
      target[at + i] = bytes[i] ?? 0;
    }
    this.#at += wordBytes * wordsFor(count);
  }

  /** Starts a composite list and returns where its first element goes; the caller fills the elements. */
  compositeList(pointer: number, count: number, dataWords: number, pointerWords: number): number {
    const words = count * (dataWords + pointerWords);
    this.#point(pointer, elementComposite, words);
    this.#view.setUint32(this.#at, count << 2, true);
    this.#view.setUint16(this.#at + 4, dataWords, true);
    this.#view.setUint16(this.#at + 6, pointerWords, true);
    const first = this.#at + wordBytes;
    this.#at = first + wordBytes * words;
    return first;
  }

  /** Points pointer `index` of the root at the next list. */
  #point(index: number, element: number, count: number): void {
    const pointerAt = this.#pointersAt + wordBytes * index;
    const distance = (this.#at - pointerAt - wordBytes) / wordBytes;
    this.#view.setUint32(pointerAt, (distance << 2) | kindList, true);
    this.#view.setUint32(pointerAt + 4, (count << 3) | element, true);
  }

  elementU8(at: number, offset: number, value: number): void {
    this.#view.setUint8(at + offset, value);
  }

  elementU32(at: number, offset: number, value: number): void {
    this.#view.setUint32(at + offset, value, true);
  }
}
