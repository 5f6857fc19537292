/**
 * Reads one struct out of a stream-framed, unpacked Cap'n Proto message: whatever a valid encoder may write, and
 * nothing that lies outside the message.
 *
 * A pointer is one word. Its two lowest bits are its kind: 0 struct, 1 list, 2 far (the content is in another
 * segment), 3 capability. Struct and list: bits 2-31 are a signed distance in words from the pointer's end; the upper
 * half holds u16 data words and u16 pointers, or a 3-bit element code and a 29-bit count. Far: bit 2 is set when the
 * landing pad is two words, bits 3-31 are its word in the segment that the upper half names.
 *
 * Hostile input is bounded by limits.ts and by one rule: a position is checked against its segment before it is
 * read. Each field follows its pointer once, so no message makes a reader work longer than its length.
 */
import { StreamFrame, wordBytes } from "./stream-frame.ts";
import type { WireReason } from "./wire-reason.ts";

const kindStruct = 0;
const kindList = 1;
const kindFar = 2;

/** Element codes of list pointers: nothing, bit, byte, 2, 4 and 8 bytes, pointer, composite. No field has bits. */
export const elementBit = 1;
export const elementByte = 2;
const elementPointer = 6;
const elementComposite = 7;
const elementBytes: readonly number[] = [0, 0, 1, 2, 4, 8];

/** Reads message after message of one buffer without allocating. Positions are bytes from the buffer's start. */
export class MessageReader {
  readonly bytes: Uint8Array;
  /** Why the current message is refused: the first fault. Fields read afterwards are 0 or empty. */
  failure: WireReason | null = null;

  readonly #view: DataView;
  readonly #frame = new StreamFrame();

  /** The list that `openList` found. Element i starts at `listAt + i * listStride`. */
  listAt = 0;
  listCount = 0;
  listElement = elementByte;
  #listStride = 0;
  /** Bytes of plain data in an element; the rest of a composite element are pointers. */
  #listDataBytes = 0;
  #listSegment = 0;

  /** Result of `#follow`: segment and start of the content, and the pointer word that describes it. */
  #segment = 0;
  #contentAt = 0;
  #low = 0;
  #high = 0;

  #rootSegment = 0;
  #dataAt = 0;
  #dataBytes = 0;
  #pointersAt = 0;
  #pointerCount = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Where the following message starts; the buffer's end when this one's frame is broken. */
  get next(): number {
    return this.#frame.next;
  }

  /** Moves to the message at `offset` and finds its root struct; false, with `failure` set, when it cannot. */
  open(offset: number): boolean {
    this.#dataBytes = 0;
    this.#pointerCount = 0;
    this.failure = this.#frame.open(this.#view, offset) ?? this.#openRoot();
    return this.failure === null;
  }

  /** Refuses the message; the first reason stays. */
  fail(reason: WireReason): void {
    this.failure ??= reason;
  }

  #openRoot(): WireReason | null {
    const pointerAt = this.#frame.start(0);
    if (!this.#frame.holds(0, pointerAt, wordBytes)) {
      return "rootMissing";
    }
    const broken = this.#follow(pointerAt, 0);
    if (broken !== null) {
      return broken;
    }
    if (this.#isNull()) {
      return "rootMissing";
    }
    if ((this.#low & 3) !== kindStruct) {
      return "pointerKind";
    }
    const dataBytes = wordBytes * (this.#high & 0xffff);
    const pointerCount = this.#high >>> 16;
    if (!this.#frame.holds(this.#segment, this.#contentAt, dataBytes + wordBytes * pointerCount)) {
      return "pointerBounds";
    }
    this.#rootSegment = this.#segment;
    this.#dataAt = this.#contentAt;
    this.#dataBytes = dataBytes;
    this.#pointersAt = this.#dataAt + dataBytes;
    this.#pointerCount = pointerCount;
    return null;
  }

  /** Fields of the root struct, by byte offset; one that an older writer's schema lacks reads as 0. */
  u8(offset: number): number {
    return offset < this.#dataBytes ? this.#view.getUint8(this.#dataAt + offset) : 0;
  }

  u16(offset: number): number {
    return offset < this.#dataBytes ? this.#view.getUint16(this.#dataAt + offset, true) : 0;
  }

  u32(offset: number): number {
    return offset < this.#dataBytes ? this.#view.getUint32(this.#dataAt + offset, true) : 0;
  }

  u64(offset: number): bigint {
    return offset < this.#dataBytes ? this.#view.getBigUint64(this.#dataAt + offset, true) : 0n;
  }

  /**
   * Finds the list behind pointer `index` of the root struct. A null pointer, or one that an older writer's schema
   * lacks, is an empty list of bytes; so is one that sets `failure`.
   */
  openList(index: number): void {
    this.listCount = 0;
    this.listElement = elementByte;
    if (index >= this.#pointerCount) {
      return;
    }
    const broken =
      this.#follow(this.#pointersAt + wordBytes * index, this.#rootSegment) ?? this.#openElements();
    if (broken !== null) {
      this.fail(broken);
      this.listCount = 0;
      this.listElement = elementByte;
    }
  }

  #openElements(): WireReason | null {
    if (this.#isNull()) {
      return null;
    }
    if ((this.#low & 3) !== kindList) {
      return "pointerKind";
    }
    this.listAt = this.#contentAt;
    this.#listSegment = this.#segment;
    this.listElement = this.#high & 7;
    const count = this.#high >>> 3;
    return this.listElement === elementComposite ? this.#openComposite(count) : this.#openPlain(count);
  }

  #openPlain(count: number): WireReason | null {
    this.#listDataBytes = elementBytes[this.listElement] ?? 0;
    this.#listStride = this.listElement === elementPointer ? wordBytes : this.#listDataBytes;
    this.listCount = count;
    return this.#frame.holds(this.#segment, this.listAt, count * this.#listStride) ? null : "pointerBounds";
  }

