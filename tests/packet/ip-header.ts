/** Reads the outer IP header of an answer: IPv4 with options, IPv6 with extension headers (RFC 791, RFC 8200 s.4). */
import { type Address, mapped } from "../../lib/net/ip/address.ts";

export interface IpHeader {
  readonly version: 4 | 6;
  readonly src: Address;
  readonly dst: Address;
  /** IPv4 identification; 0 for IPv6. */
  readonly id: number;
  /** IPv4 total length; IPv6 payload length. */
  readonly sizeBytes: number;
  readonly ttl: number;
  /** Protocol of the payload, behind all extension headers. */
  readonly protocolNumber: number;
  readonly payloadAt: number;
  /** Where the payload ends according to the header, beyond any link-layer padding. */
  readonly wireEndAt: number;
  /** Where it ends in what was captured: no later than `wireEndAt`. */
  readonly endAt: number;
  /** It is the first of several fragments: its checksum is of all. */
  readonly hasMoreFragments: boolean;
}

type IpRefusal = "truncated" | "notIp" | "malformed" | "fragment";

/** More than any packet needs; RFC 8200 s.4.1 lists six kinds. */
const extensionHeadersMax = 8;

const hopByHop = 0;
const routing = 43;
const fragment = 44;
const authentication = 51;
const destinationOptions = 60;

export function readIpHeader(frame: DataView, at: number): IpHeader | IpRefusal {
  if (at >= frame.byteLength) {
    return "truncated";
  }
  switch (frame.getUint8(at) >> 4) {
    case 4:
      return readIpv4(frame, at);
    case 6:
      return readIpv6(frame, at);
    default:
      return "notIp";
  }
}

function readIpv4(frame: DataView, at: number): IpHeader | IpRefusal {
  if (at + 20 > frame.byteLength) {
    return "truncated";
  }
  const headerBytes = (frame.getUint8(at) & 0xf) * 4;
  const sizeBytes = frame.getUint16(at + 2);
  if (headerBytes < 20 || sizeBytes < headerBytes) {
    return "malformed";
  }
  const fragmentField = frame.getUint16(at + 6);
  if ((fragmentField & 0x1fff) !== 0) {
    return "fragment";
  }
  return {
    version: 4,
    src: addressAt(frame, at + 12, 4),
    dst: addressAt(frame, at + 16, 4),
    id: frame.getUint16(at + 4),
    sizeBytes,
    ttl: frame.getUint8(at + 8),
    protocolNumber: frame.getUint8(at + 9),
    payloadAt: at + headerBytes,
    wireEndAt: at + sizeBytes,
    endAt: Math.min(frame.byteLength, at + sizeBytes),
    hasMoreFragments: (fragmentField & 0x2000) !== 0,
  };
}

function readIpv6(frame: DataView, at: number): IpHeader | IpRefusal {
  if (at + 40 > frame.byteLength) {
    return "truncated";
  }
  const sizeBytes = frame.getUint16(at + 4);
  const wireEndAt = at + 40 + sizeBytes;
  const endAt = Math.min(frame.byteLength, wireEndAt);
  const first = { at: at + 40, endAt, protocolNumber: frame.getUint8(at + 6), hasMoreFragments: false };
  const payload = skipExtensionHeaders(frame, first);
  if (typeof payload === "string") {
    return payload;
  }
  return {
    version: 6,
    src: addressAt(frame, at + 8, 16),
    dst: addressAt(frame, at + 24, 16),
    id: 0,
    sizeBytes,
    ttl: frame.getUint8(at + 7),
    protocolNumber: payload.protocolNumber,
    payloadAt: payload.at,
    wireEndAt,
    endAt,
    hasMoreFragments: payload.hasMoreFragments,
  };
}

interface Payload {
  readonly at: number;
  readonly endAt: number;
  readonly protocolNumber: number;
  readonly hasMoreFragments: boolean;
}

/** Each is: next header 1 | length 1, in 8 bytes beyond the first 8 (AH: in 4 bytes beyond the first 8). */
function skipExtensionHeaders(frame: DataView, first: Payload): Payload | IpRefusal {
  let { at, protocolNumber, hasMoreFragments } = first;
  for (let count = 0; isExtension(protocolNumber); count++) {
    if (count === extensionHeadersMax) {
      return "malformed";
    }
    if (at + 8 > first.endAt) {
      return "truncated";
    }
    if (protocolNumber === fragment && frame.getUint16(at + 2) >> 3 !== 0) {
      return "fragment";
    }
    hasMoreFragments ||= protocolNumber === fragment && (frame.getUint8(at + 3) & 1) === 1;
    const units = frame.getUint8(at + 1);
    const next = frame.getUint8(at);
    at += extensionBytes(protocolNumber, units);
    protocolNumber = next;
  }
  return { at, endAt: first.endAt, protocolNumber, hasMoreFragments };
}

function isExtension(protocolNumber: number): boolean {
  return [hopByHop, routing, fragment, authentication, destinationOptions].includes(protocolNumber);
}

function extensionBytes(protocolNumber: number, units: number): number {
  if (protocolNumber === fragment) {
    return 8;
  }
  return protocolNumber === authentication ? 8 + 4 * units : 8 + 8 * units;
}

export function addressAt(frame: DataView, at: number, bytes: 4 | 16): Address {
  const raw = new Uint8Array(frame.buffer, frame.byteOffset + at, bytes);
  return bytes === 4 ? mapped(raw) : raw.slice();
}
