/**
 * The table of a reply's fields, as data: where each lies on the wire, its column in the store, its name in
 * JSON, and what it holds for each protocol and kind of answer.
 *
 * Derived from it are the inserted blocks (lib/engines/store/clickhouse/reply-block.ts), the queries to the store, rows
 * in JSON and CSV, their description in the OpenAPI document, and the way back (lib/answers/results/views/replies.ts).
 * A cell names a source; `sourceTexts` describes each source and docs/reference/reply-fields.md shows the table. A test
 * computes each source from the bytes of real probes and answers and compares it with the reader's value in
 * lib/net/packet, so the page cannot promise what the code does not do.
 */
import type { Reply } from "../packet/reply.ts";
import * as at from "./layout.ts";
import type { ReplySource } from "./reply-sources.ts";

/**
 * An ICMP or ICMPv6 error quotes the probe; an echo reply, a TCP SYN-ACK or RST and a name server's answer come from
 * the target itself and quote nothing.
 */
const replyKinds = ["icmpError", "echoReply", "tcpAnswer", "dnsAnswer"] as const;
type ReplyKind = (typeof replyKinds)[number];

/** Each kind of answer with each protocol of probe that can cause it; ICMPv6 is as ICMP. */
export const replyColumns = [
  { id: "udpError", title: "UDP probe, ICMP error", kind: "icmpError" },
  { id: "icmpError", title: "ICMP probe, ICMP error", kind: "icmpError" },
  { id: "tcpError", title: "TCP probe, ICMP error", kind: "icmpError" },
  { id: "echoReply", title: "ICMP probe, echo reply", kind: "echoReply" },
  { id: "tcpAnswer", title: "TCP probe, SYN-ACK or RST", kind: "tcpAnswer" },
  { id: "dnsAnswer", title: "DNS probe, answer", kind: "dnsAnswer" },
] as const satisfies readonly { id: string; title: string; kind: ReplyKind }[];
export type ReplyColumn = (typeof replyColumns)[number]["id"];

/** A field's form in the message: its width in the data section, or what its pointer leads to. */
export type WireForm = "u8" | "u16" | "u32" | "u64" | "text" | "address" | "labels";

/** A field by its name in reply.capnp. */
export interface ReplyField {
  readonly name: string;
  /** In `Reply` of lib/net/packet. */
  readonly member: keyof Reply;
  readonly form: WireForm;
  /** Byte offset in the data section; of text, addresses and labels the index of the pointer. */
  readonly at: number;
  /** In `measure.replies`. */
  readonly column: string;
  /** In JSON and CSV; the unit last. */
  readonly json: string;
  /** On the wire and in the store. */
  readonly unit: string;
  readonly meaning: string;
  readonly sources: Readonly<Record<ReplyColumn, ReplySource>>;
}

type FieldPosition = Pick<ReplyField, "name" | "form" | "at">;

const place =
  (form: WireForm) =>
  (name: string, at: number): FieldPosition => ({ name, form, at });
const [u8, u16, u32, u64] = [place("u8"), place("u16"), place("u32"), place("u64")];
const [text, address, labels] = [place("text"), place("address"), place("labels")];

