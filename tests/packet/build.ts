/**
 * Builds a probe, from the IP header on: the reference of the WebAssembly builder, which fills the same bytes.
 *
 * What a router may hash to choose among equal paths is constant in a flow (Paris traceroute): addresses, protocol,
 * ports or ICMP identifier and checksum, IPv6 flow label. What must differ between the probes of a flow, the send
 * time and the tag, stands where routers do not look, and two bytes of the payload, the tweak, make the
 * checksum come out as wanted:
 *
 *     UDP   source port 2 | destination port 2 | length 2 | checksum = time code 2 | payload     (RFC 768)
 *     ICMP  type 1 | code 1 | checksum = source port 2 | id = source port 2 | sequence = time code 2 | payload
 *     payload = tweak 2 | tag 8 | `ttl` zero bytes: so the length gives the TTL back even in an 8-byte quote
 *     with a size: tweak 2 | tag 8 | TTL 1 | zeros; over IPv4 the identification is TTL 1 | tag byte 1
 *     DNS   UDP to port 53: dns-query.ts
 *     TCP   SYN, no options; sequence number = time code 2 | ttl 1 | tag byte 1                  (RFC 9293)
 *
 * All in network order. One's complement sums (RFC 1071) are taken modulo 65535.
 */
import { type Address, familyOf } from "../../lib/net/ip/address.ts";
import { type DnsQuestion, dnsPort } from "../../lib/net/packet/dns-question.ts";
import { flowLabelOf } from "../../lib/net/packet/flow-label.ts";
import { ianaNumber, type Probe } from "../../lib/net/packet/probe.ts";
import type { SipKey } from "../../lib/net/packet/siphash.ts";
import { tagOf } from "../../lib/net/packet/tag.ts";
import { wireTimeCode, wrapOf } from "../../lib/net/packet/time-code.ts";
import { buildQuery, cookieAtOf, queryBytesOf, questionOf } from "./dns-query.ts";

interface Departure {
  readonly src: Address;
  /** See time-code.ts. */
  readonly tick: number;
  readonly key: SipKey;
}

export const ipv4HeaderBytes = 20;
export const ipv6HeaderBytes = 40;
export const tcpHeaderBytes = 20;
/** UDP's and ICMP's. */
export const shortHeaderBytes = 8;
/** Tweak and tag, ahead of the `ttl` zero bytes. */
export const payloadHeadBytes = 10;
const tcpWindowBytes = 65535;

const tcpFlagSyn = 0x02;
const ipv4Version = 0x45;
const ipv6Version = 0x60;

/** The IP packet of a probe. The caller has checked that protocol, source and destination are of one family. */
export function buildProbe(probe: Probe, departure: Departure): Uint8Array {
  const ipv4 = familyOf(probe.dst) === 4;
  const headerBytes = ipv4 ? ipv4HeaderBytes : ipv6HeaderBytes;
  const protocolNumber = ianaNumber[probe.protocol];
  const { dst, srcPort, ttl } = probe;
  const timeCode = wireTimeCode(departure.tick);
  const time = { wireTimeCode: timeCode, wrap: wrapOf(departure.tick) };
  const tag = tagOf(departure.key, { dst, srcPort, ttl, protocolNumber, ...time });
  const transportBytes = transportBytesOf(probe, headerBytes);
  const packet = new Uint8Array(headerBytes + transportBytes);
  const header = new DataView(packet.buffer, 0, headerBytes);
  const transport = new DataView(packet.buffer, headerBytes);
  if (ipv4) {
    writeIpv4Header(header, { probe, src: departure.src, protocolNumber, tag, totalBytes: packet.length });
  } else {
    writeIpv6Header(header, { probe, src: departure.src, protocolNumber, transportBytes });
  }
  // IPv4 ICMP is the one checksum without a pseudo-header (RFC 792; RFC 8200 s.8.1 for the others).
  const pseudoSum =
    probe.protocol === "icmp" ? 0 : pseudoHeaderSum(departure.src, probe.dst, protocolNumber, transportBytes);
  writeTransport(transport, { probe, tag, pseudoSum, timeCode });
  return packet;
}

function isSized(probe: Probe): boolean {
  return probe.protocol !== "tcp" && probe.shape?.sizeBytes !== undefined && questionOf(probe) === null;
}

function transportBytesOf(probe: Probe, headerBytes: number): number {
  const { protocol, ttl, shape } = probe;
  if (protocol === "tcp") {
    return tcpHeaderBytes;
  }
  const question = questionOf(probe);
  if (question !== null) {
    return shortHeaderBytes + queryBytesOf(question);
  }
  const shortest = shortHeaderBytes + payloadHeadBytes + ttl;
  return shape?.sizeBytes === undefined ? shortest : shape.sizeBytes - headerBytes;
}

interface Ipv4Fields {
  readonly probe: Probe;
  readonly src: Address;
  readonly protocolNumber: number;
  readonly tag: bigint;
  readonly totalBytes: number;
}

