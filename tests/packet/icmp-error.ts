/**
 * Reads an ICMP error and the probe that it quotes (RFC 792, RFC 4443, RFC 4884).
 *
 *     ICMP    type 1 | code 1 | checksum 2 | unused 1 | length 1 (4-byte words) | 2    then the quote
 *     ICMPv6  type 1 | code 1 | checksum 2 | length 1 (8-byte words) | 3              then the quote
 *     quote   IP header, then at least 8 bytes of transport header (RFC 792), usually much more (RFC 1812)
 */
import { dnsPort } from "../../lib/net/packet/dns-question.ts";
import { ianaNumber } from "../../lib/net/packet/probe.ts";
import type { QuotedTag } from "../../lib/net/packet/tag.ts";
import { ipv4HeaderBytes, ipv6HeaderBytes, payloadHeadBytes, shortHeaderBytes } from "./build.ts";
import { cookieTagMask } from "./dns-answer.ts";
import { cookieAtOf, dnsHeaderBytes, isQueryHeader, isQueryLength, readQuestion } from "./dns-query.ts";
import { type Extension, readExtension } from "./extensions.ts";
import { isIcmpChecksumWrong } from "./icmp-checksum.ts";
import { addressAt, type IpHeader } from "./ip-header.ts";
import { outerFields, type RawReply, type Refusal } from "./raw-reply.ts";

/** Types that quote a packet: unreachable, source quench, time exceeded, parameter problem (packet too big). */
const errorTypes4 = [3, 4, 11, 12];
const errorTypes6 = [1, 2, 3, 4];
/** Those that may carry extensions (RFC 4884 s.4). */
const extensibleTypes4 = [3, 11, 12];
const extensibleTypes6 = [1, 3];

export function readIcmpError(frame: DataView, ip: IpHeader): RawReply | Refusal {
  const type = frame.getUint8(ip.payloadAt);
  if (!(ip.version === 4 ? errorTypes4 : errorTypes6).includes(type)) {
    return "otherType";
  }
  const quoteAt = ip.payloadAt + shortHeaderBytes;
  const { quoteEndAt, labels, loss } = extensionOf(frame, ip, type, quoteAt);
  const quote = readQuote(frame, { at: quoteAt, endAt: Math.min(quoteEndAt, ip.endAt), version: ip.version });
  if (typeof quote === "string") {
    return quote;
  }
  return {
    ...outerFields(ip, type, frame.getUint8(ip.payloadAt + 1)),
    ...quote,
    replyNextHopMtu: nextHopMtu(frame, ip),
    replySite: "",
    replyMplsLabels: labels,
    labelLoss: loss,
    siteFlaw: null,
    isChecksumWrong: isIcmpChecksumWrong(frame, ip),
  };
}

/** By fragmentation needed (RFC 1191 s.4) or packet too big (RFC 4443 s.3.2): 65535 is the most of its 32 bits. */
function nextHopMtu(frame: DataView, { version, payloadAt }: IpHeader): number {
  const [type, code] = [frame.getUint8(payloadAt), frame.getUint8(payloadAt + 1)];
  if (version === 4) {
    return type === 3 && code === 4 ? frame.getUint16(payloadAt + 6) : 0;
  }
  return type === 2 ? Math.min(frame.getUint32(payloadAt + 4), 0xffff) : 0;
}

/** Errors of other types carry no extensions: then the whole rest is the quote. */
function extensionOf(frame: DataView, ip: IpHeader, type: number, quoteAt: number): Extension {
  const isIpv4 = ip.version === 4;
  if (!(isIpv4 ? extensibleTypes4 : extensibleTypes6).includes(type)) {
    return { quoteEndAt: ip.endAt, labels: [], loss: null };
  }
  const declaredBytes = isIpv4 ? frame.getUint8(ip.payloadAt + 5) * 4 : frame.getUint8(ip.payloadAt + 4) * 8;
  const quoteBytesMin = (isIpv4 ? ipv4HeaderBytes : ipv6HeaderBytes) + shortHeaderBytes;
  return readExtension(frame, { ...ip, quoteAt, declaredBytes, quoteBytesMin });
}

interface Quote {
  readonly at: number;
  readonly endAt: number;
  readonly version: 4 | 6;
}

interface QuotedIp {
  readonly probeSrcAddr: Uint8Array;
  readonly probeDstAddr: Uint8Array;
  readonly probeId: number;
  readonly probeSize: number;
  readonly replyQuotedTtl: number;
  readonly replyQuotedTrafficClass: number;
  readonly replyQuotedFlowLabel: number;
  readonly protocolNumber: number;
  readonly transportAt: number;
  /** Length of the probe's transport part according to the quoted header. */
  readonly transportBytes: number;
  readonly endAt: number;
}

