/** What kind of answer a reply is. */
import { ianaNumber } from "./probe.ts";
import type { Reply } from "./reply.ts";

export type AnswerKind =
  | { readonly kind: "ttl_exceeded" }
  | { readonly kind: "echo_reply" }
  | { readonly kind: "syn_ack" }
  | { readonly kind: "reset" }
  /** A name server's; `code` is its RCODE, 127 for those above. */
  | { readonly kind: "dns_answer"; readonly code: number; readonly truncated: boolean }
  | { readonly kind: "unreachable"; readonly family: 4 | 6; readonly code: number }
  /** ICMPv6 only (RFC 4443 s.3.2): over IPv4 it is a code of "unreachable". */
  | { readonly kind: "too_big" }
  | { readonly kind: "other_error"; readonly type: number; readonly code: number };

/** Classifies by ICMP type and code, TCP flags, or the response code of DNS; see docs/reference/reply-fields.md. */
export function answerKindOf(
  reply: Pick<Reply, "replyProtocol" | "replyIcmpType" | "replyIcmpCode">,
): AnswerKind {
  const { replyProtocol, replyIcmpType: type, replyIcmpCode: code } = reply;
  if (replyProtocol === ianaNumber.tcp) {
    return { kind: (code & 0x04) !== 0 ? "reset" : "syn_ack" };
  }
  if (replyProtocol === ianaNumber.udp) {
    return { kind: "dns_answer", code: code & 0x7f, truncated: code > 0x7f };
  }
  const ipv4 = replyProtocol === ianaNumber.icmp;
  if (type === (ipv4 ? 0 : 129)) {
    return { kind: "echo_reply" };
  }
  if (type === (ipv4 ? 11 : 3)) {
    return { kind: "ttl_exceeded" };
  }
  if (type === (ipv4 ? 3 : 1)) {
    return { kind: "unreachable", family: ipv4 ? 4 : 6, code };
  }
  return !ipv4 && type === 2 ? { kind: "too_big" } : { kind: "other_error", type, code };
}

/** Whether only the destination sends such an answer, whatever its source address: routers send the other kinds. */
export function isDestinationsKind({ kind }: AnswerKind): boolean {
  return kind === "echo_reply" || kind === "syn_ack" || kind === "reset" || kind === "dns_answer";
}

/** Whether the packet goes no further: no route, not allowed, too big. */
export function isRefusal({ kind }: AnswerKind): boolean {
  return kind === "unreachable" || kind === "too_big";
}

/** Whether the packet was larger than the next hop takes: of IPv4 a code of "unreachable" (RFC 1191). */
export function isTooBig(kind: AnswerKind): boolean {
  return kind.kind === "too_big" || (kind.kind === "unreachable" && kind.family === 4 && kind.code === 4);
}
