/** A name server's answer to a DNS probe: tests/packet/dns-answer.ts, check for check. */
import {
  classChaos,
  dnsHeaderBytes,
  dnsPort,
  dnsTransportBytes,
  nameBytesOf,
  nsid,
  optionCookie,
  optionNsid,
  questionEndBytes,
  questionTag,
  questionTtl,
  readQuestion,
  storeDigits,
  typeOpt,
  typeTxt,
} from "./dns-query";
import {
  allBits,
  endAt,
  hasMoreFragments,
  ipv4,
  payloadAt,
  replyDst,
  replySrc,
  setProbe,
  setQuote,
  setQuoted,
  setTag,
  setTransport,
  setType,
  udp,
  wireEndAt,
} from "./raw-reply";
import { malformed, otherProtocol, otherType, readable, truncated } from "./refusal";

/** What of the tag the cookie holds. */
export const cookieTagMask: u64 = 0xffffffffffff;
/** A referral to the root has 40. */
const recordsMax: u32 = 64;
const optionsMax: u32 = 32;
/** A name has 255 bytes (RFC 1035 s.3.1), a label at least 2. */
const nameLabelsMax: i32 = 127;
/** As `siteBytesMax` of lib/net/packet/reply.ts: of text, and of bytes that are written in hexadecimal. */
const textBytesMax: usize = 128;
const binaryBytesMax: usize = 63;

/** Places in `siteFlaws` of tests/packet/site-flaw.ts. */
export const siteFlawNone: i32 = -1;
const siteFlawUnreadable: i32 = 0;
const siteFlawCut: i32 = 1;

/** Set by `readDnsAnswer` and `copySite`. */
export let siteFlaw: i32 = siteFlawNone;
let siteAt: usize = 0;
let siteBytes: usize = 0;
let nsidAt: usize = 0;
let nsidBytes: usize = 0;
let cookieAt: usize = 0;
let extendedCode: u32 = 0;

export function noSite(): void {
  siteFlaw = siteFlawNone;
  siteAt = 0;
  siteBytes = 0;
  nsidAt = 0;
  nsidBytes = 0;
  cookieAt = 0;
  extendedCode = 0;
}

export function readDnsAnswer(): i32 {
  const at = payloadAt;
  if (at + 8 > endAt) {
    return truncated;
  }
  if (bswap<u16>(load<u16>(at)) != dnsPort) {
    return otherProtocol;
  }
  const length = <usize>bswap<u16>(load<u16>(at, 4));
  if (length < 8 || (at + length > wireEndAt && !hasMoreFragments)) {
    return malformed;
  }
  const end = min<usize>(at + length, endAt);
  const dns = at + 8;
  if (dns + dnsHeaderBytes > end) {
    return end < at + length ? truncated : otherType;
  }
  // An answer (QR) to a query (opcode 0) with one question.
  const flags = <u32>bswap<u16>(load<u16>(dns, 2));
  if ((flags & 0xf800) != 0x8000 || load<u16>(dns, 4) != 0x0100) {
    return otherType;
  }
  const question = readQuestion(dns + dnsHeaderBytes, end);
  if (question < 0) {
    return end < at + length ? truncated : otherType;
  }
  if (question == 0 || questionTtl == 0) {
    return otherType;
  }
  readRecords(dns, end, <u32>question);
  const code = min<u32>((flags & 0xf) | (extendedCode << 4), 127) | ((flags & 0x200) == 0 ? 0 : 128);
  setAnswer(<u32>question, code);
  return readable;
}

function setAnswer(question: u32, code: u32): void {
  const at = payloadAt;
  setType(0, code);
  setProbe(replyDst, replySrc, 0, (ipv4 ? 20 : 0) + dnsTransportBytes(question), 0, udp);
  setQuote(0, 0, 0);
  setQuoted(0, 0);
  const timeCode = bswap<u16>(load<u16>(at, 8));
  setTransport(bswap<u16>(load<u16>(at, 2)), dnsPort, <i32>questionTtl, timeCode);
  if (question == nsid) {
    setTag(allBits, questionTag, false);
  } else if (cookieAt != 0) {
    setTag(cookieTagMask, load<u64>(cookieAt) >> 16, false);
  } else {
    setTag(0, 0, true);
  }
  if (siteBytes == 0) {
    siteAt = nsidAt;
    siteBytes = nsidBytes;
  }
}

