/**
 * Replies as bytes of the topic `measure-replies`: a stream-framed, unpacked Cap'n Proto `Reply` (reply.capnp).
 *
 * The encoder here and the one in WASM write identical bytes. The form is fixed to the byte: one segment, objects
 * in the order of their pointers, each padded with zeros to words, no gaps. All integers little endian.
 *
 *   at   bytes  what
 *   0    4      0: one segment
 *   4    4      W: words after this frame, so the message has 8 + 8 W bytes
 *   8    8      root pointer: 00 00 00 00 05 00 06 00 (distance 0, 5 data words, 6 pointers; 7 with a site)
 *   16   40     data section: fields at the `reply…Offset` of layout.ts, the rest zeros
 *   56   48     six pointers, each u32 distance << 2 | 1, u32 count << 3 | code; in this order:
 *               agentId (code 2, count = UTF-8 bytes + 1), replySrcAddr, replyDstAddr (code 2, count 16),
 *               replyMplsLabel (code 7, count = n words; all zeros when there are no labels),
 *               probeSrcAddr, probeDstAddr (code 2, count 16); with a site another one, as agentId's
 *   104  8 a    agent id, a NUL, zeros: a = ceil((bytes + 1) / 8)
 *        16     replySrcAddr; then 16 replyDstAddr
 *        8+8 n  only when n > 0: tag word u32 n << 2, u16 1, u16 0; then n Mpls of one word:
 *               u32 label, u8 exp, u8 bottom of stack (bit 0), u8 ttl, u8 0
 *        16     probeSrcAddr; then 16 probeDstAddr
 *        8 s    only with a site: replySite, as the agent id
 *
 * A message whose quote differs from what was sent has 6 data words and 8 pointers: replyQuotedSrcAddr is the last
 * object.
 *
 * An empty text has a pointer of zeros, and no bytes. A distance is counted in words from the end of its pointer to
 * the object. Example: agent id of 7 bytes, no labels, no site: W = 1 + 5 + 6 + 1 + 8 = 21, 176 bytes.
 */
import type { Address } from "../ip/address.ts";
import type { MplsLabel, Reply } from "../packet/reply.ts";
import { mplsLabelsMax, siteBytesMax } from "../packet/reply.ts";
import { readAddress, readText } from "./byte-lists.ts";
import * as at from "./layout.ts";
import { agentIdBytesMax } from "./limits.ts";
import { elementBit, MessageReader } from "./message-reader.ts";
import { MessageWriter, messageBytes, wordsFor } from "./message-writer.ts";
import { replyFields, type WireForm } from "./reply-fields.ts";
import type { WireReason } from "./wire-reason.ts";

/** `next` is the offset of the following message; after a broken frame, the end of the bytes. */
type ReplyResult =
  | { readonly ok: true; readonly reply: Reply; readonly next: number }
  | { readonly ok: false; readonly reason: WireReason; readonly next: number };

const utf8 = new TextEncoder();
/** Words of messages whose quote is as it was sent. */
const plainDataWords = at.replyReplyRewrittenOffset / 8;
const firstRewritten = replyFields.findIndex(({ name }) => name === "replyRewritten");
const plainFields = replyFields.slice(0, firstRewritten);
const rewrittenFields = replyFields.slice(firstRewritten);
const addressWords = 2;

/**
 * Encodes one reply in the form above.
 *
 * Numbers wrap at the width of their field; labels after the first `mplsLabelsMax` are left out. Throws
 * RangeError when the agent id has more than `agentIdBytesMax` bytes, or the site more than `siteBytesMax`.
 */
export function encodeReply(reply: Reply): Uint8Array {
  const textWords =
    textWordsOf("agent id", reply.agentId, agentIdBytesMax) +
    textWordsOf("site", reply.replySite, siteBytesMax);
  const labels = Math.min(reply.replyMplsLabels.length, mplsLabelsMax);
  const labelWords = labels === 0 ? 0 : 1 + labels * at.mplsDataWords;
  const isPlain = isAsSent(reply);
  const dataWords = isPlain ? plainDataWords : at.replyDataWords;
  const pointerWords = isPlain
    ? at.replyReplySitePointer + (reply.replySite === "" ? 0 : 1)
    : at.replyPointerWords;
  const listWords = textWords + labelWords + (isPlain ? 4 : 5) * addressWords;
  const message = new Uint8Array(messageBytes(dataWords, pointerWords, listWords));
  const writer = new MessageWriter();
  const view = new DataView(message.buffer, message.byteOffset, message.length);
  const all = { start: 0, size: message.length };
  writer.begin(message, view, all, dataWords, pointerWords);
  for (const { member, form, at: place } of isPlain ? plainFields : replyFields) {
    forms[form].write(writer, place, reply[member] as never);
  }
  return message;
}

