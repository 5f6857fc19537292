/**
 * Writes the parsed reply as a Cap'n Proto message: the bytes of `encodeReply` in lib/net/wire/reply-codec.ts.
 *
 *     frame 8 | root pointer 8 | data | pointers | agent id | reply source | reply destination | labels |
 *     probe source | probe destination | site | quoted source
 *
 * Data and pointers are shorter where there is no site and the quote is as it was sent.
 */
import {
  mplsDataWords,
  mplsExpOffset,
  mplsLabelOffset,
  mplsSBitBit,
  mplsTtlOffset,
  replyAgentIdPointer,
  replyDataWords,
  replyPointerWords,
  replyProbeDstAddrPointer,
  replyProbeDstPortOffset,
  replyProbeIdOffset,
  replyProbeProtocolOffset,
  replyProbeSizeOffset,
  replyProbeSrcAddrPointer,
  replyProbeSrcPortOffset,
  replyProbeTtlOffset,
  replyReplyChecksumDeltaOffset,
  replyReplyDstAddrPointer,
  replyReplyIcmpCodeOffset,
  replyReplyIcmpTypeOffset,
  replyReplyIdOffset,
  replyReplyMplsLabelPointer,
  replyReplyNextHopMtuOffset,
  replyReplyProtocolOffset,
  replyReplyQuotedFlowLabelOffset,
  replyReplyQuotedSrcAddrPointer,
  replyReplyQuotedSrcPortOffset,
  replyReplyQuotedTrafficClassOffset,
  replyReplyQuotedTtlOffset,
  replyReplyRewrittenOffset,
  replyReplySitePointer,
  replyReplySizeOffset,
  replyReplySrcAddrPointer,
  replyReplyTtlOffset,
  replyRttOffset,
  replyTimeReceivedNsOffset,
} from "../../../lib/net/wire/layout";
import { agentIdAt, agentIdLengthAt } from "../memory-layout";
import { copySite, hasSite } from "./dns-answer";
import { copyLabels, labelsMax } from "./extensions";
import * as raw from "./raw-reply";
import { mappedHigh } from "./tag";

const dataAt: usize = 16;
/** Data and pointers end here unless the quote has been rewritten. */
const plainPointersAt: usize = dataAt + replyReplyRewrittenOffset;
const wholePointersAt: usize = dataAt + replyDataWords * 8;
/** Kind 1 (list), element sizes of the encoding: 2 = byte, 7 = struct with a tag word. */
const list: u64 = 1;
const elementByte: u64 = 2;
const elementStruct: u64 = 7;
const labelWords: usize = mplsDataWords;

/** Where the pointers of the message start. */
let pointersAt: usize = 0;

/** Writes the message to `at`; returns its length in bytes, a multiple of 8. */
export function encodeReply(at: usize, timeReceivedNs: u64, rttTenthMs: u32): usize {
  const isPlain = raw.replyRewritten == 0;
  const data = at + dataAt;
  const pointers: usize = !isPlain
    ? replyPointerWords
    : hasSite()
      ? replyReplySitePointer + 1
      : replyReplySitePointer;
  pointersAt = isPlain ? plainPointersAt : wholePointersAt;
  const objectsAt: usize = pointersAt + pointers * 8;
  memory.fill(data, 0, objectsAt - dataAt);
  const dataWords: u64 = (pointersAt - dataAt) / 8;
  store<u64>(at, (dataWords << 32) | ((<u64>pointers) << 48), 8);
  store<u64>(data + replyTimeReceivedNsOffset, timeReceivedNs);
  store<u16>(data + replyReplyIdOffset, <u16>raw.replyId);
  store<u16>(data + replyReplySizeOffset, <u16>raw.replySize);
  store<u8>(data + replyReplyTtlOffset, <u8>raw.replyTtl);
  store<u8>(data + replyReplyQuotedTtlOffset, <u8>raw.replyQuotedTtl);
  store<u8>(data + replyReplyProtocolOffset, <u8>raw.replyProtocol);
  store<u8>(data + replyReplyIcmpTypeOffset, <u8>raw.replyIcmpType);
  store<u8>(data + replyReplyIcmpCodeOffset, <u8>raw.replyIcmpCode);
  store<u16>(data + replyProbeIdOffset, <u16>raw.probeId);
  store<u16>(data + replyProbeSizeOffset, <u16>raw.probeSize);
  store<u8>(data + replyProbeTtlOffset, <u8>raw.probeTtl);
  store<u8>(data + replyProbeProtocolOffset, <u8>raw.probeProtocol);
  store<u16>(data + replyProbeSrcPortOffset, <u16>raw.probeSrcPort);
  store<u16>(data + replyProbeDstPortOffset, <u16>raw.probeDstPort);
  store<u16>(data + replyRttOffset, <u16>rttTenthMs);
  store<u8>(data + replyReplyQuotedTrafficClassOffset, <u8>raw.replyQuotedTrafficClass);
  store<u16>(data + replyReplyNextHopMtuOffset, <u16>raw.replyNextHopMtu);
  store<u32>(data + replyReplyQuotedFlowLabelOffset, raw.replyQuotedFlowLabel);
  let next = putAgentId(at, at + objectsAt);
  next = putAddress(at, replyReplySrcAddrPointer, next, raw.replySrc);
  next = putAddress(at, replyReplyDstAddrPointer, next, raw.replyDst);
  next = putLabels(at, next);
  next = putAddress(at, replyProbeSrcAddrPointer, next, raw.probeSrc);
  next = putAddress(at, replyProbeDstAddrPointer, next, raw.probeDst);
  if (hasSite()) {
    next = putSite(at, next);
  }
  if (!isPlain) {
    next = putRewritten(at, next);
  }
  store<u32>(at, 0);
  store<u32>(at, <u32>((next - at - 8) / 8), 4);
  return next - at;
}

