/** A trace as an object of warts, type 6: a record for each answer. */
import {
  byProbe,
  byTtl,
  endUs,
  greatestTtl,
  inOrderOfSending,
  isReached,
  isTcp,
  kindOf,
  probeBytes,
  rttMsOf,
  sentUs,
  sourceOf,
  startUs,
  type Trace,
  type TraceReply,
  wholeSize,
} from "./trace.ts";
import type { WartsResult } from "./warts.ts";
import { WartsBytes, wartsTypes } from "./warts-bytes.ts";
import { mplsExtensions } from "./warts-extensions.ts";
import { countsByAttempts, isSame, writeCounts } from "./warts-probe-counts.ts";

const methods: Readonly<Record<string, number>> = { ICMP: 4, ICMPv6: 4, UDP: 5, TCP: 3 };
const stopReasons = { completed: 1, unreachable: 2, hopLimit: 7 } as const;
/**
 * Attempts continue after an answer; the destination port of an ICMP trace holds the checksum that all its probes
 * share.
 */
const traceFlags = { allAttempts: 1, checksumIsFlow: 0x20 } as const;
const hopFlags = { replyTtlKnown: 0x10, isTcp: 0x20 } as const;

export function wartsTrace(trace: Trace): WartsResult {
  const { measurement_id: measurement, agent } = trace;
  return {
    ...{ measurement, agent, startUs: startUs(trace), endUs: endUs(trace), type: wartsTypes.trace },
    content: (list) => traceContent(trace, list),
  };
}

function traceContent(trace: Trace, list: number): WartsBytes {
  const { address, protocol, src_port: srcPort, dst_port: dstPort, probes, replies } = trace;
  const hops = byTtl(trace).flatMap(({ answers }) =>
    byProbe(inOrderOfSending(answers)).map(({ reply, number: attempt }) => ({ reply, attempt })),
  );
  const firstTtl = probes[0]?.ttl ?? 1;
  const lastTtl = Math.max(1, greatestTtl(probes), ...replies.map(({ probe_ttl: ttl }) => ttl));
  const sent = Math.max(1, ...probes.map((one) => one.sent));
  const isIcmp = protocol.startsWith("ICMP");
  const isEven = probes.every((one) => one.sent === sent);
  const flags = (isEven ? traceFlags.allAttempts : 0) | (isIcmp ? traceFlags.checksumIsFlow : 0);
  const [reason, data] = stopOf(trace);
  const start = startUs(trace);
  const content = new WartsBytes().parameters([
    [1, (to) => to.u32(list)],
    [2, (to) => to.u32(list)],
    [5, start === null ? null : (to) => to.time(start)],
    [6, (to) => to.u8(reason)],
    [7, (to) => to.u8(data)],
    [8, flags === 0 ? null : (to) => to.u8(flags)],
    [9, (to) => to.u8(sent)],
    [10, (to) => to.u8(lastTtl)],
    [11, (to) => to.u8(methods[protocol] ?? 0)],
    [12, (to) => to.u16(probeBytes({ ...trace, ttl: greatestTtl(probes) }))],
    [13, (to) => to.u16(srcPort)],
    [14, (to) => to.u16(dstPort)],
    [15, (to) => to.u8(firstTtl)],
    [16, (to) => to.u8(0)],
    [17, (to) => to.u8(5)],
    [18, (to) => to.u8(0)],
    // The greatest TTL, or silent hops at the end would vanish.
    [19, (to) => to.u16(lastTtl)],
    [20, (to) => to.u8(0)],
    [21, (to) => to.u8(1)],
    [22, (to) => to.u8(0)],
    [23, (to) => to.u16(probes.reduce((all, one) => all + one.sent, 0))],
    [24, (to) => to.u8(0)],
    [25, (to) => to.u8(0)],
    [26, (to) => to.address(sourceOf(trace))],
    [27, (to) => to.address(address)],
  ]);
  content.u16(hops.length);
  for (const { reply, attempt } of hops) {
    hop(content, reply, attempt);
  }
  const answers = hops.map(({ reply, attempt }) => ({ ttl: reply.probe_ttl, attempt }));
  const said = { first: firstTtl, last: lastTtl, attempts: sent, isAll: isEven, answers };
  if (!isSame(probes, countsByAttempts(said))) {
    writeCounts(content, probes);
  }
  return content.u16(0);
}

function stopOf(trace: Trace): readonly [reason: number, data: number] {
  if (isReached(trace)) {
    return [stopReasons.completed, 0];
  }
  const refused = trace.replies.find((reply) => kindOf(reply).kind === "unreachable");
  return refused === undefined
    ? [stopReasons.hopLimit, 0]
    : [stopReasons.unreachable, refused.reply_icmp_code];
}

function hop(to: WartsBytes, reply: TraceReply, attempt: number): void {
  const { reply_icmp_type: type, reply_icmp_code: code } = reply;
  const rttMs = rttMsOf(reply);
  // Errors quote the probe; echo replies and TCP do not.
  const [isSegment, isQuote] = [isTcp(reply), !isTcp(reply) && kindOf(reply).kind !== "echo_reply"];
  const { reply_mpls_labels: labels, reply_next_hop_mtu: mtu = 0 } = reply;
  const { reply_quoted_traffic_class: trafficClass = 0 } = reply;
  to.parameters([
    [2, (part) => part.u8(reply.probe_ttl)],
    [3, (part) => part.u8(reply.reply_ttl)],
    [4, (part) => part.u8(hopFlags.replyTtlKnown | (isSegment ? hopFlags.isTcp : 0))],
    [5, (part) => part.u8(attempt)],
    [6, rttMs === null ? null : (part) => part.u32(Math.round(1000 * rttMs))],
    [7, isSegment ? null : (part) => part.u8(type).u8(code)],
    [8, (part) => part.u16(wholeSize(reply.probe_size, reply.probe_src_addr))],
    [9, (part) => part.u16(wholeSize(reply.reply_size, reply.reply_src_addr))],
    [10, (part) => part.u16(reply.reply_id)],
    [11, (part) => part.u8(0)],
    [12, isQuote && mtu > 0 ? (part) => part.u16(mtu) : null],
    [13, isQuote ? (part) => part.u16(wholeSize(reply.probe_size, reply.probe_src_addr)) : null],
    [14, isQuote ? (part) => part.u8(reply.reply_quoted_ttl) : null],
    [15, isSegment ? (part) => part.u8(code) : null],
    [16, isQuote ? (part) => part.u8(trafficClass) : null],
    [17, labels.length === 0 ? null : (part) => mplsExtensions(part, labels)],
    [18, (part) => part.address(reply.reply_src_addr)],
    [19, rttMs === null ? null : (part) => part.time(sentUs(reply))],
  ]);
}
