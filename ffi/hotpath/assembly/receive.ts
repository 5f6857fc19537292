/** From captured packets to Reply messages, in one pass over a pcap savefile in memory. */
import {
  counterBadChecksum,
  counterForeign,
  counterFrames,
  counterLabelLosses,
  counterMatch,
  counterMismatch,
  counterSiteFlaws,
  counterStale,
  countersAt,
  counterTcpUnproven,
  counterUntagged,
  integrityCheckAt,
  repliesAt,
  repliesBytes,
  replyHeaderBytes,
  replyKeyOffset,
  replyMeasurementOffset,
  replyMessageBytesOffset,
  replyRecordBytesMax,
  replySentTickOffset,
  replyTagMaskOffset,
  replyTagValueOffset,
  sourceBytes,
  sourceCountAt,
  sourcesAt,
} from "../memory-layout";
import { readAnswer } from "./answer";
import { isIcmpChecksumWrong } from "./checksum";
import { noSite, siteFlaw, siteFlawNone } from "./dns-answer";
import { encodeReply } from "./encode";
import { labelLoss, lossNone, noExtension } from "./extensions";
import {
  matchElsewhere,
  matchNone,
  matchStale,
  matchTag,
  matchTcpUnproven,
  matchUntagged,
  sentTick,
} from "./match";
import { readOuter } from "./outer";
import {
  ipv4,
  probeSrc,
  quotedTransportAt,
  replyDst,
  replyIcmpType,
  replyProtocol,
  setSentSource,
  tagMask,
  tagValue,
} from "./raw-reply";
import { readable } from "./refusal";
import { matchAsSent, noteRewritten } from "./rewritten";
import { mappedHigh } from "./tag";

const recordHeaderBytes: usize = 16;
const nsPerTick: u64 = 100000;
const rttUnknown: u32 = 65535;
const measurementUnknown: u32 = 0xffffffff;

/** Where the replies of the last `receive` end, from the start of memory. */
export let repliesEnd: usize = repliesAt;

/**
 * Reads pcap records (seconds u32 | fraction u32 | captured u32 | length u32 | bytes) from `from` to `to` and
 * writes replies from `repliesAt` on. Stops at a cut record, or when the replies' room is used up; returns where it
 * stopped. `fractionNs` is 1 or 1000: the unit of the fraction.
 */
export function receive(from: usize, to: usize, linkType: u32, fractionNs: u32): usize {
  let at = from;
  repliesEnd = repliesAt;
  const limit: usize = repliesAt + repliesBytes - replyRecordBytesMax;
  while (at + recordHeaderBytes <= to && repliesEnd <= limit) {
    const frame = at + recordHeaderBytes;
    const end = frame + <usize>load<u32>(at, 8);
    if (end > to || end < frame) {
      break;
    }
    const timeNs = <u64>load<u32>(at) * 1000000000 + <u64>load<u32>(at, 4) * fractionNs;
    receiveFrame(frame, end, linkType, timeNs);
    at = end;
  }
  return at;
}

function receiveFrame(frame: usize, end: usize, linkType: u32, timeNs: u64): void {
  increment(counterFrames);
  noExtension();
  noSite();
  let refusal = readOuter(frame, end, linkType);
  if (refusal == readable) {
    refusal = readAnswer();
  }
  if (refusal != readable) {
    increment(refusal);
    return;
  }
  const isQuote = quotedTransportAt != 0;
  if (!isOurs(probeSrc)) {
    if (!isQuote || !isOurs(replyDst)) {
      increment(counterForeign);
      return;
    }
    setSentSource();
  }
  const receivedTick = <i64>(timeNs / nsPerTick);
  let key = matchTag(receivedTick);
  if (key < 0) {
    key = isQuote
      ? matchAsSent(receivedTick, key)
      : key == matchNone && isEchoReply()
        ? matchElsewhere()
        : key;
  }
  if (key >= 0 && isQuote) {
    noteRewritten();
  }
  increment(counterOf(key));
  if (key < 0 && !isKeptUnproven(key)) {
    return;
  }
  const rtt = key < 0 ? rttUnknown : <u32>(receivedTick - sentTick);
  putRecord(max(key, matchNone), encodeReply(repliesEnd + replyHeaderBytes, timeNs, rtt));
  countFlaws();
}

function isIcmp(): bool {
  return replyProtocol == (ipv4 ? <u32>1 : <u32>58);
}

function isEchoReply(): bool {
  return isIcmp() && replyIcmpType == (ipv4 ? <u32>0 : <u32>129);
}

/** Counts flaws of a kept reply. */
function countFlaws(): void {
  if (isIcmp() && isIcmpChecksumWrong()) {
    increment(counterBadChecksum);
  }
  if (labelLoss != lossNone) {
    increment(counterLabelLosses + labelLoss);
  }
  if (siteFlaw != siteFlawNone) {
    increment(counterSiteFlaws + siteFlaw);
  }
}

function counterOf(key: i32): i32 {
  switch (key) {
    case matchStale:
      return counterStale;
    case matchNone:
      return counterMismatch;
    case matchUntagged:
      return counterUntagged;
    case matchTcpUnproven:
      return counterTcpUnproven;
    default:
      return counterMatch;
  }
}

/** Without the integrity check, unproven ICMP is kept, but never late answers, TCP and DNS. */
function isKeptUnproven(key: i32): bool {
  return key != matchStale && isIcmp() && load<u32>(integrityCheckAt) == 0;
}

function putRecord(key: i32, messageBytes: usize): void {
  const at = repliesEnd;
  const bytes: usize = replyHeaderBytes + <i32>messageBytes;
  store<u32>(at, <u32>bytes);
  store<i32>(at + replyKeyOffset, key);
  store<i64>(at + replySentTickOffset, key < 0 ? 0 : sentTick);
  store<u64>(at + replyTagMaskOffset, tagMask);
  store<u64>(at + replyTagValueOffset, tagValue);
  store<u32>(at + replyMeasurementOffset, measurementUnknown);
  store<u32>(at + replyMessageBytesOffset, <u32>messageBytes);
  repliesEnd = at + bytes;
}

function isOurs(address: usize): bool {
  const high: u64 = ipv4 ? 0 : load<u64>(address);
  const low: u64 = ipv4 ? mappedHigh(address) : load<u64>(address, 8);
  const count = load<u32>(sourceCountAt);
  for (let i: u32 = 0; i < count; i++) {
    const at: usize = sourcesAt + i * sourceBytes;
    // An IPv4 prefix fixes the first 12 bytes, so `::/0` holds no IPv4 address.
    if (ipv4 && load<u64>(at, 16) != 0xffffffffffffffff) {
      continue;
    }
    if ((high & load<u64>(at, 16)) == load<u64>(at) && (low & load<u64>(at, 24)) == load<u64>(at, 8)) {
      return true;
    }
  }
  return false;
}

function increment(counter: i32): void {
  const at: usize = countersAt + counter * 8;
  store<u64>(at, load<u64>(at) + 1);
}