function putRewritten(message: usize, at: usize): usize {
  const data = message + dataAt;
  store<u8>(data + replyReplyRewrittenOffset, <u8>raw.replyRewritten);
  store<u16>(data + replyReplyQuotedSrcPortOffset, <u16>raw.replyQuotedSrcPort);
  store<u16>(data + replyReplyChecksumDeltaOffset, <u16>raw.replyChecksumDelta);
  if (raw.replyQuotedSrc != 0) {
    return putAddress(message, replyReplyQuotedSrcAddrPointer, at, raw.replyQuotedSrc);
  }
  store<u64>(at, 0);
  store<u64>(at, 0, 8);
  putPointer(message, replyReplyQuotedSrcAddrPointer, at, elementByte, 16);
  return at + 16;
}

function putPointer(message: usize, index: usize, target: usize, element: u64, count: u64): void {
  const pointer = message + pointersAt + index * 8;
  const offsetWords = <u64>((target - pointer) / 8) - 1;
  store<u64>(pointer, list | (offsetWords << 2) | (element << 32) | (count << 35));
}

/** Text: NUL-terminated, the NUL counted, padded with zeros to words; an empty one is a pointer of zeros. */
function putText(message: usize, index: usize, at: usize, length: usize): usize {
  if (length == 0) {
    return at;
  }
  const padded = (length + 8) & ~7;
  // Only up to the word's end: the text lies there already.
  memory.fill(at + length, 0, padded - length);
  putPointer(message, index, at, elementByte, length + 1);
  return at + padded;
}

function putAgentId(message: usize, at: usize): usize {
  const length = <usize>load<u32>(agentIdLengthAt);
  memory.copy(at, agentIdAt, length);
  return putText(message, replyAgentIdPointer, at, length);
}

function putSite(message: usize, at: usize): usize {
  return putText(message, replyReplySitePointer, at, copySite(at));
}

function putAddress(message: usize, index: usize, at: usize, address: usize): usize {
  if (raw.ipv4) {
    store<u64>(at, 0);
    store<u64>(at, mappedHigh(address), 8);
  } else {
    store<u64>(at, load<u64>(address));
    store<u64>(at, load<u64>(address, 8), 8);
  }
  putPointer(message, index, at, elementByte, 16);
  return at + 16;
}

/** A stack entry: label 20 bits | exp 3 | bottom of stack 1 | ttl 8, big-endian (RFC 3032 s.2.1). */
function putLabels(message: usize, at: usize): usize {
  // The entries are first copied to where the last elements will be, and spread from there, front to back.
  const elements = at + 8;
  const spread = elements + <usize>labelsMax * labelWords * 8;
  const count = <usize>copyLabels(spread);
  if (count == 0) {
    return at;
  }
  store<u64>(at, ((<u64>count) << 2) | ((<u64>labelWords) << 32));
  for (let i: usize = 0; i < count; i++) {
    const entry = bswap<u32>(load<u32>(spread + i * 4));
    const element = elements + i * labelWords * 8;
    store<u64>(element, 0);
    store<u32>(element + mplsLabelOffset, entry >> 12);
    store<u8>(element + mplsExpOffset, <u8>((entry >> 9) & 7));
    const sBit = element + mplsSBitBit / 8;
    store<u8>(sBit, load<u8>(sBit) | <u8>(((entry >> 8) & 1) << (mplsSBitBit % 8)));
    store<u8>(element + mplsTtlOffset, <u8>entry);
  }
  putPointer(message, replyReplyMplsLabelPointer, at, elementStruct, count * labelWords);
  return elements + count * labelWords * 8;
}
