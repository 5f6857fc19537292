/**
 * Recognises messages in the exact form that our own encoders write (lib/net/wire/reply-codec.ts): all offsets
 * then follow from a few sums, without following pointers. Agents of earlier versions write a shorter data section; a
 * reply without a site has no pointer to one; replies whose quote was rewritten are read as messages of any form.
 *
 * A message of another form may be a reply too: `MessageReader` decides.
 */
import { addressBytes } from "../../../net/ip/address.ts";
import { mplsLabelsMax, siteBytesMax } from "../../../net/packet/reply.ts";
import * as at from "../../../net/wire/layout.ts";
import { agentIdBytesMax } from "../../../net/wire/limits.ts";

/** In units of 4 bytes, half a Cap'n Proto word. */
const dataAt = 4;
/** Without `rttUs`. */
const dataWordsMin = at.replyRttUsOffset / 8;
/** Without `replySite`. */
const pointerWordsMin = at.replyReplySitePointer;
const pointerWordsMax = pointerWordsMin + 1;
/** Without what only rewritten quotes have. */
const dataWordsMax = at.replyReplyRewrittenOffset / 8;
const listsAtMin = dataAt + 2 * (dataWordsMin + pointerWordsMin);
const addressWords = addressBytes / 8;
const addressList = (addressBytes << 3) | 2;
const fixedWords = 1 + 4 * addressWords;

/** Positions count from the start of the record: those in `bytes` and `u16` too. */
export class PlainReply {
  /** The record, aligned so that its words can be read directly. */
  bytes = new Uint8Array(0);
  u16 = new Uint16Array(0);
  u32 = new Uint32Array(0);
  #end = 0;
  /** Words of 8 bytes; what lies beyond is 0. */
  dataWords = 0;
  /** Units of 4 bytes: fields, agent id, answer's addresses, labels, probe's addresses. */
  data = 0;
  agentId = 0;
  answer = 0;
  labels = 0;
  probe = 0;
  next = 0;
  agentIdBytes = 0;
  labelCount = 0;
  site = 0;
  siteBytes = 0;

  /** Takes a copy of the record. */
  load(record: Uint8Array): void {
    if (record.length > this.bytes.length) {
      const capacity = 8 * Math.ceil(record.length / 8) * 2;
      this.bytes = new Uint8Array(capacity);
      this.u16 = new Uint16Array(this.bytes.buffer);
      this.u32 = new Uint32Array(this.bytes.buffer);
    }
    this.bytes.set(record);
    this.#end = record.length >> 2;
  }

  /** Whether a message of this form, whole, starts at byte `start`. Its texts may still be none. */
  open(start: number): boolean {
    const { u32 } = this;
    const head = start >> 2;
    if ((start & 3) !== 0 || head + listsAtMin > this.#end) {
      return false;
    }
    const root = u32[head + 3] ?? 0;
    const dataWords = root & 0xffff;
    const pointerWords = root >>> 16;
    if (
      (pointerWords !== pointerWordsMax && pointerWords !== pointerWordsMin) ||
      (dataWords !== dataWordsMax && dataWords !== dataWordsMin)
    ) {
      return false;
    }
    return u32[head] === 0 && u32[head + 2] === 0 && this.#hasLists(head, dataWords, pointerWords);
  }

  /** Finds the lists of the message, which has so many words. */
  #hasLists(head: number, dataWords: number, pointerWords: number): boolean {
    const { u32 } = this;
    const pointers = head + dataAt + 2 * dataWords;
    const count = (u32[pointers + 1] ?? 0) >>> 3;
    const labelCount = (u32[pointers + 7] ?? 0) >>> 3;
    const siteCount = pointerWords === pointerWordsMin ? 0 : (u32[pointers + 13] ?? 0) >>> 3;
    const idWords = (count + 7) >>> 3;
    const labelWords = labelCount === 0 ? 0 : 1 + labelCount * at.mplsDataWords;
    const siteWords = (siteCount + 7) >>> 3;
    const words = fixedWords + dataWords + pointerWords + idWords + labelWords + siteWords;
    const next = head + 2 + 2 * words;
    if (u32[head + 1] !== words || next > this.#end) {
      return false;
    }
    if (count > agentIdBytesMax + 1 || labelCount > mplsLabelsMax || siteCount > siteBytesMax + 1) {
      return false;
    }
    this.data = head + dataAt;
    this.dataWords = dataWords;
    this.agentId = pointers + 2 * pointerWords;
    this.agentIdBytes = Math.max(0, count - 1);
    this.answer = this.agentId + 2 * idWords;
    this.labels = this.answer + 4 * addressWords + 2;
    this.labelCount = labelCount;
    this.probe = this.answer + 4 * addressWords + 2 * labelWords;
    this.site = this.probe + 4 * addressWords;
    this.siteBytes = Math.max(0, siteCount - 1);
    this.next = 4 * next;
    return (
      this.#isText(pointers, this.agentId, count) &&
      this.#hasPointers(pointers, labelCount) &&
      (pointerWords === pointerWordsMin ||
        this.#isText(pointers + 2 * at.replyReplySitePointer, this.site, siteCount))
    );
  }

  /** Whether the pointer leads there, to so many bytes of which the last is NUL; a text that is absent has none. */
  #isText(pointer: number, place: number, count: number): boolean {
    const { u32, bytes } = this;
    return count === 0
      ? u32[pointer] === 0 && u32[pointer + 1] === 0
      : u32[pointer] === distance(pointer, place) &&
          u32[pointer + 1] === ((count << 3) | 2) &&
          bytes[4 * place + count - 1] === 0;
  }

  #hasPointers(pointers: number, labelCount: number): boolean {
    const { u32, answer, probe } = this;
    const labelTag = answer + 4 * addressWords;
    return (
      u32[pointers + 2] === distance(pointers + 2, answer) &&
      u32[pointers + 3] === addressList &&
      u32[pointers + 4] === distance(pointers + 4, answer + 2 * addressWords) &&
      u32[pointers + 5] === addressList &&
      u32[pointers + 8] === distance(pointers + 8, probe) &&
      u32[pointers + 9] === addressList &&
      u32[pointers + 10] === distance(pointers + 10, probe + 2 * addressWords) &&
      u32[pointers + 11] === addressList &&
      (labelCount === 0
        ? u32[pointers + 6] === 0 && u32[pointers + 7] === 0
        : this.#hasTag(pointers, labelTag))
    );
  }

  #hasTag(pointers: number, tag: number): boolean {
    const { u32, labelCount } = this;
    return (
      u32[pointers + 6] === distance(pointers + 6, tag) &&
      u32[pointers + 7] === (((labelCount * at.mplsDataWords) << 3) | 7) &&
      u32[tag] === labelCount << 2 &&
      u32[tag + 1] === at.mplsDataWords
    );
  }
}

/** The lower half of a list pointer at `from` to `to`, in units of 4 bytes. */
function distance(from: number, to: number): number {
  return (((to - from - 2) >> 1) << 2) | 1;
}