function writeIpv4Header(view: DataView, fields: Ipv4Fields): void {
  view.setUint8(0, ipv4Version);
  view.setUint16(2, fields.totalBytes);
  view.setUint8(1, fields.probe.shape?.trafficClass ?? 0);
  if (isSized(fields.probe) || questionOf(fields.probe) !== null) {
    view.setUint8(4, fields.probe.ttl);
    view.setUint8(5, Number(fields.tag & 0xffn));
  } else {
    view.setUint16(4, Number(fields.tag & 0xffffn), true);
  }
  view.setUint8(6, fields.probe.shape?.dontFragment === true ? 0x40 : 0);
  view.setUint8(8, fields.probe.ttl);
  view.setUint8(9, fields.protocolNumber);
  copy(view, 12, fields.src.subarray(12));
  copy(view, 16, fields.probe.dst.subarray(12));
  view.setUint16(10, 0xffff - wordSum(view));
}

interface Ipv6Fields {
  readonly probe: Probe;
  readonly src: Address;
  readonly protocolNumber: number;
  readonly transportBytes: number;
}

function writeIpv6Header(view: DataView, fields: Ipv6Fields): void {
  const { trafficClass = 0, flowLabel = flowLabelOf(fields.probe) } = fields.probe.shape ?? {};
  view.setUint32(0, ((ipv6Version << 24) | (trafficClass << 20) | flowLabel) >>> 0);
  view.setUint16(4, fields.transportBytes);
  view.setUint8(6, fields.protocolNumber);
  view.setUint8(7, fields.probe.ttl);
  copy(view, 8, fields.src);
  copy(view, 24, fields.probe.dst);
}

interface TransportFields {
  readonly probe: Probe;
  readonly tag: bigint;
  readonly pseudoSum: number;
  readonly timeCode: number;
}

function writeTransport(view: DataView, fields: TransportFields): void {
  const { probe, tag, pseudoSum, timeCode } = fields;
  if (probe.protocol === "tcp") {
    view.setUint16(0, probe.srcPort);
    view.setUint16(2, probe.dstPort);
    view.setUint16(4, timeCode);
    view.setUint8(6, probe.ttl);
    view.setUint8(7, Number((tag >> 16n) & 0xffn));
    view.setUint8(12, (tcpHeaderBytes / 4) << 4);
    view.setUint8(13, tcpFlagSyn);
    view.setUint16(14, tcpWindowBytes);
    view.setUint16(16, 0xffff - ((pseudoSum + wordSum(view)) % 0xffff));
    return;
  }
  const question = questionOf(probe);
  if (question !== null) {
    writeDns(view, question, fields);
    return;
  }
  view.setBigUint64(shortHeaderBytes + 2, tag, true);
  if (isSized(probe)) {
    view.setUint8(shortHeaderBytes + payloadHeadBytes, probe.ttl);
  }
  if (probe.protocol === "udp") {
    view.setUint16(0, probe.srcPort);
    view.setUint16(2, probe.dstPort);
    view.setUint16(4, view.byteLength);
    view.setUint16(6, timeCode);
  } else {
    view.setUint8(0, probe.protocol === "icmp" ? 8 : 128);
    view.setUint16(2, probe.srcPort);
    view.setUint16(4, probe.srcPort);
    view.setUint16(6, timeCode);
  }
  view.setUint16(shortHeaderBytes, 0xffff - ((pseudoSum + wordSum(view)) % 0xffff));
}

function writeDns(view: DataView, question: DnsQuestion, fields: TransportFields): void {
  const { probe, tag, pseudoSum, timeCode } = fields;
  view.setUint16(0, probe.srcPort);
  view.setUint16(2, dnsPort);
  view.setUint16(4, view.byteLength);
  view.setUint16(6, timeCode);
  copy(view, shortHeaderBytes, buildQuery(question, { tag, ttl: probe.ttl, timeCode }));
  const tweakAt = shortHeaderBytes + cookieAtOf(question);
  view.setUint16(tweakAt, 0xffff - ((pseudoSum + wordSum(view)) % 0xffff));
}

function pseudoHeaderSum(src: Address, dst: Address, protocolNumber: number, transportBytes: number): number {
  const from = familyOf(dst) === 4 ? 12 : 0;
  const addresses = [src, dst].map((a) => wordSum(new DataView(a.buffer, a.byteOffset + from, 16 - from)));
  return addresses.reduce((sum, part) => sum + part, protocolNumber + transportBytes) % 0xffff;
}

/** The sum of big-endian 16-bit words modulo 65535; an odd last byte counts as the high half (RFC 1071). */
function wordSum(view: DataView): number {
  let sum = 0;
  for (let i = 0; i + 1 < view.byteLength; i += 2) {
    sum += view.getUint16(i);
  }
  if (view.byteLength % 2 === 1) {
    sum += view.getUint8(view.byteLength - 1) << 8;
  }
  return sum % 0xffff;
}

function copy(view: DataView, offset: number, bytes: Uint8Array): void {
  new Uint8Array(view.buffer, view.byteOffset + offset, bytes.length).set(bytes);
}
