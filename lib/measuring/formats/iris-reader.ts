/**
 * Reads lines of Iris, each a traceroute with its flows, as rows from which ours are written: a trace for each flow.
 *
 * Iris stores answers only. So the probes of a trace are those that were answered: its loss is not known, and silent
 * hops are missing.
 */
import * as v from "valibot";
import type { PassedOver } from "../../base/list/passed-over.ts";
import { parseAddress } from "../../net/ip/address.ts";
import { rttUnknownTenthMs } from "../../net/packet/reply.ts";
import { type ImportedTrace, timeText } from "./imported-trace.ts";
import type { TraceReply } from "./trace.ts";

/** Flows of a traceroute, and answers of one: far more than Iris writes. */
const flowsMax = 4096;
const repliesMax = 65_536;
const labelsMax = 64;

/** Its store has IPv4 mapped into IPv6. */
const address = v.pipe(
  v.string(),
  v.transform((text) => text.replace(/^::ffff:(?=\d+\.)/i, "")),
  v.check((text) => parseAddress(text) !== null, "is not an address"),
);
const upTo = (most: number) => v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(most));
const port = upTo(65_535);
const byte = upTo(255);
const time = v.pipe(v.string(), v.isoTimestamp());

/** Captured at, TTL, quoted TTL, ICMP type and code, TTL and size of the answer, labels, address, RTT in 0.1 ms. */
const reply = v.tuple([
  ...([time, byte, byte, byte, byte, byte, port] as const),
  v.pipe(v.array(v.tuple([upTo(2 ** 20 - 1), upTo(7), upTo(1), byte])), v.maxLength(labelsMax)),
  address,
  // Up to a day.
  v.pipe(v.number(), v.minValue(0), v.maxValue(864_000_000)),
]);
type IrisReply = v.InferOutput<typeof reply>;

const traceroute = v.object({
  agent_uuid: v.string(),
  traceroute_start: time,
  ...{ probe_protocol: byte, probe_src_addr: address, probe_dst_addr: address },
  flows: v.pipe(
    v.array(
      v.object({
        ...{ probe_src_port: port, probe_dst_port: port },
        replies: v.pipe(v.array(v.unknown()), v.maxLength(repliesMax)),
      }),
    ),
    v.maxLength(flowsMax),
  ),
});
type IrisTraceroute = v.InferOutput<typeof traceroute>;

const protocols: Readonly<Record<number, string>> = { 1: "ICMP", 6: "TCP", 17: "UDP", 58: "ICMPv6" };

/** Whether an object of JSON is one of Iris, and not of RIPE Atlas. */
export function isOfIris(given: object): boolean {
  return "flows" in given && "traceroute_start" in given;
}

/** None for a skipped traceroute; `note` receives what is not accepted. */
export function tracesOfIris(given: object, place: string, note: PassedOver["note"]): ImportedTrace[] {
  const read = v.safeParse(traceroute, given);
  if (!read.success) {
    note({ reason: "result that cannot be read", place, detail: issueText(read.issues[0]), isDamage: true });
    return [];
  }
  const protocol = protocols[read.output.probe_protocol];
  if (protocol === undefined) {
    const detail = `probe_protocol: ${read.output.probe_protocol} is not ICMP, TCP, UDP or ICMPv6`;
    note({ reason: "result that cannot be read", place, detail, isDamage: true });
    return [];
  }
  return read.output.flows.map((flow) => traceOf(read.output, { flow, protocol, place, note }));
}

interface FlowPlace {
  readonly flow: IrisTraceroute["flows"][number];
  readonly protocol: string;
  readonly place: string;
  readonly note: PassedOver["note"];
}

function traceOf(given: IrisTraceroute, { flow, protocol, place, note }: FlowPlace): ImportedTrace {
  const isIcmp = protocol.startsWith("ICMP");
  const answers = flow.replies.flatMap((one) => {
    const read = v.safeParse(reply, one);
    if (!read.success) {
      const detail = issueText(read.issues[0]);
      note({ reason: "answer that cannot be read", place, detail, isDamage: true, fate: "left out" });
    }
    return read.success ? [read.output] : [];
  });
  const byTtl = Map.groupBy(answers, ([, ttl]) => ttl);
  return {
    ...{ agent: given.agent_uuid, address: given.probe_dst_addr, protocol, source: given.probe_src_addr },
    ...{ src_port: flow.probe_src_port, dst_port: isIcmp ? 0 : flow.probe_dst_port },
    startUs: usOf(given.traceroute_start),
    probes: [...byTtl].map(([ttl, own]) => ({ ttl, sent: own.length })).toSorted((a, b) => a.ttl - b.ttl),
    replies: answers.map((one) => replyOf(one, given)).toSorted((a, b) => a.probe_ttl - b.probe_ttl),
  };
}

function replyOf(
  [at, ttl, quotedTtl, icmpType, icmpCode, replyTtl, size, labels, from, rttTenthMs]: IrisReply,
  { probe_src_addr: source, probe_dst_addr: target }: IrisTraceroute,
): TraceReply {
  const isV6 = target.includes(":");
  return {
    ...{ time_received: timeText(usOf(at)), probe_ttl: ttl, reply_src_addr: from },
    rtt_ms: rttTenthMs === rttUnknownTenthMs ? null : rttTenthMs / 10,
    ...{ reply_ttl: replyTtl, reply_quoted_ttl: quotedTtl, reply_size: size, reply_id: 0 },
    ...{ reply_protocol: isV6 ? 58 : 1, reply_icmp_type: icmpType, reply_icmp_code: icmpCode },
    reply_mpls_labels: labels.map(([label, exp, bottom, ownTtl]) => ({
      ...{ label, exp, bottom_of_stack: bottom === 1, ttl: ownTtl },
    })),
    ...{ probe_src_addr: source, probe_size: 0 },
  };
}

/** RFC 3339 with up to microseconds; Iris writes no zone but Z. */
function usOf(text: string): number {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? "";
  const seconds = Date.parse(text.replace(/\.\d+/, "")) * 1000;
  return seconds + Number(fraction.padEnd(6, "0").slice(0, 6));
}

/** Where in a result, and why it cannot be read. */
export function issueText(issue: v.BaseIssue<unknown>): string {
  return `${v.getDotPath(issue) ?? "it"}: ${issue.message}`;
}
