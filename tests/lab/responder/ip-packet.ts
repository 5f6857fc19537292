/** IP headers of both families, as far as the responder needs them: read a probe, write an answer's header. */
import { finishChecksum, wordSum } from "./checksum.ts";

type Family = 4 | 6;

export const protocolNumbers = { icmp: 1, tcp: 6, udp: 17, icmpv6: 58 } as const;

export interface IpPacket {
  readonly family: Family;
  /** From the first byte of the IP header to the last of the payload. */
  readonly bytes: Uint8Array;
  readonly headerBytes: number;
  readonly ttl: number;
  readonly protocol: number;
}

const ipv4HeaderBytes = 20;
const ipv6HeaderBytes = 40;

/** Reads a packet that fills `bytes`; null when it is not a complete IPv4 or IPv6 packet. */
export function readIpPacket(bytes: Uint8Array): IpPacket | null {
  const version = (bytes[0] ?? 0) >> 4;
  if (version === 4 && bytes.length >= ipv4HeaderBytes) {
    const headerBytes = 4 * ((bytes[0] ?? 0) & 0xf);
    return { family: 4, bytes, headerBytes, ttl: bytes[8] ?? 0, protocol: bytes[9] ?? 0 };
  }
  if (version === 6 && bytes.length >= ipv6HeaderBytes) {
    return { family: 6, bytes, headerBytes: ipv6HeaderBytes, ttl: bytes[7] ?? 0, protocol: bytes[6] ?? 0 };
  }
  return null;
}

export function sourceOf(packet: IpPacket): Uint8Array {
  return packet.family === 4 ? packet.bytes.subarray(12, 16) : packet.bytes.subarray(8, 24);
}

export function destinationOf(packet: IpPacket): Uint8Array {
  return packet.family === 4 ? packet.bytes.subarray(16, 20) : packet.bytes.subarray(24, 40);
}

export interface AnswerHeader {
  readonly family: Family;
  /** 4 or 16 bytes. */
  readonly source: Uint8Array;
  readonly destination: Uint8Array;
  readonly protocol: number;
  readonly ttl: number;
  readonly payloadBytes: number;
}

/** Writes an IP header without options at the start of `packet`; returns its bytes. */
export function writeIpHeader(packet: Uint8Array, header: AnswerHeader): number {
  const view = new DataView(packet.buffer, packet.byteOffset, packet.length);
  if (header.family === 6) {
    packet.fill(0, 0, ipv6HeaderBytes);
    packet[0] = 0x60;
    view.setUint16(4, header.payloadBytes);
    packet[6] = header.protocol;
    packet[7] = header.ttl;
    packet.set(header.source, 8);
    packet.set(header.destination, 24);
    return ipv6HeaderBytes;
  }
  packet.fill(0, 0, ipv4HeaderBytes);
  packet[0] = 0x45;
  view.setUint16(2, ipv4HeaderBytes + header.payloadBytes);
  packet[8] = header.ttl;
  packet[9] = header.protocol;
  packet.set(header.source, 12);
  packet.set(header.destination, 16);
  fixIpv4Checksum(packet, ipv4HeaderBytes);
  return ipv4HeaderBytes;
}

/** Makes the checksum of an IPv4 header right again after a change. */
export function fixIpv4Checksum(packet: Uint8Array, headerBytes: number): void {
  packet.fill(0, 10, 12);
  writeWord(packet, 10, finishChecksum(wordSum(packet, 0, headerBytes)));
}

/**
 * Fills in the checksum of a TCP segment, ICMP or ICMPv6 message of `payloadBytes` that follows the header.
 * All but ICMP sum the pseudo header too (RFC 9293 s.3.1, RFC 8200 s.8.1).
 */
export function fixTransportChecksum(packet: Uint8Array, header: AnswerHeader, checksumOffset: number): void {
  const start = header.family === 4 ? ipv4HeaderBytes : ipv6HeaderBytes;
  const end = start + header.payloadBytes;
  writeWord(packet, start + checksumOffset, 0);
  const pseudo =
    header.protocol === protocolNumbers.icmp
      ? 0
      : header.protocol +
        header.payloadBytes +
        wordSum(header.source, 0, header.source.length) +
        wordSum(header.destination, 0, header.destination.length);
  writeWord(packet, start + checksumOffset, finishChecksum(pseudo + wordSum(packet, start, end)));
}

export function writeWord(bytes: Uint8Array, offset: number, word: number): void {
  bytes[offset] = word >> 8;
  bytes[offset + 1] = word & 0xff;
}