function readRecords(dns: usize, end: usize, question: u32): void {
  const answers = <u32>bswap<u16>(load<u16>(dns, 6));
  const ahead = answers + bswap<u16>(load<u16>(dns, 8));
  const count = ahead + bswap<u16>(load<u16>(dns, 10));
  let at = dns + dnsHeaderBytes + nameBytesOf(question) + questionEndBytes;
  let hasOpt = false;
  for (let i: u32 = 0; i < count; i++) {
    const head = i < recordsMax ? skipName(at, end) : 0;
    if (head == 0 || head + 10 > end) {
      siteFlaw = siteFlawUnreadable;
      return;
    }
    const type = <u32>bswap<u16>(load<u16>(head));
    const data = head + 10;
    const next = data + bswap<u16>(load<u16>(head, 8));
    if (next > end) {
      siteFlaw = siteFlawUnreadable;
      return;
    }
    const isText = type == typeTxt && bswap<u16>(load<u16>(head, 2)) == classChaos;
    if (i < answers && isText && question != nsid && siteBytes == 0) {
      readText(data, next);
    } else if (i >= ahead && type == typeOpt && !hasOpt) {
      hasOpt = true;
      extendedCode = load<u8>(head, 4);
      readOptions(data, next);
    }
    at = next;
  }
}

/** Where the name ends; 0 = it does not, or has a label of an unknown kind. */
function skipName(first: usize, end: usize): usize {
  let at = first;
  for (let labels = 0; at < end && labels <= nameLabelsMax; labels++) {
    const length = <usize>load<u8>(at);
    if (length >= 0xc0) {
      return at + 2;
    }
    if (length == 0) {
      return at + 1;
    }
    if (length > 63) {
      return 0;
    }
    at += 1 + length;
  }
  return 0;
}

/** The first of the record's texts. */
function readText(at: usize, end: usize): void {
  const length = at < end ? <usize>load<u8>(at) : 0;
  if (at >= end || at + 1 + length > end) {
    siteFlaw = siteFlawUnreadable;
    return;
  }
  siteAt = at + 1;
  siteBytes = length;
}

function readOptions(first: usize, end: usize): void {
  let at = first;
  for (let options: u32 = 0; at + 4 <= end && options < optionsMax; options++) {
    const code = <u32>bswap<u16>(load<u16>(at));
    const length = <usize>bswap<u16>(load<u16>(at, 2));
    const body = at + 4;
    if (body + length > end) {
      break;
    }
    if (code == optionNsid && nsidBytes == 0) {
      nsidAt = body;
      nsidBytes = length;
    } else if (code == optionCookie && length >= 8 && cookieAt == 0) {
      cookieAt = body;
    }
    at = body + length;
  }
  if (at != end) {
    siteFlaw = siteFlawUnreadable;
  }
}

export function hasSite(): bool {
  return siteBytes != 0;
}

/** Writes the site's name as printable ASCII, or `0x` and hexadecimal digits; returns its bytes. */
export function copySite(to: usize): usize {
  let isText = true;
  for (let i: usize = 0; i < siteBytes; i++) {
    const byte = load<u8>(siteAt + i);
    isText = isText && byte >= 0x20 && byte <= 0x7e;
  }
  const count = min<usize>(siteBytes, isText ? textBytesMax : binaryBytesMax);
  if (count < siteBytes) {
    siteFlaw = siteFlawCut;
  }
  if (isText) {
    memory.copy(to, siteAt, count);
    return count;
  }
  store<u16>(to, 0x7830);
  for (let i: usize = 0; i < count; i++) {
    storeDigits(to + 2 + 2 * i, <u32>load<u8>(siteAt + i));
  }
  return 2 + 2 * count;
}
