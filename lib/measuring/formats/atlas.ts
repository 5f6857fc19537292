/**
 * Traces and pings as results of RIPE Atlas (firmware 5000 and later), one object each, for what reads those. Agents
 * and measurements are numbers there: theirs are made of their names.
 */
import { atlasAnswerKind } from "./atlas-answer-kind.ts";
import type { Ping } from "./ping.ts";
import {
  answeredCount,
  byProbe,
  byTtl,
  endUs,
  greatestTtl,
  inOrderOfSending,
  isDestinations,
  isTcp,
  isV6,
  kindOf,
  knownSourceOf,
  numberOf,
  probeBytes,
  rttMsOf,
  sentUs,
  startUs,
  type Trace,
  type TraceReply,
  wholeSize,
} from "./trace.ts";

/** The shape of results that is written here. */
const firmware = { fw: 5080, mver: "2.6.4" } as const;
/** Bytes that Atlas leaves out of the size of a packet, besides its IP header: those of UDP or ICMP. */
const headerBytes = 8;

const synAckFlags: readonly (readonly [bit: number, letter: string])[] = [
  [2, "S"],
  [16, "A"],
  [4, "R"],
  [1, "F"],
];

/** Codes of "destination unreachable" (RFC 792, RFC 1812 s.5.2.7.1; RFC 4443 s.3.1); others stay numbers. */
const errorsOfV4: Readonly<Record<number, string>> = { 0: "N", 1: "H", 2: "P", 9: "A", 10: "A", 13: "A" };
const errorsOfV6: Readonly<Record<number, string>> = { 0: "N", 1: "A", 2: "h", 3: "H" };
const portUnreachable = { 4: 3, 6: 4 } as const;

/** Members of every result; `ttl` is the greatest of its probes. */
function common(result: Trace | Ping, ttl: number) {
  const { measurement_id: measurement, agent, address, protocol, src_port, dst_port } = result;
  const source = knownSourceOf(result);
  return {
    ...firmware,
    lts: -1,
    ...{ dst_name: address, dst_addr: address },
    // Results of Atlas lack it too where the probe did not know it.
    ...(source === null ? {} : { src_addr: source, from: source }),
    proto: protocol.startsWith("ICMP") ? "ICMP" : protocol,
    af: isV6(address) ? 6 : 4,
    size: payloadOf(probeBytes({ ...result, ttl }), address),
    ...{ msm_id: numberOf(measurement), prb_id: numberOf(agent), timestamp: seconds(startUs(result)) },
    // A member of ours, which other readers skip.
    vantage: { src_port, dst_port },
  };
}

function seconds(us: number | null): number {
  return Math.floor((us ?? 0) / 1e6);
}

/** Only the destination's answers count; what another says to a probe leaves it unanswered. */
export function atlasPing(ping: Ping): object {
  const { address, sent, replies } = ping;
  const own = copiesBehind(
    byProbe(inOrderOfSending(replies).filter((reply) => isDestinations(reply, address))),
  );
  const firsts = own.filter(({ isCopy }) => !isCopy).slice(0, sent);
  const rtts = firsts.map(({ reply }) => rttMsOf(reply)).filter((rtt) => rtt !== null);
  const mean = rtts.reduce((all, rtt) => all + rtt, 0) / Math.max(1, rtts.length);
  const first = own[0]?.reply;
  return {
    ...common(ping, ping.ttl),
    ...{ msm_name: "Ping", type: "ping", step: null },
    ...(first === undefined ? {} : { ttl: first.reply_ttl }),
    ...{ sent, rcvd: firsts.length, dup: own.length - firsts.length },
    min: rtts.length === 0 ? -1 : Math.min(...rtts),
    max: rtts.length === 0 ? -1 : Math.max(...rtts),
    avg: rtts.length === 0 ? -1 : Number(mean.toFixed(6)),
    result: [
      ...own.map(({ reply, isCopy, number }) => ({
        ...(reply.rtt_ms === null ? { src_addr: address } : { rtt: rttMsOf(reply) }),
        ...(reply.reply_ttl === first?.reply_ttl ? {} : { ttl: reply.reply_ttl }),
        ...(isCopy || number >= sent ? { dup: 1 } : {}),
        vantage: sentOf(reply, ping),
      })),
      ...Array.from({ length: sent - firsts.length }, () => ({ x: "*" })),
    ],
  };
}