/** In the order of their ordinals. */
export const replyFields: readonly ReplyField[] = [
  {
    ...field(u64("timeReceivedNs", at.replyTimeReceivedNsOffset), "ns since 1970", "capture time, UTC"),
    json: "time_received",
    sources: same("captureTime"),
  },
  {
    ...field(text("agentId", at.replyAgentIdPointer), "text", "agent that captured the answer"),
    sources: same("agentId"),
  },
  {
    ...field(address("replySrcAddr", at.replyReplySrcAddrPointer), "16 bytes", "source of the answer"),
    sources: same("answerSource"),
  },
  {
    ...field(address("replyDstAddr", at.replyReplyDstAddrPointer), "16 bytes", "destination of the answer"),
    sources: same("answerDestination"),
  },
  {
    ...field(u16("replyId", at.replyReplyIdOffset), "number", "IPv4 identification of the answer; IPv6: 0"),
    sources: same("answerId"),
  },
  {
    ...field(u16("replySize", at.replyReplySizeOffset), "bytes", "IPv4 total length, IPv6 payload length"),
    sources: same("answerSize"),
  },
  {
    ...field(u8("replyTtl", at.replyReplyTtlOffset), "hops", "TTL (hop limit) of the answer"),
    sources: same("answerTtl"),
  },
  {
    ...field(u8("replyQuotedTtl", at.replyReplyQuotedTtlOffset), "hops", "TTL in the packet that is quoted"),
    sources: byKind("quotedTtl", "zero", "zero", "zero"),
  },
  {
    ...field(u8("replyProtocol", at.replyReplyProtocolOffset), "IANA", "protocol of the answer"),
    sources: byKind("answerProtocol", "answerProtocol", "tcpProtocol", "udpProtocol"),
  },
  {
    ...field(u8("replyIcmpType", at.replyReplyIcmpTypeOffset), "number", "ICMP type of the answer"),
    sources: byKind("icmpType", "icmpType", "zero", "zero"),
  },
  {
    ...field(
      u8("replyIcmpCode", at.replyReplyIcmpCodeOffset),
      "number",
      "ICMP code; of TCP its flags, of DNS its response code",
    ),
    sources: byKind("icmpCode", "icmpCode", "tcpFlags", "responseCode"),
  },
  {
    ...field(labels("replyMplsLabel", at.replyReplyMplsLabelPointer), "list", "MPLS label stack, top first"),
    ...{ member: "replyMplsLabels", column: "reply_mpls_labels", json: "reply_mpls_labels" },
    sources: byKind("mplsLabels", "noLabels", "noLabels", "noLabels"),
  },
  {
    ...field(address("probeSrcAddr", at.replyProbeSrcAddrPointer), "16 bytes", "source of the probe"),
    sources: byKind("quotedSource", "answerDestination", "answerDestination", "answerDestination"),
  },
  {
    ...field(address("probeDstAddr", at.replyProbeDstAddrPointer), "16 bytes", "destination of the probe"),
    sources: byKind("quotedDestination", "answerSource", "answerSource", "answerSource"),
  },
  {
    ...field(u16("probeId", at.replyProbeIdOffset), "number", "IPv4 identification of the probe; IPv6: 0"),
    sources: byKind("quotedId", "zero", "zero", "zero"),
  },
  {
    ...field(u16("probeSize", at.replyProbeSizeOffset), "bytes", "IPv4 total length, IPv6 payload length"),
    sources: byKind("quotedSize", "answerSize", "tcpProbeSize", "dnsProbeSize"),
  },
  {
    ...field(u8("probeTtl", at.replyProbeTtlOffset), "hops", "TTL that the probe was sent with"),
    sources: {
      udpError: "quotedUdpTtl",
      icmpError: "quotedIcmpTtl",
      tcpError: "quotedTcpTtl",
      echoReply: "echoTtl",
      tcpAnswer: "tcpAcknowledgedTtl",
      dnsAnswer: "questionTtl",
    },
  },
  {
    ...field(u8("probeProtocol", at.replyProbeProtocolOffset), "IANA", "UDP, ICMP, ICMPv6 or TCP"),
    sources: byKind("quotedProtocol", "answerProtocol", "tcpProtocol", "udpProtocol"),
  },
  {
    ...field(
      u16("probeSrcPort", at.replyProbeSrcPortOffset),
      "number",
      "source port; of ICMP the identifier",
    ),
    sources: {
      udpError: "quotedSourcePort",
      icmpError: "quotedIdentifier",
      tcpError: "quotedSourcePort",
      echoReply: "echoIdentifier",
      tcpAnswer: "answerDestinationPort",
      dnsAnswer: "answerDestinationPort",
    },
  },
  {
    ...field(u16("probeDstPort", at.replyProbeDstPortOffset), "number", "destination port; of ICMP 0"),
    sources: {
      udpError: "quotedDestinationPort",
      icmpError: "zero",
      tcpError: "quotedDestinationPort",
      echoReply: "zero",
      tcpAnswer: "answerSourcePort",
      dnsAnswer: "answerSourcePort",
    },
  },
  {
    ...field(u16("rtt", at.replyRttOffset), "0.1 ms", "round-trip time; null when it is not known"),
    ...{ member: "rttTenthMs", json: "rtt_ms" },
    sources: same("roundTripTime"),
  },
  {
    ...field(
      u32("rttUs", at.replyRttUsOffset),
      "µs",
      "round-trip time; null when it is known to 0.1 ms only, or not at all",
    ),
    sources: same("fineRoundTripTime"),
  },
  {
    ...field(
      u8("replyQuotedTrafficClass", at.replyReplyQuotedTrafficClassOffset),
      "number",
      "DSCP (upper 6 bits) and ECN in the packet that is quoted",
    ),
    sources: byKind("quotedTrafficClass", "zero", "zero", "zero"),
  },
  {
    ...field(
      u16("replyNextHopMtu", at.replyReplyNextHopMtuOffset),
      "bytes",
      "MTU that the router reports of its next hop; 0 without one",
    ),
    sources: byKind("nextHopMtu", "zero", "zero", "zero"),
  },
  {
    ...field(
      u32("replyQuotedFlowLabel", at.replyReplyQuotedFlowLabelOffset),
      "number",
      "IPv6 flow label in the packet that is quoted; IPv4: 0",
    ),
    sources: byKind("quotedFlowLabel", "zero", "zero", "zero"),
  },
  {
    ...field(
      text("replySite", at.replyReplySitePointer),
      "text",
      "what a name server's site calls itself; empty without a DNS probe",
    ),
    sources: { ...same("noText"), dnsAnswer: "siteName" },
  },
  {
    ...field(
      u8("replyRewritten", at.replyReplyRewrittenOffset),
      "bits",
      "what is quoted otherwise than it was sent: 1 source, 2 source port, 4 destination, 8 checksum, " +
        "16 identification",
    ),
    sources: byKind("rewritten", "zero", "zero", "zero"),
  },
  {
    ...field(
      u16("replyQuotedSrcPort", at.replyReplyQuotedSrcPortOffset),
      "number",
      "source port or ICMP identifier that is quoted; 0 as sent",
    ),
    sources: { ...byKind("rewrittenSourcePort", "zero", "zero", "zero"), icmpError: "rewrittenIdentifier" },
  },
  {
    ...field(
      u16("replyChecksumDelta", at.replyReplyChecksumDeltaOffset),
      "number",
      "quoted checksum minus the one that was sent, modulo 65535",
    ),
    sources: byKind("checksumDelta", "zero", "zero", "zero"),
  },
  {
    ...field(
      address("replyQuotedSrcAddr", at.replyReplyQuotedSrcAddrPointer),
      "16 bytes",
      "source that is quoted; :: as sent",
    ),
    sources: byKind("rewrittenSource", "noAddress", "noAddress", "noAddress"),
  },
];

function field(position: FieldPosition, unit: string, meaning: string) {
  const column = position.name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return { ...position, member: position.name as keyof Reply, column, json: column, unit, meaning };
}

function same(source: ReplySource): ReplyField["sources"] {
  return byKind(source, source, source, source);
}

function byKind(
  error: ReplySource,
  echoReply: ReplySource,
  tcpAnswer: ReplySource,
  dnsAnswer: ReplySource,
): ReplyField["sources"] {
  return { udpError: error, icmpError: error, tcpError: error, echoReply, tcpAnswer, dnsAnswer };
}
