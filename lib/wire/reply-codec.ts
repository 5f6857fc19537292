/**
 * Replies as bytes of the topic `measure-replies`: a stream-framed, unpacked Cap'n Proto `Reply` (reply.capnp).
 *
 * The encoder here and the one in WASM write identical bytes. The form is fixed to the byte: one segment, objects
 * in the order of their pointers, each padded with zeros to words, no gaps. All integers little endian.
 *
 *   at   bytes  what
 *   0    4      0: one segment
 *   4    4      W: words after this frame, so the message has 8 + 8 W bytes
 *   8    8      root pointer: 00 00 00 00 04 00 06 00 (distance 0, 4 data words, 6 pointers)
 *   16   32     data section: fields at the `reply…Offset` of layout.ts, the rest zeros
 *   48   48     six pointers, each u32 distance << 2 | 1, u32 count << 3 | code; in this order:
 *               agentId (code 2, count = UTF-8 bytes + 1), replySrcAddr, replyDstAddr (code 2, count 16),
 *               replyMplsLabel (code 7, count = n words; all zeros when there are no labels),
 *               probeSrcAddr, probeDstAddr (code 2, count 16)
 *   96   8 a    agent id, a NUL, zeros: a = ceil((bytes + 1) / 8), also for an empty id
 *        16     replySrcAddr; then 16 replyDstAddr
 *        8+8 n  only when n > 0: tag word u32 n << 2, u16 1, u16 0; then n Mpls of one word:
 *               u32 label, u8 exp, u8 bottom of stack (bit 0), u8 ttl, u8 0
 *        16     probeSrcAddr; then 16 probeDstAddr
 *
 * A distance is counted in words from the end of its pointer to the object. Example: agent id of 7 bytes, no
 * labels: W = 1 + 4 + 6 + 1 + 8 = 20, 168 bytes.
 */
import type { MplsLabel, Reply } from "../packet/reply.ts";
import { mplsLabelsMax } from "../packet/reply.ts";
import { readAddress, readText } from "./byte-lists.ts";
import * as at from "./layout.ts";
import { agentIdBytesMax } from "./limits.ts";
import { elementBit, MessageReader } from "./message-reader.ts";
import { MessageWriter, messageBytes, wordsFor } from "./message-writer.ts";
import type { WireReason } from "./wire-reason.ts";

/** `next` is the offset of the following message; after a broken frame, the end of the bytes. */
type ReplyResult =
  | { readonly ok: true; readonly reply: Reply; readonly next: number }
  | { readonly ok: false; readonly reason: WireReason; readonly next: number };

const utf8 = new TextEncoder();
const addressWords = 2;

/**
 * Encodes one reply in the form above.
 *
 * Numbers wrap at the width of their field; labels after the first `mplsLabelsMax` are left out. Throws
 * RangeError when the agent id has more than `agentIdBytesMax` bytes.
 */
export function encodeReply(reply: Reply): Uint8Array {
  const agentId = utf8.encode(reply.agentId);
  if (agentId.length > agentIdBytesMax) {
    throw new RangeError(`Cannot encode a reply: agent id has ${agentId.length} bytes of ${agentIdBytesMax}`);
  }
  const labels = reply.replyMplsLabels.slice(0, mplsLabelsMax);
  const labelWords = labels.length === 0 ? 0 : 1 + labels.length * at.mplsDataWords;
  const listWords = wordsFor(agentId.length + 1) + labelWords + 4 * addressWords;
  const message = new Uint8Array(messageBytes(at.replyDataWords, at.replyPointerWords, listWords));
  const writer = new MessageWriter(message, at.replyDataWords, at.replyPointerWords);
  writeData(writer, reply);
  writer.byteList(at.replyAgentIdPointer, agentId, agentId.length + 1);
  writer.byteList(at.replyReplySrcAddrPointer, reply.replySrcAddr);
  writer.byteList(at.replyReplyDstAddrPointer, reply.replyDstAddr);
  writeLabels(writer, labels);
  writer.byteList(at.replyProbeSrcAddrPointer, reply.probeSrcAddr);
  writer.byteList(at.replyProbeDstAddrPointer, reply.probeDstAddr);
  return message;
}

function writeData(writer: MessageWriter, reply: Reply): void {
  writer.u64(at.replyTimeReceivedNsOffset, reply.timeReceivedNs);
  writer.u16(at.replyReplyIdOffset, reply.replyId);
  writer.u16(at.replyReplySizeOffset, reply.replySize);
  writer.u8(at.replyReplyTtlOffset, reply.replyTtl);
  writer.u8(at.replyReplyQuotedTtlOffset, reply.replyQuotedTtl);
  writer.u8(at.replyReplyProtocolOffset, reply.replyProtocol);
  writer.u8(at.replyReplyIcmpTypeOffset, reply.replyIcmpType);
  writer.u8(at.replyReplyIcmpCodeOffset, reply.replyIcmpCode);
  writer.u16(at.replyProbeIdOffset, reply.probeId);
  writer.u16(at.replyProbeSizeOffset, reply.probeSize);
  writer.u8(at.replyProbeTtlOffset, reply.probeTtl);
  writer.u8(at.replyProbeProtocolOffset, reply.probeProtocol);
  writer.u16(at.replyProbeSrcPortOffset, reply.probeSrcPort);
  writer.u16(at.replyProbeDstPortOffset, reply.probeDstPort);
  writer.u16(at.replyRttOffset, reply.rttTenthMs);
}

function writeLabels(writer: MessageWriter, labels: readonly MplsLabel[]): void {
  if (labels.length === 0) {
    return;
  }
  const pointer = at.replyReplyMplsLabelPointer;
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
  return {
    timeReceivedNs: reader.u64(at.replyTimeReceivedNsOffset),
    agentId: readText(reader, at.replyAgentIdPointer, agentIdBytesMax),
    replySrcAddr: readAddress(reader, at.replyReplySrcAddrPointer),
    replyDstAddr: readAddress(reader, at.replyReplyDstAddrPointer),
    replyId: reader.u16(at.replyReplyIdOffset),
    replySize: reader.u16(at.replyReplySizeOffset),
    replyTtl: reader.u8(at.replyReplyTtlOffset),
    replyQuotedTtl: reader.u8(at.replyReplyQuotedTtlOffset),
    replyProtocol: reader.u8(at.replyReplyProtocolOffset),
    replyIcmpType: reader.u8(at.replyReplyIcmpTypeOffset),
    replyIcmpCode: reader.u8(at.replyReplyIcmpCodeOffset),
    replyMplsLabels: readLabels(reader),
    probeSrcAddr: readAddress(reader, at.replyProbeSrcAddrPointer),
    probeDstAddr: readAddress(reader, at.replyProbeDstAddrPointer),
    probeId: reader.u16(at.replyProbeIdOffset),
    probeSize: reader.u16(at.replyProbeSizeOffset),
    probeTtl: reader.u8(at.replyProbeTtlOffset),
    probeProtocol: reader.u8(at.replyProbeProtocolOffset),
    probeSrcPort: reader.u16(at.replyProbeSrcPortOffset),
    probeDstPort: reader.u16(at.replyProbeDstPortOffset),
    rttTenthMs: reader.u16(at.replyRttOffset),
  };
}

/** Lists of plain numbers or pointers are the forms that an older schema would give; lists of bits never are. */
function readLabels(reader: MessageReader): MplsLabel[] {
  reader.openList(at.replyReplyMplsLabelPointer);
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
