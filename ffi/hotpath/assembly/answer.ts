/** From an IP payload to the probe behind it: tests/packet/read.ts and icmp-error.ts, check for check. */
import { cookieTagMask, readDnsAnswer } from "./dns-answer";
import {
  cookieAtOf,
  dnsHeaderBytes,
  dnsPort,
  isQueryHeader,
  isQueryLength,
  nsid,
  questionTag,
  questionTtl,
  readQuestion,
} from "./dns-query";
import { extensionAt, findExtension } from "./extensions";
import {
  allBits,
  endAt,
  ipv4,
  payloadAt,
  probeTtl,
  replyDst,
  replyProtocol,
  replySize,
  replySrc,
  setOtherId,
  setProbe,
  setQuote,
  setQuoted,
  setTag,
  setTransport,
  setType,
  tcp,
  ttlMax,
  udp,
  wireEndAt,
} from "./raw-reply";
import {
  malformed,
  otherProtocol,
  otherType,
  quoteOther,
  quoteTruncated,
  readable,
  truncated,
} from "./refusal";

/** Reads the payload that `readOuter` found; returns `readable` or a refusal. */
export function readAnswer(): i32 {
  if (replyProtocol != icmpNumber() && replyProtocol != tcp && replyProtocol != udp) {
    return otherProtocol;
  }
  if (payloadAt > wireEndAt) {
    return malformed;
  }
  return replyProtocol == tcp ? readTcpAnswer() : replyProtocol == udp ? readDnsAnswer() : readIcmp();
}

function icmpNumber(): u32 {
  return ipv4 ? 1 : 58;
}

function readIcmp(): i32 {
  if (payloadAt + 8 > endAt) {
    return truncated;
  }
  const type = <u32>load<u8>(payloadAt);
  return type == (ipv4 ? <u32>0 : <u32>129) ? readEchoReply() : readIcmpError(type);
}

function readEchoReply(): i32 {
  const at = payloadAt;
  const length = <i32>(wireEndAt - at) - 18;
  if (length < 1) {
    return otherType;
  }
  if (at + (length > ttlMax ? 19 : 18) > endAt) {
    return truncated;
  }
  const ttl = length > ttlMax ? <i32>load<u8>(at, 18) : length;
  if (ttl == 0) {
    return otherType;
  }
  setType(load<u8>(at), load<u8>(at, 1));
  setProbe(replyDst, replySrc, 0, replySize, 0, replyProtocol);
  setQuote(0, 0, 0);
  setQuoted(0, 0);
  setTransport(bswap<u16>(load<u16>(at, 4)), 0, ttl, bswap<u16>(load<u16>(at, 6)));
  setTag(allBits, load<u64>(at, 10), false);
  return readable;
}

function readTcpAnswer(): i32 {
  const at = payloadAt;
  if (at + 20 > endAt) {
    return truncated;
  }
  const flags = <u32>load<u8>(at, 13);
  if ((flags & 0x17) != 0x12 && (flags & 0x16) != 0x14) {
    return otherType;
  }
  const sequence = bswap<u32>(load<u32>(at, 8)) - 1;
  const ttl = (sequence >> 8) & 0xff;
  if (ttl == 0) {
    return otherType;
  }
  setType(0, flags);
  setProbe(replyDst, replySrc, 0, ipv4 ? 40 : 20, 0, tcp);
  setQuote(0, 0, 0);
  setQuoted(0, 0);
  setTransport(bswap<u16>(load<u16>(at, 2)), bswap<u16>(load<u16>(at)), ttl, sequence >> 16);
  setTag(0xff0000, (<u64>(sequence & 0xff)) << 16, true);
  return readable;
}

function isErrorType(type: u32): bool {
  return ipv4 ? type == 3 || type == 4 || type == 11 || type == 12 : type >= 1 && type <= 4;
}

/** 16 bits of fragmentation needed (RFC 1191 s.4), 32 of packet too big (RFC 4443 s.3.2): 65535 is the most kept. */
function nextHopMtu(type: u32): u32 {
  const code = load<u8>(payloadAt, 1);
  if (ipv4) {
    return type == 3 && code == 4 ? bswap<u16>(load<u16>(payloadAt, 6)) : 0;
  }
  return type == 2 ? min<u32>(bswap<u32>(load<u32>(payloadAt, 4)), 0xffff) : 0;
}

function readIcmpError(type: u32): i32 {
  if (!isErrorType(type)) {
    return otherType;
  }
  setType(type, load<u8>(payloadAt, 1));
  findExtension(type);
  const quote = payloadAt + 8;
  const quoteEnd = extensionAt == 0 ? endAt : min<usize>(extensionAt, endAt);
  const mtu = nextHopMtu(type);
  const transport = ipv4 ? readQuotedIpv4(quote, quoteEnd, mtu) : readQuotedIpv6(quote, quoteEnd, mtu);
  if (transport != readable) {
    return transport;
  }
  if (transportAt + 8 > quoteEnd) {
    return quoteTruncated;
  }
  setQuoted(transportAt, quoteEnd);
  if (!readQuotedTransport(quoteEnd) || probeTtl < 1 || probeTtl > 255) {
    return quoteOther;
  }
  return readable;
}

/** Set by `readQuotedIpv4` and `readQuotedIpv6`. */
let transportAt: usize = 0;
let transportBytes: i32 = 0;
let transportProtocol: u32 = 0;
let quotedId: u32 = 0;

