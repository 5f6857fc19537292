/**
 * Reads one captured frame as an answer to a probe: the reference of the WebAssembly parser, which must agree with
 * it on every input, valid or not.
 *
 * Four kinds of answer count: an ICMP error that quotes a probe, an echo reply, a SYN-ACK or RST, and a name server's.
 * Anything else is refused with a reason, never an exception, and nothing beyond the captured bytes is read.
 */
import { ianaNumber } from "../../lib/net/packet/probe.ts";
import { payloadHeadBytes, shortHeaderBytes, tcpHeaderBytes } from "./build.ts";
import { readDnsAnswer } from "./dns-answer.ts";
import { isIcmpChecksumWrong } from "./icmp-checksum.ts";
import { readIcmpError } from "./icmp-error.ts";
import { type IpHeader, readIpHeader } from "./ip-header.ts";
import { findIp } from "./link-layer.ts";
import { directAnswer, outerFields, type RawReply, type Refusal } from "./raw-reply.ts";

type ReadResult =
  | { readonly ok: true; readonly raw: RawReply }
  | { readonly ok: false; readonly reason: Refusal };

/** `linkType` as in pcap files, see link-layer.ts. */
export function readReply(bytes: Uint8Array, linkType: number): ReadResult {
  const frame = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const raw = readFrame(frame, linkType);
  return typeof raw === "string" ? { ok: false, reason: raw } : { ok: true, raw };
}

function readFrame(frame: DataView, linkType: number): RawReply | Refusal {
  const ipAt = findIp(frame, linkType);
  if (typeof ipAt === "string") {
    return ipAt;
  }
  const ip = readIpHeader(frame, ipAt);
  if (typeof ip === "string") {
    return ip;
  }
  const icmpNumber = ip.version === 4 ? ianaNumber.icmp : ianaNumber.icmpv6;
  if (![icmpNumber, ianaNumber.tcp, ianaNumber.udp].includes(ip.protocolNumber)) {
    return "otherProtocol";
  }
  if (ip.payloadAt > ip.wireEndAt) {
    return "malformed";
  }
  if (ip.protocolNumber === ianaNumber.udp) {
    return readDnsAnswer(frame, ip);
  }
  return ip.protocolNumber === ianaNumber.tcp ? readTcpAnswer(frame, ip) : readIcmp(frame, ip);
}

function readIcmp(frame: DataView, ip: IpHeader): RawReply | Refusal {
  if (ip.payloadAt + shortHeaderBytes > ip.endAt) {
    return "truncated";
  }
  const type = frame.getUint8(ip.payloadAt);
  if (type === (ip.version === 4 ? 0 : 129)) {
    return readEchoReply(frame, ip);
  }
  return readIcmpError(frame, ip);
}

function readEchoReply(frame: DataView, ip: IpHeader): RawReply | Refusal {
  const at = ip.payloadAt;
  const headBytes = shortHeaderBytes + payloadHeadBytes;
  const behindHead = ip.wireEndAt - at - headBytes;
  if (behindHead < 1) {
    return "otherType";
  }
  const isSized = behindHead > 255;
  if (at + headBytes + (isSized ? 1 : 0) > ip.endAt) {
    return "truncated";
  }
  const probeTtl = isSized ? frame.getUint8(at + headBytes) : behindHead;
  if (probeTtl === 0) {
    return "otherType";
  }
  return {
    ...outerFields(ip, frame.getUint8(at), frame.getUint8(at + 1)),
    ...directAnswer(ip),
    probeSize: ip.sizeBytes,
    probeTtl,
    probeProtocol: ip.protocolNumber,
    probeSrcPort: frame.getUint16(at + 4),
    probeDstPort: 0,
    wireTimeCode: frame.getUint16(at + 6),
    quotedTag: { mask: 0xffff_ffff_ffff_ffffn, value: frame.getBigUint64(at + shortHeaderBytes + 2, true) },
    isChecksumWrong: isIcmpChecksumWrong(frame, ip),
  };
}

/** RST must acknowledge something: the reset of a connection says nothing about a SYN. */
function readTcpAnswer(frame: DataView, ip: IpHeader): RawReply | Refusal {
  const at = ip.payloadAt;
  if (at + tcpHeaderBytes > ip.endAt) {
    return "truncated";
  }
  const flags = frame.getUint8(at + 13);
  const synAck = (flags & 0x17) === 0x12;
  const rstAck = (flags & 0x16) === 0x14;
  if (!synAck && !rstAck) {
    return "otherType";
  }
  const sequence = (frame.getUint32(at + 8) - 1) >>> 0;
  const probeTtl = (sequence >>> 8) & 0xff;
  if (probeTtl === 0) {
    return "otherType";
  }
  return {
    ...outerFields(ip, 0, flags),
    ...directAnswer(ip),
    probeSize: ip.version === 4 ? 20 + tcpHeaderBytes : tcpHeaderBytes,
    probeTtl,
    probeProtocol: ianaNumber.tcp,
    probeSrcPort: frame.getUint16(at + 2),
    probeDstPort: frame.getUint16(at),
    wireTimeCode: sequence >>> 16,
    quotedTag: { mask: 0xff_0000n, value: BigInt(sequence & 0xff) << 16n },
    isRemembered: true,
    isChecksumWrong: false,
  };
}
