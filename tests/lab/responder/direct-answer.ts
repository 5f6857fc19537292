/** What a target itself says: echo replies, and SYN-ACK or RST to a TCP SYN. */
import {
  type AnswerHeader,
  destinationOf,
  fixTransportChecksum,
  type IpPacket,
  sourceOf,
  writeIpHeader,
} from "./ip-packet.ts";

const tcpHeaderBytes = 20;
const flagsSyn = 0x02;
const flagsSynAck = 0x12;
const flagsRstAck = 0x14;

/** Writes the echo reply to an echo request; returns its bytes, 0 when `probe` is another ICMP message. */
export function writeEchoReply(answer: Uint8Array, probe: IpPacket, ttl: number): number {
  const [request, reply] = probe.family === 4 ? [8, 0] : [128, 129];
  const message = probe.bytes.subarray(probe.headerBytes);
  if (message[0] !== request) {
    return 0;
  }
  const header = backHeader(probe, ttl, message.length);
  const start = writeIpHeader(answer, header);
  answer.set(message, start);
  answer[start] = reply;
  fixTransportChecksum(answer, header, 2);
  return start + message.length;
}

/** Writes the answer to a SYN; returns its bytes, 0 when `probe` is another segment. */
export function writeTcpAnswer(answer: Uint8Array, probe: IpPacket, ttl: number, isOpen: boolean): number {
  const segment = probe.bytes.subarray(probe.headerBytes);
  if (segment.length < tcpHeaderBytes || segment[13] !== flagsSyn) {
    return 0;
  }
  const header = backHeader(probe, ttl, tcpHeaderBytes);
  const start = writeIpHeader(answer, header);
  answer.fill(0, start, start + tcpHeaderBytes);
  answer.set(segment.subarray(2, 4), start);
  answer.set(segment.subarray(0, 2), start + 2);
  const sequence = new DataView(segment.buffer, segment.byteOffset).getUint32(4);
  new DataView(answer.buffer, answer.byteOffset).setUint32(start + 8, sequence + 1);
  answer[start + 12] = (tcpHeaderBytes / 4) << 4;
  answer[start + 13] = isOpen ? flagsSynAck : flagsRstAck;
  fixTransportChecksum(answer, header, 16);
  return start + tcpHeaderBytes;
}

/** The destination port of a UDP or TCP probe. */
export function destinationPort(probe: IpPacket): number {
  const { bytes, headerBytes } = probe;
  return ((bytes[headerBytes + 2] ?? 0) << 8) | (bytes[headerBytes + 3] ?? 0);
}

function backHeader(probe: IpPacket, ttl: number, payloadBytes: number): AnswerHeader {
  return {
    family: probe.family,
    source: destinationOf(probe),
    destination: sourceOf(probe),
    protocol: probe.protocol,
    ttl,
    payloadBytes,
  };
}
