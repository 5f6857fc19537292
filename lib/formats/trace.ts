/** A trace as others' formats have it: from one agent, by one flow, to one destination, answer by answer. */
import { type AnswerKind, answerKindOf, isDestinationsKind } from "../packet/answer-kind.ts";
import { ianaNumber } from "../packet/probe.ts";
import { tickUs } from "../packet/time-code.ts";

export interface Trace {
  readonly measurement_id: string;
  /** Agent that sent the probes; if unknown, the one that received the answers. */
  readonly agent: string;
  readonly address: string;
  /** `UDP`, `ICMP`, `ICMPv6` or `TCP`. */
  readonly protocol: string;
  /** The identifier, for ICMP. */
  readonly src_port: number;
  /** 0 for ICMP. */
  readonly dst_port: number;
  /** From 0. A round has at most 100 probes of one TTL; further ones are in the next. */
  readonly round: number;
  /** By TTL. */
  readonly probes: readonly { readonly ttl: number; readonly sent: number }[];
  /** By TTL, then by time of capture. */
  readonly replies: readonly TraceReply[];
}

/** As in the view `replies`, which says what each member means. */
export interface TraceReply {
  /** RFC 3339 in UTC, with nanoseconds. */
  readonly time_received: string;
  readonly probe_ttl: number;
  readonly reply_src_addr: string;
  readonly rtt_ms: number | null;
  readonly reply_ttl: number;
  readonly reply_quoted_ttl: number;
  readonly reply_size: number;
  readonly reply_id: number;
  readonly reply_protocol: number;
  readonly reply_icmp_type: number;
  readonly reply_icmp_code: number;
  readonly reply_mpls_labels: readonly TraceLabel[];
  readonly probe_src_addr: string;
  readonly probe_size: number;
  /** AS of the answering address, when requested; null = not known. */
  readonly asn?: number | null;
}

interface TraceLabel {
  readonly label: number;
  readonly exp: number;
  readonly bottom_of_stack: boolean;
  readonly ttl: number;
}

/** Microseconds since the epoch. */
export function receivedUs({ time_received: text }: TraceReply): number {
  return Date.parse(`${text.slice(0, 19)}Z`) * 1000 + Math.floor(Number(text.slice(20, 29)) / 1000);
}

/** Microseconds since the epoch at which the probe of an answer left; the capture where no RTT is known. */
export function sentUs(reply: TraceReply): number {
  return receivedUs(reply) - Math.round((reply.rtt_ms ?? 0) * 1000);
}

interface NumberedReply {
  readonly reply: TraceReply;
  /** Number of its probe, from 0 in the order of first answers. */
  readonly number: number;
  /** Whether the probe was answered before. */
  readonly isCopy: boolean;
}

/**
 * Answers to probes of one flow and TTL, by the probes that they answer: copies name the same source and tick of 0.1 ms
 * (docs/results.md). An answer without an RTT is that of a probe of its own.
 */
export function byProbe(replies: readonly TraceReply[]): NumberedReply[] {
  const numbers = new Map<string, number>();
  return replies.map((reply, i) => {
    const { probe_src_addr: source, rtt_ms: rtt } = reply;
    const name = rtt === null ? `unknown ${i}` : `${source} ${Math.floor(sentUs(reply) / tickUs)}`;
    const number = numbers.get(name) ?? numbers.size;
    const isCopy = numbers.has(name);
    numbers.set(name, number);
    return { reply, number, isCopy };
  });
}

/** Sorted by the departure of their probes, copies by receipt. */
export function inOrderOfSending(replies: readonly TraceReply[]): TraceReply[] {
  return replies.toSorted((a, b) => sentUs(a) - sentUs(b) || receivedUs(a) - receivedUs(b));
}

/** Probes that some answers to one flow and TTL are to. */
export function answeredCount(replies: readonly TraceReply[]): number {
  return byProbe(replies).filter(({ isCopy }) => !isCopy).length;
}

/** Microseconds since the epoch; null without an answer. */
export function startUs({ replies }: Pick<Trace, "replies">): number | null {
  return replies.length === 0 ? null : Math.min(...replies.map(sentUs));
}

export function endUs({ replies }: Pick<Trace, "replies">): number | null {
  return replies.length === 0 ? null : Math.max(...replies.map(receivedUs));
}

/** `::` or `0.0.0.0` without an answer, as it is unknown. */
export function sourceOf({ replies, address }: Pick<Trace, "replies" | "address">): string {
  return replies[0]?.probe_src_addr ?? (isV6(address) ? "::" : "0.0.0.0");
}

export function isV6(address: string): boolean {
  return address.includes(":");
}

/**
 * A trace as far as its flow goes: to the lowest TTL at which the destination, or an ICMP "unreachable", answered it
 * (docs/results.md).
 */
export function upToEnd(trace: Trace): Trace {
  const { address, probes, replies } = trace;
  const ends = replies.filter(
    (reply) => isDestinations(reply, address) || kindOf(reply).kind === "unreachable",
  );
  const end = ends.reduce((least, { probe_ttl: ttl }) => Math.min(least, ttl), Number.POSITIVE_INFINITY);
  return {
    ...trace,
    probes: probes.filter(({ ttl }) => ttl <= end),
    replies: replies.filter(({ probe_ttl: ttl }) => ttl <= end),
  };
}

export function isReached({ address, replies }: Trace): boolean {
  return replies.some((reply) => isDestinations(reply, address));
}

/** Whether the destination itself answered, from its address or another of its own. */
export function isDestinations(reply: TraceReply, address: string): boolean {
  return reply.reply_src_addr === address || isDestinationsKind(kindOf(reply));
}

export function kindOf(reply: TraceReply): AnswerKind {
  const {
    reply_protocol: replyProtocol,
    reply_icmp_type: replyIcmpType,
    reply_icmp_code: replyIcmpCode,
  } = reply;
  return answerKindOf({ replyProtocol, replyIcmpType, replyIcmpCode });
}

export function isTcp({ reply_protocol: protocol }: TraceReply): boolean {
  return protocol === ianaNumber.tcp;
}

/** Bytes of a packet with its IP header: ours is the payload of IPv6. */
export function wholeSize(bytes: number, address: string): number {
  return isV6(address) ? bytes + 40 : bytes;
}

/** Bytes of the largest probe that was answered, with its IP header; 0 without an answer. */
export function probeBytes({ replies, address }: Pick<Trace, "replies" | "address">): number {
  return replies.reduce((most, { probe_size: bytes }) => Math.max(most, wholeSize(bytes, address)), 0);
}

/** The answers of each TTL at which probes were sent, silent ones too. */
export function byTtl({ probes, replies }: Trace): { ttl: number; sent: number; answers: TraceReply[] }[] {
  const heard = Map.groupBy(replies, ({ probe_ttl: ttl }) => ttl);
  return probes.map(({ ttl, sent }) => ({ ttl, sent, answers: heard.get(ttl) ?? [] }));
}

/** A number for a name, for formats whose ids are numbers: 31 bits of FNV-1a, never 0. */
export function numberOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash >>> 1 || 1;
}