function readQuote(frame: DataView, quote: Quote) {
  const ip = quote.version === 4 ? readQuotedIpv4(frame, quote) : readQuotedIpv6(frame, quote);
  if (typeof ip === "string") {
    return ip;
  }
  if (ip.transportAt + shortHeaderBytes > ip.endAt) {
    return "quoteTruncated" as const;
  }
  const probe = readQuotedTransport(frame, ip, quote.version);
  if (probe === null || probe.probeTtl < 1 || probe.probeTtl > 255) {
    return "quoteOther" as const;
  }
  const { protocolNumber, transportAt, transportBytes, endAt, ...fields } = ip;
  const quotedTransport = new DataView(frame.buffer, frame.byteOffset + transportAt, endAt - transportAt);
  return { ...fields, ...probe, probeProtocol: protocolNumber, quotedTransport };
}

function readQuotedIpv4(frame: DataView, { at, endAt }: Quote): QuotedIp | Refusal {
  if (at + 20 > endAt) {
    return "quoteTruncated";
  }
  const first = frame.getUint8(at);
  const headerBytes = (first & 0xf) * 4;
  if (first >> 4 !== 4 || headerBytes < 20 || (frame.getUint16(at + 6) & 0x1fff) !== 0) {
    return "quoteOther";
  }
  const probeSize = frame.getUint16(at + 2);
  return {
    probeSrcAddr: addressAt(frame, at + 12, 4),
    probeDstAddr: addressAt(frame, at + 16, 4),
    probeId: frame.getUint16(at + 4),
    probeSize,
    replyQuotedTtl: frame.getUint8(at + 8),
    replyQuotedTrafficClass: frame.getUint8(at + 1),
    replyQuotedFlowLabel: 0,
    protocolNumber: frame.getUint8(at + 9),
    transportAt: at + headerBytes,
    transportBytes: probeSize - headerBytes,
    endAt,
  };
}

function readQuotedIpv6(frame: DataView, { at, endAt }: Quote): QuotedIp | Refusal {
  if (at + 40 > endAt) {
    return "quoteTruncated";
  }
  if (frame.getUint8(at) >> 4 !== 6) {
    return "quoteOther";
  }
  const probeSize = frame.getUint16(at + 4);
  return {
    probeSrcAddr: addressAt(frame, at + 8, 16),
    probeDstAddr: addressAt(frame, at + 24, 16),
    probeId: 0,
    probeSize,
    replyQuotedTtl: frame.getUint8(at + 7),
    replyQuotedTrafficClass: (frame.getUint16(at) >> 4) & 0xff,
    replyQuotedFlowLabel: frame.getUint32(at) & 0xf_ffff,
    protocolNumber: frame.getUint8(at + 6),
    transportAt: at + 40,
    transportBytes: probeSize,
    endAt,
  };
}

interface QuotedTransport {
  readonly probeSrcPort: number;
  readonly probeDstPort: number;
  readonly probeTtl: number;
  readonly wireTimeCode: number;
  readonly quotedTag: QuotedTag;
  readonly isRemembered: boolean;
  readonly hasOtherId: boolean;
}

function readQuotedTransport(frame: DataView, ip: QuotedIp, version: 4 | 6): QuotedTransport | null {
  const at = ip.transportAt;
  const icmpNumber = version === 4 ? ianaNumber.icmp : ianaNumber.icmpv6;
  switch (ip.protocolNumber) {
    case ianaNumber.udp:
      if (isQuotedQuery(frame, ip)) {
        return readQuotedQuery(frame, ip, version);
      }
      return {
        probeSrcPort: frame.getUint16(at),
        probeDstPort: frame.getUint16(at + 2),
        wireTimeCode: frame.getUint16(at + 6),
        // UDP's own length, because some routers rewrite the quoted IPv4 total length.
        ...readPayload(frame, ip, version, frame.getUint16(at + 4)),
      };
    case icmpNumber:
      if (frame.getUint8(at) !== (version === 4 ? 8 : 128)) {
        return null;
      }
      return {
        probeSrcPort: frame.getUint16(at + 4),
        probeDstPort: 0,
        wireTimeCode: frame.getUint16(at + 6),
        ...readPayload(frame, ip, version, ip.transportBytes),
      };
    case ianaNumber.tcp:
      return readQuotedTcp(frame, ip, version);
    default:
      return null;
  }
}