export function atlasTrace(trace: Trace): object {
  return {
    ...common(trace, greatestTtl(trace.probes)),
    ...{ msm_name: "Traceroute", type: "traceroute", endtime: seconds(endUs(trace)) },
    // Ours keep what routers hash; theirs number such flows from 1 to 64.
    paris_id: 1 + (trace.src_port % 64),
    result: byTtl(trace).map(({ ttl, sent, answers }) => ({
      hop: ttl,
      result: [
        ...copiesBehind(byProbe(answers)).map(({ reply, isCopy }) => ({
          ...replyOf(reply, trace),
          ...(isCopy ? { dup: true } : {}),
        })),
        ...Array.from({ length: Math.max(0, sent - answeredCount(answers)) }, () => ({ x: "*" })),
      ],
    })),
  };
}

/** A reader takes a copy for one of the answer before it. */
function copiesBehind(answers: ReturnType<typeof byProbe>): ReturnType<typeof byProbe> {
  return answers.toSorted((a, b) => a.number - b.number);
}

/** A member of ours, which other readers skip: when the probe left, from the time of the result on. */
function sentOf(reply: TraceReply, result: Trace | Ping) {
  return { sent_us: sentUs(reply) - 1e6 * seconds(startUs(result)) };
}

function replyOf(reply: TraceReply, trace: Trace): object {
  const { reply_src_addr: from, reply_quoted_ttl: quoted } = reply;
  const rtt = rttMsOf(reply);
  const error = errorOf(reply, trace.protocol);
  return {
    ...{ from, ttl: reply.reply_ttl, size: payloadOf(wholeSize(reply.reply_size, from), from) },
    ...(rtt === null ? {} : { rtt }),
    ...(quoted > 1 ? { ittl: quoted } : {}),
    ...(error === null ? {} : { err: error }),
    ...(isTcp(reply) ? { flags: flagsOf(reply.reply_icmp_code) } : {}),
    vantage: { ...sentOf(reply, trace), ...(isTcp(reply) ? {} : icmpOf(reply, trace, error)) },
    ...(reply.reply_mpls_labels.length === 0 ? {} : { icmpext: labelsOf(reply) }),
  };
}

/** Type and code, where a reader could not infer them. */
function icmpOf(
  { reply_src_addr: from, reply_icmp_type: type, reply_icmp_code: code }: TraceReply,
  { protocol, address }: Pick<Trace, "protocol" | "address">,
  error: string | number | null,
): object {
  const said = { err: error ?? undefined, isV6: isV6(from), isTarget: from === address, protocol };
  const [knownType, knownCode] = atlasAnswerKind(said);
  return type === knownType && code === knownCode ? {} : { icmp_type: type, icmp_code: code };
}

/** Port unreachable is the expected answer of a trace's target, but to an ICMP probe. */
function errorOf(reply: TraceReply, protocol: string): string | number | null {
  const kind = kindOf(reply);
  if (kind.kind !== "unreachable") {
    return null;
  }
  const { family, code } = kind;
  if (code === portUnreachable[family]) {
    return protocol === "ICMP" ? "p" : null;
  }
  return (family === 6 ? errorsOfV6 : errorsOfV4)[code] ?? code;
}

function flagsOf(bits: number): string {
  return synAckFlags
    .filter(([bit]) => (bits & bit) !== 0)
    .map(([, letter]) => letter)
    .join("");
}

function labelsOf({ reply_mpls_labels: labels }: TraceReply): object {
  const mpls = labels.map(({ label, exp, bottom_of_stack: bottom, ttl }) => ({
    label,
    exp,
    s: Number(bottom),
    ttl,
  }));
  return { version: 2, rfc4884: 1, obj: [{ class: 1, type: 1, mpls }] };
}

/** Bytes of a packet, which has its IP header, without headers. */
function payloadOf(bytes: number, address: string): number {
  return Math.max(0, bytes - (isV6(address) ? 40 : 20) - headerBytes);
}