function readQuotedIpv4(at: usize, end: usize, mtu: u32): i32 {
  if (at + 20 > end) {
    return quoteTruncated;
  }
  const first = load<u8>(at);
  const headerBytes = <usize>(first & 0xf) * 4;
  if (first >> 4 != 4 || headerBytes < 20 || (bswap<u16>(load<u16>(at, 6)) & 0x1fff) != 0) {
    return quoteOther;
  }
  const size = <u32>bswap<u16>(load<u16>(at, 2));
  quotedId = load<u16>(at, 4);
  transportProtocol = load<u8>(at, 9);
  transportAt = at + headerBytes;
  transportBytes = <i32>size - <i32>headerBytes;
  setProbe(at + 12, at + 16, bswap<u16>(<u16>quotedId), size, load<u8>(at, 8), transportProtocol);
  setQuote(load<u8>(at, 1), 0, mtu);
  return readable;
}

function readQuotedIpv6(at: usize, end: usize, mtu: u32): i32 {
  if (at + 40 > end) {
    return quoteTruncated;
  }
  if (load<u8>(at) >> 4 != 6) {
    return quoteOther;
  }
  const size = <u32>bswap<u16>(load<u16>(at, 4));
  quotedId = 0;
  transportProtocol = load<u8>(at, 6);
  transportAt = at + 40;
  transportBytes = <i32>size;
  setProbe(at + 8, at + 24, 0, size, load<u8>(at, 7), transportProtocol);
  const first = bswap<u32>(load<u32>(at));
  setQuote((first >> 20) & 0xff, first & 0xfffff, mtu);
  return readable;
}

function readQuotedTransport(end: usize): bool {
  const at = transportAt;
  if (transportProtocol == udp && isQuotedQuery(end)) {
    return readQuotedQuery(end);
  }
  if (transportProtocol == udp) {
    const length = <i32>bswap<u16>(load<u16>(at, 4)) - 18;
    const ttl = quotedTtlOf(length, end);
    setTransport(bswap<u16>(load<u16>(at)), bswap<u16>(load<u16>(at, 2)), ttl, bswap<u16>(load<u16>(at, 6)));
    setPayloadTag(length, end);
    return true;
  }
  if (transportProtocol == icmpNumber()) {
    if (load<u8>(at) != (ipv4 ? 8 : 128)) {
      return false;
    }
    const length = transportBytes - 18;
    const ttl = quotedTtlOf(length, end);
    setTransport(bswap<u16>(load<u16>(at, 4)), 0, ttl, bswap<u16>(load<u16>(at, 6)));
    setPayloadTag(length, end);
    return true;
  }
  if (transportProtocol != tcp) {
    return false;
  }
  const sequence = bswap<u32>(load<u32>(at, 4));
  const ttl = <i32>((sequence >> 8) & 0xff);
  setTransport(bswap<u16>(load<u16>(at)), bswap<u16>(load<u16>(at, 2)), ttl, sequence >> 16);
  setTag(idMask() | 0xff0000, <u64>quotedId | ((<u64>(sequence & 0xff)) << 16), true);
  return true;
}

/**
 * UDP to port 53 that begins as a query of ours; where the quote ends before, that is as long. A probe without a
 * question has such a length with a TTL of 44, 48 or 62, beyond any path.
 */
function isQuotedQuery(end: usize): bool {
  const at = transportAt;
  if (bswap<u16>(load<u16>(at, 2)) != dnsPort) {
    return false;
  }
  const query = at + 8;
  return query + dnsHeaderBytes <= end ? isQueryHeader(query) : isQueryLength(bswap<u16>(load<u16>(at, 4)));
}

function readQuotedQuery(end: usize): bool {
  const at = transportAt;
  const query = at + 8;
  const question = readQuestion(query + dnsHeaderBytes, end);
  if (question == 0) {
    return false;
  }
  const ttl = question < 0 ? quotedId & 0xff : questionTtl;
  setTransport(bswap<u16>(load<u16>(at)), dnsPort, <i32>ttl, bswap<u16>(load<u16>(at, 6)));
  const cookie = query + (question < 0 ? 0 : cookieAtOf(<u32>question));
  if (question == <i32>nsid) {
    setTag(allBits, questionTag, false);
  } else if (question > 0 && cookie + 8 <= end) {
    setTag(cookieTagMask, load<u64>(cookie) >> 16, false);
  } else {
    setTag(idMask() & 0xff, quotedId >> 8, true);
  }
  return true;
}

/** `length`: what follows the tag; 0 where a size hides the TTL of a short quote. */
function quotedTtlOf(length: i32, end: usize): i32 {
  if (length <= ttlMax) {
    return length;
  }
  return transportAt + 19 <= end ? <i32>load<u8>(transportAt, 18) : <i32>(quotedId & 0xff);
}

function setPayloadTag(length: i32, end: usize): void {
  const tagAt = transportAt + 10;
  if (tagAt + 8 <= end) {
    const tag = load<u64>(tagAt);
    setTag(allBits, tag, false);
    // As fillIpv4 sets it.
    const id = length > ttlMax ? <u32>probeTtl | ((<u32>(tag & 0xff)) << 8) : <u32>(tag & 0xffff);
    if (ipv4 && quotedId != id) {
      setOtherId();
    }
  } else if (length > ttlMax) {
    setTag(idMask() & 0xff, quotedId >> 8, true);
  } else {
    setTag(idMask(), quotedId, false);
  }
}

function idMask(): u64 {
  return ipv4 ? 0xffff : 0;
}
