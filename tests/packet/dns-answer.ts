/**
 * Reads a name server's answer to a DNS probe (RFC 1035 s.4): whose probe it is, its response code, and what its site
 * calls itself, by the first text of a TXT record, else by NSID.
 *
 * Only so much of the message is read as was captured and as the UDP length says; records beyond the first 64, options
 * beyond the first 32, and what a length contradicts are a flaw of the answer, which is kept without them.
 */
import { dnsPort } from "../../lib/net/packet/dns-question.ts";
import { ianaNumber } from "../../lib/net/packet/probe.ts";
import { siteBytesMax } from "../../lib/net/packet/reply.ts";
import type { QuotedTag } from "../../lib/net/packet/tag.ts";
import { dnsHeaderBytes, type Question, queryBytesOf, readQuestion } from "./dns-query.ts";
import type { IpHeader } from "./ip-header.ts";
import { directAnswer, outerFields, type RawReply, type Refusal } from "./raw-reply.ts";

const udpHeaderBytes = 8;
const recordsMax = 64;
const optionsMax = 32;
const labelsMax = 127;
const typeTxt = 16;
const typeOpt = 41;
const classChaos = 3;
const optionNsid = 3;
const optionCookie = 10;
const binaryBytesMax = 63;
export const cookieTagMask = 0xffff_ffff_ffffn;

export function readDnsAnswer(frame: DataView, ip: IpHeader): RawReply | Refusal {
  const at = ip.payloadAt;
  if (at + udpHeaderBytes > ip.endAt) {
    return "truncated";
  }
  if (frame.getUint16(at) !== dnsPort) {
    return "otherProtocol";
  }
  const length = frame.getUint16(at + 4);
  if (length < udpHeaderBytes || (at + length > ip.wireEndAt && !ip.hasMoreFragments)) {
    return "malformed";
  }
  const endAt = Math.min(at + length, ip.endAt);
  const cut = endAt < at + length ? "truncated" : "otherType";
  const dnsAt = at + udpHeaderBytes;
  if (dnsAt + dnsHeaderBytes > endAt) {
    return cut;
  }
  const flags = frame.getUint16(dnsAt + 2);
  const isAnswer = (flags & 0x8000) !== 0 && (flags & 0x7800) === 0;
  if (!isAnswer || frame.getUint16(dnsAt + 4) !== 1) {
    return "otherType";
  }
  const asked = readQuestion(frame, dnsAt + dnsHeaderBytes, endAt);
  if (asked === "cut") {
    return cut;
  }
  if (asked === null || asked.ttl === 0) {
    return "otherType";
  }
  return replyOf(frame, ip, { asked, flags, dnsAt, endAt });
}

interface Answered {
  readonly asked: Question;
  readonly flags: number;
  readonly dnsAt: number;
  readonly endAt: number;
}

function replyOf(frame: DataView, ip: IpHeader, { asked, flags, dnsAt, endAt }: Answered): RawReply {
  const found = readRecords(frame, { asked, dnsAt, endAt });
  const name = found.text.length > 0 ? found.text : found.nsid;
  const { site, isCut } = siteOf(name);
  const code = Math.min((flags & 0xf) | (found.extendedCode << 4), 127);
  return {
    ...outerFields(ip, 0, code | ((flags & 0x200) === 0 ? 0 : 128)),
    ...directAnswer(ip),
    replySite: site,
    probeSize: (ip.version === 4 ? 20 : 0) + udpHeaderBytes + queryBytesOf(asked.question),
    probeTtl: asked.ttl,
    probeProtocol: ianaNumber.udp,
    probeSrcPort: frame.getUint16(ip.payloadAt + 2),
    probeDstPort: dnsPort,
    wireTimeCode: frame.getUint16(dnsAt),
    ...proofOf(asked, found.cookie),
    isChecksumWrong: false,
    siteFlaw: isCut ? "siteCut" : found.isUnreadable ? "siteUnreadable" : null,
  };
}

