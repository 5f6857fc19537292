/**
 * Changes to a probe before it is quoted: what middleboxes do to it, and what a forger gets wrong.
 *
 * The tag stands in the IPv4 identification, in bytes 2–9 of the UDP or ICMP payload, and in the last byte of a
 * TCP sequence number.
 */
import { fixIpv4Checksum, type IpPacket, protocolNumbers } from "./ip-packet.ts";

const transportHeaderBytes = 8;
const tagOffset = 2;
const tagBytes = 8;
const forgedBits = 0x5a;

/** Offset of the checksum from the start of the transport header. */
const checksumOffsets: Readonly<Record<number, number>> = {
  [protocolNumbers.udp]: 6,
  [protocolNumbers.tcp]: 16,
  [protocolNumbers.icmp]: 2,
  [protocolNumbers.icmpv6]: 2,
};

export function setTtl(probe: IpPacket, ttl: number): void {
  probe.bytes[probe.family === 4 ? 8 : 7] = ttl;
  fixHeader(probe);
}

export function forgeTag(probe: IpPacket): void {
  const { bytes, headerBytes } = probe;
  if (probe.family === 4) {
    flip(bytes, 4, 2);
  }
  if (probe.protocol === protocolNumbers.tcp) {
    flip(bytes, headerBytes + 7, 1);
  } else {
    flip(bytes, headerBytes + transportHeaderBytes + tagOffset, tagBytes);
  }
  fixHeader(probe);
}

export function rewriteChecksum(probe: IpPacket): void {
  const offset = checksumOffsets[probe.protocol];
  if (offset !== undefined) {
    flip(probe.bytes, probe.headerBytes + offset, 2);
  }
}

function flip(bytes: Uint8Array, start: number, count: number): void {
  for (let i = start; i < Math.min(start + count, bytes.length); i++) {
    bytes[i] = (bytes[i] ?? 0) ^ forgedBits;
  }
}

function fixHeader(probe: IpPacket): void {
  if (probe.family === 4) {
    fixIpv4Checksum(probe.bytes, probe.headerBytes);
  }
}
