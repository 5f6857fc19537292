/** Replies in words: ICMP unreachable codes (IANA registry, RFC 792, 1122, 1812, 4443) and the rest. */
import type { AnswerKind } from "../../net/packet/answer-kind.ts";
import { dnsAnswerInWords } from "../../net/packet/dns-question.ts";
import type { MplsLabel } from "../../net/packet/reply.ts";

const unreachable4 = [
  "network unreachable",
  "host unreachable",
  "protocol unreachable",
  "port unreachable",
  "fragmentation needed",
  "source route failed",
  "network unknown",
  "host unknown",
  "source host isolated",
  "network administratively prohibited",
  "host administratively prohibited",
  "network unreachable for this type of service",
  "host unreachable for this type of service",
  "administratively prohibited",
  "host precedence violation",
  "precedence cut-off",
];
const unreachable6 = [
  "no route",
  "administratively prohibited",
  "beyond scope of source address",
  "address unreachable",
  "port unreachable",
  "source address failed policy",
  "reject route",
  "error in source routing header",
  "headers too long",
];

/** From this value on, three decimals would round to 10.000. */
const coarseFromMs = 9.9995;

/** Milliseconds to 0.1 ms: `0.1`, `12.3`; "?" when unknown. */
function tickMsInWords(ms: number | null | undefined): string {
  return ms == null ? "?" : ms.toFixed(1);
}

/** Milliseconds, with more decimals for small values: `0.042`, `12.30`; "?" when unknown. */
export function msInWords(ms: number | null | undefined): string {
  return ms == null ? "?" : ms.toFixed(ms < coarseFromMs ? 3 : 2);
}

/**
 * Round-trip times of one row, the lowest first and the highest last, as the store has them: to 0.1 ms if it knows no
 * more of them, else to the microsecond.
 */
export function storedMsInWords(times: readonly (number | null | undefined)[]): string[] {
  const isCoarse = [times[0], times.at(-1)].every(
    (ms) => ms == null || Number.isInteger(Math.round(1000 * ms) / 100),
  );
  return times.map(isCoarse ? tickMsInWords : msInWords);
}

/** Empty for the usual replies: time exceeded and echo reply. */
export function kindInWords(kind: AnswerKind): string {
  switch (kind.kind) {
    case "ttl_exceeded":
    case "echo_reply":
      return "";
    case "syn_ack":
      return "port open (SYN-ACK)";
    case "reset":
      return "port closed (RST)";
    case "dns_answer":
      return dnsAnswerInWords(kind.code, kind.truncated);
    case "unreachable":
      return (kind.family === 4 ? unreachable4 : unreachable6)[kind.code] ?? `unreachable, code ${kind.code}`;
    case "too_big":
      return "packet too big";
    case "other_error":
      return `ICMP error type ${kind.type} code ${kind.code}`;
  }
}

/** `MPLS 24015 exp 0 ttl 1 | 16 exp 0 ttl 2`, outermost first. */
export function labelsInWords(labels: readonly MplsLabel[]): string {
  const entries = labels.map(({ label, exp, ttl }) => `${label} exp ${exp} ttl ${ttl}`);
  return entries.length === 0 ? "" : `MPLS ${entries.join(" | ")}`;
}

/** `Reached in 7 hops`, or `7 to 9 hops` where flows differ; `ends` are the TTLs at which its flows end. */
export function reachedInWords(ends: readonly number[]): string {
  const known = ends.filter(Number.isFinite);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  return `Reached in ${low === high ? low : `${low} to ${high}`} ${high === 1 ? "hop" : "hops"}`;
}