/** A server that knows no cookies returns nothing of the tag but in the name of `nsid`. */
function proofOf({ tag }: Question, cookie: bigint | null): { quotedTag: QuotedTag; isRemembered: boolean } {
  if (tag !== null) {
    return { quotedTag: { mask: 0xffff_ffff_ffff_ffffn, value: tag }, isRemembered: false };
  }
  return cookie === null
    ? { quotedTag: { mask: 0n, value: 0n }, isRemembered: true }
    : { quotedTag: { mask: cookieTagMask, value: cookie >> 16n }, isRemembered: false };
}

interface Found {
  text: Uint8Array;
  nsid: Uint8Array;
  /** The client's, little-endian. */
  cookie: bigint | null;
  extendedCode: number;
  isUnreadable: boolean;
}

const none = new Uint8Array(0);

function readRecords(frame: DataView, { asked, dnsAt, endAt }: Omit<Answered, "flags">): Found {
  const found: Found = { text: none, nsid: none, cookie: null, extendedCode: 0, isUnreadable: false };
  const [answers = 0, authority = 0, additional = 0] = [6, 8, 10].map((at) => frame.getUint16(dnsAt + at));
  const ahead = answers + authority;
  let at = asked.endAt;
  let hasOpt = false;
  for (let i = 0; i < ahead + additional; i++) {
    const head = i < recordsMax ? nameEndOf(frame, at, endAt) : null;
    const next = head === null || head + 10 > endAt ? null : head + 10 + frame.getUint16(head + 8);
    if (head === null || next === null || next > endAt) {
      return { ...found, isUnreadable: true };
    }
    const type = frame.getUint16(head);
    if (i < answers && type === typeTxt && frame.getUint16(head + 2) === classChaos) {
      if (asked.question !== "nsid" && found.text.length === 0) {
        readText(frame, head + 10, next, found);
      }
    } else if (i >= ahead && type === typeOpt && !hasOpt) {
      hasOpt = true;
      found.extendedCode = frame.getUint8(head + 4);
      readOptions(frame, head + 10, next, found);
    }
    at = next;
  }
  return found;
}

/** Labels, or a pointer (RFC 1035 s.4.1.4), which is not followed. */
function nameEndOf(frame: DataView, first: number, endAt: number): number | null {
  let at = first;
  for (let labels = 0; at < endAt && labels <= labelsMax; labels++) {
    const length = frame.getUint8(at);
    if (length >= 0xc0) {
      return at + 2;
    }
    if (length === 0) {
      return at + 1;
    }
    if (length > 63) {
      return null;
    }
    at += 1 + length;
  }
  return null;
}

/** The first of a record's texts. */
function readText(frame: DataView, at: number, endAt: number, found: Found): void {
  if (at >= endAt || at + 1 + frame.getUint8(at) > endAt) {
    found.isUnreadable = true;
    return;
  }
  found.text = bytesAt(frame, at + 1, frame.getUint8(at));
}

function readOptions(frame: DataView, first: number, endAt: number, found: Found): void {
  let at = first;
  for (let options = 0; at + 4 <= endAt && options < optionsMax; options++) {
    const [code, length] = [frame.getUint16(at), frame.getUint16(at + 2)];
    if (at + 4 + length > endAt) {
      break;
    }
    if (code === optionNsid && found.nsid.length === 0) {
      found.nsid = bytesAt(frame, at + 4, length);
    } else if (code === optionCookie && length >= 8) {
      found.cookie ??= frame.getBigUint64(at + 4, true);
    }
    at += 4 + length;
  }
  found.isUnreadable ||= at !== endAt;
}

function bytesAt(frame: DataView, at: number, length: number): Uint8Array {
  return new Uint8Array(frame.buffer, frame.byteOffset + at, length);
}

/** Printable ASCII as it is, all else in hexadecimal digits; not more than is kept. */
function siteOf(name: Uint8Array): { readonly site: string; readonly isCut: boolean } {
  const isText = name.every((byte) => byte >= 0x20 && byte <= 0x7e);
  const kept = name.subarray(0, isText ? siteBytesMax : binaryBytesMax);
  const site = isText ? String.fromCharCode(...kept) : `0x${kept.toHex()}`;
  return { site, isCut: kept.length < name.length };
}