  /** The count is in words; a tag word, formed like a struct pointer, holds the elements' number and size. */
  #openComposite(words: number): WireReason | null {
    if (!this.#frame.holds(this.#segment, this.listAt, wordBytes * (words + 1))) {
      return "pointerBounds";
    }
    this.#take(this.listAt);
    if ((this.#low & 3) !== kindStruct) {
      return "listElement";
    }
    this.listAt += wordBytes;
    this.listCount = this.#low >>> 2;
    this.#listDataBytes = wordBytes * (this.#high & 0xffff);
    this.#listStride = this.#listDataBytes + wordBytes * (this.#high >>> 16);
    return this.listCount * this.#listStride <= wordBytes * words ? null : "pointerBounds";
  }

  /** A field of element `index` of the open list, below `listCount`; 0 where the element has no such bytes. */
  elementU8(index: number, offset: number): number {
    const at = this.listAt + index * this.#listStride + offset;
    return offset < this.#listDataBytes ? this.#view.getUint8(at) : 0;
  }

  elementU32(index: number, offset: number): number {
    const at = this.listAt + index * this.#listStride + offset;
    return offset + 4 <= this.#listDataBytes ? this.#view.getUint32(at, true) : 0;
  }

  /** The data behind pointer `pointer` of element `index`, in place; empty where the element has no such pointer. */
  elementBytes(index: number, pointer: number): Uint8Array {
    const offset = this.#listDataBytes + wordBytes * pointer;
    if (offset + wordBytes > this.#listStride) {
      return this.bytes.subarray(0, 0);
    }
    const broken = this.#follow(this.listAt + index * this.#listStride + offset, this.#listSegment);
    const isNull = broken === null && this.#isNull();
    const count = this.#high >>> 3;
    const isBytes = (this.#low & 3) === kindList && (this.#high & 7) === elementByte;
    if (broken !== null || isNull || !isBytes || !this.#frame.holds(this.#segment, this.#contentAt, count)) {
      if (!isNull) {
        this.fail(broken ?? (isBytes ? "pointerBounds" : "listElement"));
      }
      return this.bytes.subarray(0, 0);
    }
    return this.bytes.subarray(this.#contentAt, this.#contentAt + count);
  }

  /** Follows the pointer at `at`, through far pointers, to its content, which is not bounds-checked yet. */
  #follow(at: number, segment: number): WireReason | null {
    this.#segment = segment;
    this.#take(at);
    if ((this.#low & 3) !== kindFar) {
      this.#contentAt = at + wordBytes + wordBytes * (this.#low >> 2);
      return null;
    }
    const isDouble = (this.#low & 4) !== 0;
    const pad = this.#farTarget();
    if (pad < 0) {
      return "farSegment";
    }
    if (!this.#frame.holds(this.#segment, pad, isDouble ? 2 * wordBytes : wordBytes)) {
      return "pointerBounds";
    }
    this.#take(pad);
    return isDouble ? this.#followDouble(pad) : this.#followSingle(pad);
  }

  #followSingle(pad: number): WireReason | null {
    this.#contentAt = pad + wordBytes + wordBytes * (this.#low >> 2);
    return (this.#low & 3) === kindFar ? "pointerKind" : null;
  }

  /** A landing pad of two words: a far pointer to the content itself, and a tag that describes the content. */
  #followDouble(pad: number): WireReason | null {
    if ((this.#low & 7) !== kindFar) {
      return "pointerKind";
    }
    this.#contentAt = this.#farTarget();
    if (this.#contentAt < 0) {
      return "farSegment";
    }
    this.#take(pad + wordBytes);
    return (this.#low & 3) === kindFar ? "pointerKind" : null;
  }

  /** Moves to the segment of the current far pointer; -1 when the message has no such segment. */
  #farTarget(): number {
    const start = this.#frame.start(this.#high);
    this.#segment = this.#high;
    return start < 0 ? -1 : start + wordBytes * (this.#low >>> 3);
  }

  #take(at: number): void {
    this.#low = this.#view.getUint32(at, true);
    this.#high = this.#view.getUint32(at + 4, true);
  }

  #isNull(): boolean {
    return this.#low === 0 && this.#high === 0;
  }
}
