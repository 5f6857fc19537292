/** The columns of a list of replies. Pure. */
import { formatAddress } from "../ip/address.ts";
import type { Reply } from "../packet/reply.ts";
import { labelJson } from "../paths/hops-json.ts";
import { kindOf } from "../paths/path.ts";
import { kindInWords, labelsInWords } from "../paths/words.ts";
import { rttMsOf, type StoredReply } from "../store/clickhouse/replies-query.ts";
import type { Column } from "../terminal/rows-output.ts";
import { protocolText } from "./protocol-text.ts";

export const replyColumns: readonly Column<StoredReply>[] = [
  { name: "time_received", head: "time (UTC)", value: timeText, cell: shortTimeText },
  { name: "measurement_id", head: null, value: ({ measurementId }) => measurementId },
  { name: "agent_id", head: "agent", value: ({ reply }) => reply.agentId },
  { name: "probe_agent", head: null, value: ({ probeAgent }) => probeAgent },
  { name: "probe_instance", head: null, value: ({ probeInstance }) => probeInstance },
  { name: "probe_src_addr", head: null, value: ({ reply }) => formatAddress(reply.probeSrcAddr) },
  { name: "probe_dst_addr", head: "destination", value: ({ reply }) => formatAddress(reply.probeDstAddr) },
  { name: "probe_protocol", head: "protocol", value: ({ reply }) => protocolText(reply.probeProtocol) },
  number("probe_src_port", "src", ({ probeSrcPort }) => probeSrcPort),
  number("probe_dst_port", "dst", ({ probeDstPort }) => probeDstPort),
  number("probe_ttl", "ttl", ({ probeTtl }) => probeTtl),
  { name: "reply_src_addr", head: "answer from", value: ({ reply }) => formatAddress(reply.replySrcAddr) },
  {
    name: "rtt_ms",
    head: "rtt ms",
    align: "right",
    value: ({ reply }) => rttMsOf(reply.rttTenthMs),
    text: ({ reply }) => rttMsOf(reply.rttTenthMs)?.toFixed(1) ?? "",
  },
  { name: "reply_dst_addr", head: null, value: ({ reply }) => formatAddress(reply.replyDstAddr) },
  number("reply_protocol", null, ({ replyProtocol }) => replyProtocol),
  number("reply_icmp_type", null, ({ replyIcmpType }) => replyIcmpType),
  number("reply_icmp_code", null, ({ replyIcmpCode }) => replyIcmpCode),
  number("reply_ttl", null, ({ replyTtl }) => replyTtl),
  number("reply_quoted_ttl", null, ({ replyQuotedTtl }) => replyQuotedTtl),
  number("reply_id", null, ({ replyId }) => replyId),
  number("reply_size", null, ({ replySize }) => replySize),
  number("probe_id", null, ({ probeId }) => probeId),
  number("probe_size", null, ({ probeSize }) => probeSize),
  {
    name: "reply_mpls_labels",
    head: null,
    value: ({ reply }) => reply.replyMplsLabels.map(labelJson),
    text: ({ reply }) => labelsText(reply),
  },
  { name: "says", head: "", value: ({ reply }) => kindInWords(kindOf(reply)), cell: notes },
  { name: "attribution", head: null, value: ({ attribution }) => attribution },
];

function number(name: string, head: string | null, value: (reply: Reply) => number): Column<StoredReply> {
  return { name, head, align: "right", value: ({ reply }) => value(reply) };
}

/** RFC 3339 with nanoseconds. */
function timeText({ reply }: StoredReply): string {
  const seconds = new Date(Number(reply.timeReceivedNs / 1_000_000_000n) * 1000).toISOString().slice(0, 19);
  return `${seconds}.${String(reply.timeReceivedNs % 1_000_000_000n).padStart(9, "0")}Z`;
}

/** `2026-01-31 12:00:00.123`. */
function shortTimeText(stored: StoredReply): string {
  return timeText(stored).replace("T", " ").slice(0, 23);
}

/** `24015/0/1/1|16/0/1/2`: label, traffic class, bottom of stack, TTL of each entry, the outermost first. */
function labelsText({ replyMplsLabels }: Reply): string {
  return replyMplsLabels
    .map(({ label, exp, bottomOfStack, ttl }) => `${label}/${exp}/${Number(bottomOfStack)}/${ttl}`)
    .join("|");
}

function notes({ reply, probeAgent, probeInstance }: StoredReply): string {
  const isOthers = probeAgent !== "" && probeAgent !== reply.agentId;
  const others = isOthers ? `probe of ${probeAgent}/${probeInstance}` : "";
  return [others, labelsInWords(reply.replyMplsLabels), kindInWords(kindOf(reply))]
    .filter((text) => text !== "")
    .join("  ");
}
