/**
 * What every field of a Reply holds, for each protocol and kind of answer: the one table, as data.
 *
 * A cell names a source; `sourceTexts` says in words what each source is, docs/reply-fields.md shows the table, and
 * a test takes real probes and answers, computes each source from their bytes and compares it with what the reader
 * of lib/packet says. So the page cannot promise what the code does not do.
 */

/**
 * An ICMP or ICMPv6 error quotes the probe; an echo reply and a TCP SYN-ACK or RST come from the target itself and
 * quote nothing.
 */
export const replyKinds = ["icmpError", "echoReply", "tcpAnswer"] as const;
export type ReplyKind = (typeof replyKinds)[number];

/** Each kind of answer with each protocol of probe that can cause it; ICMPv6 is as ICMP. */
export const replyColumns = [
  { id: "udpError", title: "UDP probe, ICMP error", kind: "icmpError" },
  { id: "icmpError", title: "ICMP probe, ICMP error", kind: "icmpError" },
  { id: "tcpError", title: "TCP probe, ICMP error", kind: "icmpError" },
  { id: "echoReply", title: "ICMP probe, echo reply", kind: "echoReply" },
  { id: "tcpAnswer", title: "TCP probe, SYN-ACK or RST", kind: "tcpAnswer" },
] as const satisfies readonly { id: string; title: string; kind: ReplyKind }[];
export type ReplyColumn = (typeof replyColumns)[number]["id"];

/** Where a value comes from. "Answer" is the packet that was captured, outside any quote. */
export const sourceTexts = {
  captureTime: "capture time stamp",
  agentId: "id of the capturing agent",
  answerSource: "source address of the answer",
  answerDestination: "destination address of the answer",
  answerId: "IPv4 identification; IPv6: 0",
  answerSize: "IPv4 total length; IPv6 payload length",
  answerTtl: "TTL (hop limit) of the answer",
  answerProtocol: "1 (ICMP), 58 (ICMPv6)",
  icmpType: "ICMP type",
  icmpCode: "ICMP code",
  echoIdentifier: "ICMP identifier",
  echoTtl: "ICMP payload length − 10",
  mplsLabels: "label stack (RFC 4950), top first; empty without one",
  noLabels: "empty",
  quotedSource: "quoted source address",
  quotedDestination: "quoted destination address",
  quotedId: "quoted IPv4 identification; IPv6: 0",
  quotedSize: "quoted IPv4 total length; IPv6 payload length",
  quotedTtl: "quoted TTL (hop limit)",
  quotedProtocol: "17 (UDP), 1 (ICMP), 58 (ICMPv6), 6 (TCP), as quoted",
  quotedSourcePort: "quoted source port",
  quotedDestinationPort: "quoted destination port",
  quotedIdentifier: "quoted ICMP identifier",
  quotedUdpTtl: "quoted UDP length − 18",
  quotedIcmpTtl: "quoted IP payload length − 18",
  quotedTcpTtl: "bits 8–15 of the quoted sequence number",
  tcpProtocol: "6",
  tcpFlags: "TCP flags: 18 SYN-ACK, 20 RST-ACK",
  tcpProbeSize: "40 (IPv4), 20 (IPv6): our SYN",
  tcpAcknowledgedTtl: "bits 8–15 of the acknowledgement − 1",
  answerDestinationPort: "destination port of the answer",
  answerSourcePort: "source port of the answer",
  roundTripTime: "received − sent; 65535 unknown",
  zero: "0",
} as const;
export type ReplySource = keyof typeof sourceTexts;

/** A field by its name in reply.capnp. */
export interface ReplyField {
  readonly name: string;
  readonly unit: string;
  readonly sources: Readonly<Record<ReplyColumn, ReplySource>>;
}

/** In the order of their ordinals. */
export const replyFields: readonly ReplyField[] = [
  same("timeReceivedNs", "ns since 1970", "captureTime"),
  same("agentId", "text", "agentId"),
  same("replySrcAddr", "16 bytes", "answerSource"),
  same("replyDstAddr", "16 bytes", "answerDestination"),
  same("replyId", "number", "answerId"),
  same("replySize", "bytes", "answerSize"),
  same("replyTtl", "hops", "answerTtl"),
  byKind("replyQuotedTtl", "hops", "quotedTtl", "zero", "zero"),
  byKind("replyProtocol", "IANA", "answerProtocol", "answerProtocol", "tcpProtocol"),
  byKind("replyIcmpType", "number", "icmpType", "icmpType", "zero"),
  byKind("replyIcmpCode", "number", "icmpCode", "icmpCode", "tcpFlags"),
  byKind("replyMplsLabel", "list", "mplsLabels", "noLabels", "noLabels"),
  byKind("probeSrcAddr", "16 bytes", "quotedSource", "answerDestination", "answerDestination"),
  byKind("probeDstAddr", "16 bytes", "quotedDestination", "answerSource", "answerSource"),
  byKind("probeId", "number", "quotedId", "zero", "zero"),
  byKind("probeSize", "bytes", "quotedSize", "answerSize", "tcpProbeSize"),
  {
    name: "probeTtl",
    unit: "hops",
    sources: {
      udpError: "quotedUdpTtl",
      icmpError: "quotedIcmpTtl",
      tcpError: "quotedTcpTtl",
      echoReply: "echoTtl",
      tcpAnswer: "tcpAcknowledgedTtl",
    },
  },
  byKind("probeProtocol", "IANA", "quotedProtocol", "answerProtocol", "tcpProtocol"),
  {
    name: "probeSrcPort",
    unit: "number",
    sources: {
      udpError: "quotedSourcePort",
      icmpError: "quotedIdentifier",
      tcpError: "quotedSourcePort",
      echoReply: "echoIdentifier",
      tcpAnswer: "answerDestinationPort",
    },
  },
  {
    name: "probeDstPort",
    unit: "number",
    sources: {
      udpError: "quotedDestinationPort",
      icmpError: "zero",
      tcpError: "quotedDestinationPort",
      echoReply: "zero",
      tcpAnswer: "answerSourcePort",
    },
  },
  same("rtt", "0.1 ms", "roundTripTime"),
];

function same(name: string, unit: string, source: ReplySource): ReplyField {
  return byKind(name, unit, source, source, source);
}

function byKind(
  name: string,
  unit: string,
  error: ReplySource,
  echoReply: ReplySource,
  tcpAnswer: ReplySource,
): ReplyField {
  return {
    name,
    unit,
    sources: { udpError: error, icmpError: error, tcpError: error, echoReply, tcpAnswer },
  };
}
