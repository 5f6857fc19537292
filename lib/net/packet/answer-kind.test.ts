import { describe, expect, test } from "bun:test";
import { type AnswerKind, answerKindOf } from "./answer-kind.ts";
import { ianaNumber } from "./probe.ts";

describe("the kind of an answer", () => {
  const { icmp, icmpv6, tcp, udp } = ianaNumber;
  test.each<[string, number, number, number, AnswerKind]>([
    ["IPv4 time exceeded", icmp, 11, 0, { kind: "ttl_exceeded" }],
    ["IPv4 echo reply", icmp, 0, 0, { kind: "echo_reply" }],
    ["IPv4 unreachable", icmp, 3, 13, { kind: "unreachable", family: 4, code: 13 }],
    ["IPv4 parameter problem", icmp, 12, 1, { kind: "other_error", type: 12, code: 1 }],
    ["IPv6 time exceeded", icmpv6, 3, 0, { kind: "ttl_exceeded" }],
    ["IPv6 echo reply", icmpv6, 129, 0, { kind: "echo_reply" }],
    ["IPv6 unreachable", icmpv6, 1, 4, { kind: "unreachable", family: 6, code: 4 }],
    ["IPv6 packet too big", icmpv6, 2, 0, { kind: "too_big" }],
    ["SYN-ACK", tcp, 0, 0x12, { kind: "syn_ack" }],
    ["RST", tcp, 0, 0x04, { kind: "reset" }],
    ["RST-ACK", tcp, 0, 0x14, { kind: "reset" }],
    ["DNS, REFUSED", udp, 0, 5, { kind: "dns_answer", code: 5, truncated: false }],
    ["DNS, truncated", udp, 0, 128, { kind: "dns_answer", code: 0, truncated: true }],
  ])("%s", (_name, replyProtocol, replyIcmpType, replyIcmpCode, kind) => {
    expect(answerKindOf({ replyProtocol, replyIcmpType, replyIcmpCode })).toEqual(kind);
  });
});
