/**
 * Traces as scamper's binary format, for its own tools and all that read them (warts(5); objects of type 1, 2, 4, 6).
 *
 * A list and a cycle for each measurement and agent, which is the list's monitor, stand before their traces. An RTT
 * that is not known is left out, and readers show 0.
 */
import {
  byTtl,
  endUs,
  isReached,
  isTcp,
  kindOf,
  sentUs,
  sourceOf,
  startUs,
  type Trace,
  type TraceReply,
  wholeSize,
} from "./trace.ts";
import { WartsBytes, wartsObject } from "./warts-bytes.ts";

const types = { list: 1, cycleStart: 2, cycleStop: 4, trace: 6 } as const;
const methods: Readonly<Record<string, number>> = { ICMP: 4, ICMPv6: 4, UDP: 5, TCP: 3 };
const stopReasons = { completed: 1, unreachable: 2, hopLimit: 7 } as const;
/** The destination port of an ICMP trace holds the checksum that all its probes share. */
const checksumIsFlow = 0x20;
const hopFlags = { replyTtlKnown: 0x10, isTcp: 0x20 } as const;
const mpls = { class: 1, type: 1 } as const;

/** Objects, one after the other. */
export class WartsWriter {
  /** By measurement and agent. */
  readonly #lists = new Map<string, { readonly id: number; stopUs: number }>();

  trace(trace: Trace): Uint8Array {
    const { measurement_id: measurement, agent } = trace;
    const key = JSON.stringify([measurement, agent]);
    const known = this.#lists.get(key);
    const list = known ?? { id: this.#lists.size + 1, stopUs: 0 };
    this.#lists.set(key, list);
    list.stopUs = Math.max(list.stopUs, endUs(trace) ?? 0);
    const heads = known === undefined ? listAndCycle(list.id, measurement, agent, startUs(trace) ?? 0) : [];
    return Buffer.concat([...heads, traceObject(trace, list.id)]);
  }

  /** The ends of the cycles. */
  end(): Uint8Array {
    return Buffer.concat(
      [...this.#lists.values()].map(({ id, stopUs }) =>
        wartsObject(
          types.cycleStop,
          new WartsBytes()
            .u32(id)
            .u32(Math.floor(stopUs / 1e6))
            .parameters([]),
        ),
      ),
    );
  }
}

function listAndCycle(id: number, measurement: string, agent: string, us: number): Uint8Array[] {
  const list = new WartsBytes().u32(id).u32(id).text(measurement);
  list.parameters([[2, (to) => to.text(agent)]]);
  const cycle = new WartsBytes()
    .u32(id)
    .u32(id)
    .u32(id)
    .u32(Math.floor(us / 1e6));
  cycle.parameters([[2, (to) => to.text(agent)]]);
  return [wartsObject(types.list, list), wartsObject(types.cycleStart, cycle)];
}

function traceObject(trace: Trace, list: number): Uint8Array {
  const { address, protocol, src_port: srcPort, dst_port: dstPort, probes, replies } = trace;
  const hops = byTtl(trace).flatMap(({ answers }) =>
    answers.toSorted((a, b) => sentUs(a) - sentUs(b)).map((reply, attempt) => ({ reply, attempt })),
  );
  const lastTtl = Math.max(1, ...probes.map(({ ttl }) => ttl), ...replies.map(({ probe_ttl: ttl }) => ttl));
  const sent = Math.max(1, ...probes.map((one) => one.sent));
  const isIcmp = protocol.startsWith("ICMP");
  const size = Math.max(0, ...replies.map(({ probe_size: bytes }) => wholeSize(bytes, address)));
  const [reason, data] = stopOf(trace);
  const start = startUs(trace);
  const content = new WartsBytes().parameters([
    [1, (to) => to.u32(list)],
    [2, (to) => to.u32(list)],
    [5, start === null ? null : (to) => to.time(start)],
    [6, (to) => to.u8(reason)],
    [7, (to) => to.u8(data)],
    [8, isIcmp ? (to) => to.u8(checksumIsFlow) : null],
    [9, (to) => to.u8(sent)],
    [10, (to) => to.u8(lastTtl)],
    [11, (to) => to.u8(methods[protocol] ?? 0)],
    [12, (to) => to.u16(size)],
    [13, (to) => to.u16(srcPort)],
    [14, (to) => to.u16(dstPort)],
    [15, (to) => to.u8(probes[0]?.ttl ?? 1)],
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
  return wartsObject(types.trace, content.u16(0));
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
  const { reply_icmp_type: type, reply_icmp_code: code, rtt_ms: rttMs } = reply;
  // Errors quote the probe; echo replies and TCP do not.
  const [isSegment, isQuote] = [isTcp(reply), !isTcp(reply) && kindOf(reply).kind !== "echo_reply"];
  const { reply_mpls_labels: labels } = reply;
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
    [13, isQuote ? (part) => part.u16(wholeSize(reply.probe_size, reply.probe_src_addr)) : null],
    [14, isQuote ? (part) => part.u8(reply.reply_quoted_ttl) : null],
    [15, isSegment ? (part) => part.u8(code) : null],
    [16, isQuote ? (part) => part.u8(0) : null],
    [17, labels.length === 0 ? null : (part) => extensions(part, reply)],
    [18, (part) => part.address(reply.reply_src_addr)],
    [19, rttMs === null ? null : (part) => part.time(sentUs(reply))],
  ]);
}

function extensions(to: WartsBytes, { reply_mpls_labels: labels }: TraceReply): void {
  const bytes = 4 * labels.length;
  to.u16(bytes + 4)
    .u16(bytes)
    .u8(mpls.class)
    .u8(mpls.type);
  for (const { label, exp, bottom_of_stack: bottom, ttl } of labels) {
    to.u32(((label << 12) | (exp << 9) | (Number(bottom) << 8) | ttl) >>> 0);
  }
}
