/**
 * Answers to probes, byte by byte, each with the Reply that has to come of it.
 *
 * What is expected follows from what was put in and from the table of lib/net/wire/reply-fields.ts; nothing here asks
 * the readers under test.
 */
import type { Address } from "../../../lib/net/ip/address.ts";
import { asSent, type MplsLabel, type Reply, type Rewriting } from "../../../lib/net/packet/reply.ts";
import { checksum, concat, patched, u16, u32, zeros } from "./bytes.ts";
import { type Extension, extended } from "./extension.ts";
import { type IpPart, ipPacket, pseudoHeader } from "./ip.ts";
import { router4, router6, type SentProbe } from "./probe-sample.ts";

export type ExpectedReply = Omit<Reply, "timeReceivedNs" | "agentId" | "rttTenthMs" | "rttUs">;

export interface AnswerPacket {
  /** From the IP header on. */
  readonly packet: Uint8Array;
  readonly reply: ExpectedReply;
}

export interface ErrorOptions {
  readonly type: number;
  readonly code: number;
  /** Bytes of the probe that are quoted; all by default. */
  readonly quoteBytes?: number;
  /** What the router makes of the packet before it quotes it. */
  readonly rewrite?: (quote: Uint8Array) => Uint8Array;
  /** What the reply has to say of that. */
  readonly rewriting?: Partial<Rewriting>;
  readonly extension?: Extension;
  /** The labels that have to be found. */
  readonly labels?: readonly MplsLabel[];
  /** In the ICMP header, in words of 4 or 8 bytes, instead of the true length of the quote. */
  readonly length?: number;
  /** What the router says of its next hop, in a packet for which that is too big. */
  readonly mtu?: number;
  /** Checksum of the ICMP message. */
  readonly checksum?: "right" | "wrong";
  /** Outer header, beyond what every answer has. */
  readonly outer?: Partial<IpPart>;
}

const replyId = 0x1234;
const replyTtl = 61;
const quotedTtl = 1;

export const synAck = 0x12;
export const rstAck = 0x14;

/** An ICMP or ICMPv6 error that quotes a probe. */
export function errorAnswer(sent: SentProbe, options: ErrorOptions): AnswerPacket {
  const seen = options.rewrite?.(expired(sent)) ?? expired(sent);
  const quote = seen.slice(0, options.quoteBytes ?? seen.length);
  const { rest, body } = options.extension
    ? extended(quote, sent.ipv4, options.extension)
    : { rest: zeros(4), body: quote };
  const words = headerWord(sent.ipv4, options) ?? rest;
  const icmp = concat([options.type, options.code, 0, 0], words, body);
  const from = sent.ipv4 ? router4 : router6;
  const whole = outer(sent, from, icmp, options.outer);
  const packet = options.checksum === "wrong" ? withWrongChecksum(whole, sent.ipv4) : whole;
  return {
    packet,
    reply: {
      ...outerFields(sent, from, packet),
      replyQuotedTtl: quotedTtl,
      replyQuotedTrafficClass: trafficClassOf(seen, sent.ipv4),
      replyQuotedFlowLabel: sent.ipv4
        ? 0
        : (((seen[1] ?? 0) & 0xf) << 16) | ((seen[2] ?? 0) << 8) | (seen[3] ?? 0),
      replyNextHopMtu: Math.min(options.mtu ?? 0, 0xffff),
      replyIcmpType: options.type,
      replyIcmpCode: options.code,
      replyMplsLabels: options.labels ?? [],
      replySite: "",
      probeDstAddr: sent.probe.dst,
      probeId: sent.ipv4 ? ((seen[4] ?? 0) << 8) | (seen[5] ?? 0) : 0,
      probeSize: sizeOf(sent, seen),
      probeDstPort: sent.probe.protocol.startsWith("icmp") ? 0 : sent.probe.dstPort,
      ...{ ...asSent, ...options.rewriting },
    },
  };
}

/** The second word of the ICMP header, where an option fixes it. */
function headerWord(ipv4: boolean, { length, mtu }: ErrorOptions): readonly number[] | null {
  if (mtu !== undefined) {
    return ipv4 ? [0, 0, ...u16(mtu)] : [...u32(mtu)];
  }
  return length === undefined ? null : ipv4 ? [0, length, 0, 0] : [length, 0, 0, 0];
}

function trafficClassOf(packet: Uint8Array, ipv4: boolean): number {
  const [first = 0, second = 0] = packet;
  return ipv4 ? second : ((first & 0xf) << 4) | (second >> 4);
}

