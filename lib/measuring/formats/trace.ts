/** A trace as others' formats have it: from one agent, by one flow, to one destination, answer by answer. */
import { type AnswerKind, answerKindOf, isDestinationsKind } from "../../net/packet/answer-kind.ts";
import { ianaNumber } from "../../net/packet/probe.ts";
import { tickUs } from "../../net/packet/time-code.ts";

/** What the probes of a result say of it, for where nothing answered them. Absent as null: it is not known. */
export interface Sending {
  /** RFC 3339 in UTC: when the first probe was sent, or of stored ones submitted. */
  readonly time_submitted?: string | null;
  readonly probe_src_addr?: string | null;
}

export interface Trace extends Sending {
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
  /** Where the flow ends, by the answers of all its rounds; null or absent where none of them ends it. */
  readonly end_ttl?: number | null;
}

/** As in the view `replies`, which says what each member means. */
export interface TraceReply {
  /** RFC 3339 in UTC, with nanoseconds. */
  readonly time_received: string;
  readonly probe_ttl: number;
  readonly reply_src_addr: string;
  readonly rtt_ms: number | null;
  /** Null or absent: rtt_ms is as fine as it is known. */
  readonly rtt_us?: number | null;
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
  /** DSCP and ECN that an error quotes; absent: not known. */
  readonly reply_quoted_traffic_class?: number;
  /** What an error about a probe that was too big reports; 0 or absent: none. */
  readonly reply_next_hop_mtu?: number;
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
  return receivedUs(reply) - Math.round(1000 * (rttMsOf(reply) ?? 0));
}

/** Milliseconds, as fine as they are known; null = unknown. */
export function rttMsOf({ rtt_ms: ms, rtt_us: us }: TraceReply): number | null {
  return ms === null || us == null ? ms : us / 1000;
}

/** By the round-trip time in whole ticks: rounded to microseconds, copies may seem to have left in two ticks. */
function sentTick(reply: TraceReply): number {
  return Math.floor((receivedUs(reply) - Math.round(1000 * (reply.rtt_ms ?? 0))) / tickUs);
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
 * (docs/measure/results.md). An answer without an RTT is that of a probe of its own.
 */
export function byProbe(replies: readonly TraceReply[]): NumberedReply[] {
  const numbers = new Map<string, number>();
  return replies.map((reply, i) => {
    const { probe_src_addr: source, rtt_ms: rtt } = reply;
    const name = rtt === null ? `unknown ${i}` : `${source} ${sentTick(reply)}`;
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

type Answered = Sending & Pick<Trace, "replies">;

/** Microseconds since the epoch: of the first answered probe, or of the first one; null where neither is known. */
export function startUs({ replies, time_submitted: submitted = null }: Answered): number | null {
  if (replies.length > 0) {
    return Math.min(...replies.map(sentUs));
  }
  return submitted === null ? null : 1000 * Date.parse(submitted);
}

/** The last answer; without one, the start. */
export function endUs(result: Answered): number | null {
  const { replies } = result;
  return replies.length === 0 ? startUs(result) : Math.max(...replies.map(receivedUs));
}

/** Null where it is not known: the agent chose it, and nothing answered. */
export function knownSourceOf({
  replies,
  probe_src_addr: given,
  address,
}: Answered & Pick<Trace, "address">): string | null {
  const known = [replies[0]?.probe_src_addr, given].find(
    (source) => typeof source === "string" && isV6(source) === isV6(address),
  );
  return known ?? null;
}

/** For formats that must have one: `::` or `0.0.0.0` where it is not known. */
export function sourceOf(result: Answered & Pick<Trace, "address">): string {
  return knownSourceOf(result) ?? (isV6(result.address) ? "::" : "0.0.0.0");
}

export function isV6(address: string): boolean {
  return address.includes(":");
}

/**
 * A trace as far as its flow goes: to the lowest TTL at which the destination, or an ICMP "unreachable", answered it
 * (docs/measure/results.md), in this round or another.
 */
export function upToEnd(trace: Trace): Trace {
  const { address, probes, replies, end_ttl: known } = trace;
  const ends = replies.filter(
    (reply) => isDestinations(reply, address) || kindOf(reply).kind === "unreachable",
  );
  const end = ends.reduce(
    (least, { probe_ttl: ttl }) => Math.min(least, ttl),
    known ?? Number.POSITIVE_INFINITY,
  );
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

interface Probed extends Pick<Trace, "replies" | "address" | "protocol"> {
  /** The greatest. */
  readonly ttl: number;
}

/**
 * Bytes of the largest probe that was answered, with its IP header. Without an answer, those of the largest that we
 * send: the payload of UDP and ICMP grows with the TTL (lib/net/packet/tag.ts), TCP has none.
 */
export function probeBytes({ replies, address, protocol, ttl }: Probed): number {
  const ipBytes = isV6(address) ? 40 : 20;
  return replies.length === 0
    ? ipBytes + (protocol === "TCP" ? tcpHeaderBytes : tagged + ttl)
    : replies.reduce((most, { probe_size: bytes }) => Math.max(most, wholeSize(bytes, address)), 0);
}

const tcpHeaderBytes = 20;
/** A header of UDP or ICMP, 2 bytes that adjust its checksum, and the tag. */
const tagged = 8 + 2 + 8;

/** The greatest TTL of some probes; 0 of none. */
export function greatestTtl(probes: Trace["probes"]): number {
  return probes.reduce((most, { ttl }) => Math.max(most, ttl), 0);
}

/** The answers of each TTL at which probes were sent, silent ones too. */
export function byTtl({ probes, replies }: Trace): { ttl: number; sent: number; answers: TraceReply[] }[] {
  const received = Map.groupBy(replies, ({ probe_ttl: ttl }) => ttl);
  return probes.map(({ ttl, sent }) => ({ ttl, sent, answers: received.get(ttl) ?? [] }));
}

/** A number for a name, for formats whose ids are numbers: 31 bits of FNV-1a, never 0. */
export function numberOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash >>> 1 || 1;
}