function textWordsOf(what: string, text: string, bytesMax: number): number {
  const bytes = utf8.encode(text).length;
  if (bytes > bytesMax) {
    throw new RangeError(`Cannot encode a reply: ${what} has ${bytes} bytes of ${bytesMax}`);
  }
  return bytes === 0 ? 0 : wordsFor(bytes + 1);
}

function isAsSent(reply: Reply): boolean {
  return rewrittenFields.every(({ member }) => {
    const value = reply[member];
    return value instanceof Uint8Array ? value.every((byte) => byte === 0) : value === 0;
  });
}

/** How a field of each form is written and read, at its offset or pointer. */
const forms: Readonly<Record<WireForm, FormCodec>> = {
  u8: {
    write: (writer, offset, value: number) => writer.u8(offset, value),
    read: (reader, offset) => reader.u8(offset),
  },
  u16: {
    write: (writer, offset, value: number) => writer.u16(offset, value),
    read: (reader, offset) => reader.u16(offset),
  },
  u32: {
    write: (writer, offset, value: number) => writer.u32(offset, value),
    read: (reader, offset) => reader.u32(offset),
  },
  u64: {
    write: (writer, offset, value: bigint) => writer.u64(offset, value),
    read: (reader, offset) => reader.u64(offset),
  },
  text: {
    write: (writer, pointer, value: string) => {
      const bytes = utf8.encode(value);
      if (bytes.length > 0) {
        writer.byteList(pointer, bytes, bytes.length + 1);
      }
    },
    read: (reader, pointer) =>
      readText(reader, pointer, pointer === at.replyReplySitePointer ? siteBytesMax : agentIdBytesMax),
  },
  address: {
    write: (writer, pointer, value: Address) => writer.byteList(pointer, value),
    read: readAddress,
  },
  labels: { write: writeLabels, read: readLabels },
};

interface FormCodec {
  readonly write: (writer: MessageWriter, place: number, value: never) => void;
  readonly read: (reader: MessageReader, place: number) => Reply[keyof Reply];
}

function writeLabels(writer: MessageWriter, pointer: number, all: readonly MplsLabel[]): void {
  const labels = all.slice(0, mplsLabelsMax);
  if (labels.length === 0) {
    return;
  }
  let element = writer.compositeList(pointer, labels.length, at.mplsDataWords, at.mplsPointerWords);
  for (const { label, exp, bottomOfStack, ttl } of labels) {
    writer.elementU32(element, at.mplsLabelOffset, label);
    writer.elementU8(element, at.mplsExpOffset, exp);
    writer.elementU8(element, at.mplsSBitBit >> 3, bottomOfStack ? 1 << (at.mplsSBitBit & 7) : 0);
    writer.elementU8(element, at.mplsTtlOffset, ttl);
    element += 8 * (at.mplsDataWords + at.mplsPointerWords);
  }
}

/**
 * Decodes the reply that starts at `offset`, in any valid encoding; the bytes may lie at any alignment.
 *
 * Addresses of 4 bytes come out mapped, absent ones as `::`; labels after the first `mplsLabelsMax` are left out.
 * Never throws and keeps no reference to `bytes`.
 */
export function decodeReply(bytes: Uint8Array, offset = 0): ReplyResult {
  const reader = new MessageReader(bytes);
  reader.open(offset);
  const reply = readReply(reader);
  return reader.failure === null
    ? { ok: true, reply, next: reader.next }
    : { ok: false, reason: reader.failure, next: reader.next };
}

function readReply(reader: MessageReader): Reply {
  const values = replyFields.map(({ member, form, at: place }) => [member, forms[form].read(reader, place)]);
  // Each member has a field: a test compares replies with those that capnp-es reads.
  return Object.fromEntries(values) as unknown as Reply;
}

/** Lists of plain numbers or pointers are the forms that an older schema would give; lists of bits never are. */
function readLabels(reader: MessageReader, pointer: number): MplsLabel[] {
  reader.openList(pointer);
  if (reader.listElement === elementBit) {
    reader.fail("listElement");
    return [];
  }
  const labels: MplsLabel[] = [];
  const count = Math.min(reader.listCount, mplsLabelsMax);
  for (let i = 0; i < count; i++) {
    labels.push({
      label: reader.elementU32(i, at.mplsLabelOffset),
      exp: reader.elementU8(i, at.mplsExpOffset),
      bottomOfStack: (reader.elementU8(i, at.mplsSBitBit >> 3) & (1 << (at.mplsSBitBit & 7))) !== 0,
      ttl: reader.elementU8(i, at.mplsTtlOffset),
    });
  }
  return labels;
}