/** As damage on the way makes it; the packet has no options. */
export function withWrongChecksum(packet: Uint8Array, ipv4: boolean): Uint8Array {
  const at = (ipv4 ? 20 : 40) + 3;
  return patched(packet, at, [(packet[at] ?? 0) ^ 0x55]);
}

/** The target's answer to an ICMP or ICMPv6 probe: the same message, its type changed. */
export function echoAnswer(sent: SentProbe, outerPart: Partial<IpPart> = {}): AnswerPacket {
  const request = sent.packet.slice(sent.ipv4 ? 20 : 40);
  const icmp = concat([sent.ipv4 ? 0 : 129, 0, 0, 0], request.slice(4));
  const packet = outer(sent, sent.probe.dst, icmp, outerPart);
  const icmpCode = { replyIcmpType: sent.ipv4 ? 0 : 129, replyIcmpCode: 0 };
  return {
    packet,
    reply: {
      ...outerFields(sent, sent.probe.dst, packet),
      ...icmpCode,
      ...directFields(sent),
      probeSize: sizeOf(sent, packet),
      probeDstPort: 0,
    },
  };
}

/** The target's answer to a SYN: these flags, and an acknowledgement of its sequence number plus one. */
export function tcpAnswer(sent: SentProbe, flags: number, outerPart: Partial<IpPart> = {}): AnswerPacket {
  const syn = new DataView(sent.packet.buffer, sent.ipv4 ? 20 : 40);
  const tcp = concat(
    [...u16(sent.probe.dstPort), ...u16(sent.probe.srcPort), ...u32(0x0a0b0c0d)],
    [...u32(syn.getUint32(4) + 1), 0x50, flags, ...u16(64240), 0, 0, 0, 0],
  );
  const sum = checksum(concat(pseudoHeader(sent.probe.dst, sent.src, 6, tcp.length), tcp));
  const part = { src: sent.probe.dst, dst: sent.src, protocolNumber: 6, ttl: replyTtl, id: replyId };
  const packet = ipPacket({ ...part, payload: patched(tcp, 16, u16(sum)), ...outerPart });
  return {
    packet,
    reply: {
      ...outerFields(sent, sent.probe.dst, packet),
      ...directFields(sent),
      replyProtocol: 6,
      replyIcmpType: 0,
      replyIcmpCode: flags,
      probeSize: sent.ipv4 ? 40 : 20,
      probeDstPort: sent.probe.dstPort,
    },
  };
}

/** The probe as the router saw it that threw it away: TTL 1, header checksum to match. */
function expired(sent: SentProbe): Uint8Array {
  if (!sent.ipv4) {
    return patched(sent.packet, 7, [quotedTtl]);
  }
  const cleared = patched(patched(sent.packet, 8, [quotedTtl]), 10, [0, 0]);
  return patched(cleared, 10, u16(checksum(cleared.slice(0, 20))));
}

/** An ICMP message, checksum still zero, in a packet to the agent. */
function outer(sent: SentProbe, src: Address, icmp: Uint8Array, part: Partial<IpPart> = {}): Uint8Array {
  const protocolNumber = sent.ipv4 ? 1 : 58;
  const pseudo = sent.ipv4 ? [] : pseudoHeader(src, sent.src, protocolNumber, icmp.length);
  const payload = patched(icmp, 2, u16(checksum(concat(pseudo, icmp))));
  return ipPacket({ src, dst: sent.src, protocolNumber, payload, ttl: replyTtl, id: replyId, ...part });
}

export function outerFields(sent: SentProbe, replySrcAddr: Address, packet: Uint8Array) {
  return {
    replySrcAddr,
    replyDstAddr: sent.src,
    replyId: sent.ipv4 ? replyId : 0,
    replySize: sizeOf(sent, packet),
    replyTtl,
    replyProtocol: sent.ipv4 ? 1 : 58,
    probeSrcAddr: sent.src,
    probeTtl: sent.probe.ttl,
    probeProtocol: sent.protocolNumber,
    probeSrcPort: sent.probe.srcPort,
  };
}

export function directFields(sent: SentProbe) {
  return {
    ...{ probeDstAddr: sent.probe.dst, probeId: 0, replyMplsLabels: [] },
    ...{
      replyQuotedTtl: 0,
      replyQuotedTrafficClass: 0,
      replyQuotedFlowLabel: 0,
      replyNextHopMtu: 0,
      replySite: "",
    },
    ...{ replyQuotedTtl: 0, replyQuotedTrafficClass: 0, replyQuotedFlowLabel: 0, replyNextHopMtu: 0 },
    ...asSent,
  };
}

/** IPv4 counts its header, IPv6 does not. */
function sizeOf(sent: SentProbe, packet: Uint8Array): number {
  return sent.ipv4 ? packet.length : packet.length - 40;
}