function readQuotedTcp(frame: DataView, ip: QuotedIp, version: 4 | 6): QuotedTransport {
  const at = ip.transportAt;
  const sequence = frame.getUint32(at + 4);
  const id = idTag(ip, version);
  return {
    probeSrcPort: frame.getUint16(at),
    probeDstPort: frame.getUint16(at + 2),
    probeTtl: (sequence >>> 8) & 0xff,
    wireTimeCode: sequence >>> 16,
    quotedTag: { mask: id.mask | 0xff_0000n, value: id.value | (BigInt(sequence & 0xff) << 16n) },
    isRemembered: true,
    hasOtherId: false,
  };
}

/**
 * UDP to port 53 that begins as a query of ours; where the quote ends before, that is as long. A probe without a
 * question has such a length with a TTL of 44, 48 or 62, beyond any path.
 */
function isQuotedQuery(frame: DataView, { transportAt, endAt }: QuotedIp): boolean {
  if (frame.getUint16(transportAt + 2) !== dnsPort) {
    return false;
  }
  const query = transportAt + shortHeaderBytes;
  return query + dnsHeaderBytes <= endAt
    ? isQueryHeader(frame, query)
    : isQueryLength(frame.getUint16(transportAt + 4));
}

/** Where the quote ends within the question, the TTL and 8 bits of the tag are in the IPv4 identification. */
function readQuotedQuery(frame: DataView, ip: QuotedIp, version: 4 | 6): QuotedTransport | null {
  const { transportAt: at, endAt } = ip;
  const query = at + shortHeaderBytes;
  const asked = readQuestion(frame, query + dnsHeaderBytes, endAt);
  if (asked === null) {
    return null;
  }
  const id = idTag(ip, version);
  const ofId = { quotedTag: { mask: id.mask & 0xffn, value: id.value >> 8n }, isRemembered: true };
  const ports = { probeSrcPort: frame.getUint16(at), probeDstPort: dnsPort };
  const fields = { ...ports, wireTimeCode: frame.getUint16(at + 6) };
  if (asked === "cut") {
    return { ...fields, probeTtl: ip.probeId >> 8, ...ofId, hasOtherId: false };
  }
  const cookieAt = query + cookieAtOf(asked.question);
  const hasCookie = asked.tag === null && cookieAt + 8 <= endAt;
  const { mask, value } =
    asked.tag === null
      ? { mask: cookieTagMask, value: hasCookie ? frame.getBigUint64(cookieAt, true) >> 16n : 0n }
      : { mask: 0xffff_ffff_ffff_ffffn, value: asked.tag };
  const isProven = hasCookie || asked.tag !== null;
  const proof = isProven ? { quotedTag: { mask, value }, isRemembered: false } : ofId;
  return { ...fields, probeTtl: asked.ttl, ...proof, hasOtherId: false };
}

/**
 * TTL and tag. A payload that is longer than a TTL can say is of a probe with a size: then the TTL stands behind the
 * tag, and again in the IPv4 identification, ahead of 8 bits of the tag.
 */
function readPayload(frame: DataView, ip: QuotedIp, version: 4 | 6, transportBytes: number) {
  const tagAt = ip.transportAt + shortHeaderBytes + 2;
  const ttlAt = tagAt + 8;
  const behindHead = transportBytes - shortHeaderBytes - payloadHeadBytes;
  const isSized = behindHead > 255;
  const id = idTag(ip, version);
  const idOfSized = { mask: id.mask & 0xffn, value: id.value >> 8n };
  const probeTtl = !isSized ? behindHead : ttlAt < ip.endAt ? frame.getUint8(ttlAt) : ip.probeId >> 8;
  if (tagAt + 8 > ip.endAt) {
    return { probeTtl, quotedTag: isSized ? idOfSized : id, isRemembered: isSized, hasOtherId: false };
  }
  const sentId = isSized ? (probeTtl << 8) | frame.getUint8(tagAt) : frame.getUint16(tagAt);
  return {
    probeTtl,
    quotedTag: { mask: 0xffff_ffff_ffff_ffffn, value: frame.getBigUint64(tagAt, true) },
    isRemembered: false,
    hasOtherId: version === 4 && sentId !== ip.probeId,
  };
}

/** The identification stands in network order, the tag's bytes as they come. */
function idTag(ip: QuotedIp, version: 4 | 6): QuotedTag {
  if (version === 6) {
    return { mask: 0n, value: 0n };
  }
  const swapped = (ip.probeId >> 8) | ((ip.probeId & 0xff) << 8);
  return { mask: 0xffffn, value: BigInt(swapped) };
}
