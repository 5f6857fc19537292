/** Traces as lines of JSON that Iris and mtr write. */
import { protocolNumber } from "../../net/packet/probe.ts";
import { rttUnknownTenthMs } from "../../net/packet/reply.ts";
import {
  answeredCount,
  byTtl,
  endUs,
  greatestTtl,
  knownSourceOf,
  probeBytes,
  receivedUs,
  rttMsOf,
  sourceOf,
  startUs,
  type Trace,
  type TraceReply,
} from "./trace.ts";

/** A line of Iris, which pantrace and the tools of Diamond-Miner read: a flow, its replies as tuples. */
export function irisTraceroute(trace: Trace): object {
  const { measurement_id: measurement, agent, address, protocol } = trace;
  return {
    ...{ measurement_uuid: measurement, agent_uuid: agent },
    ...{ traceroute_start: timeText(startUs(trace)), traceroute_end: timeText(endUs(trace)) },
    ...{ probe_protocol: protocolNumber(protocol), probe_src_addr: sourceOf(trace), probe_dst_addr: address },
    flows: [
      {
        ...{ probe_src_port: trace.src_port, probe_dst_port: trace.dst_port },
        replies: trace.replies.map(irisReply),
      },
    ],
  };
}

function irisReply(reply: TraceReply): readonly unknown[] {
  return [
    timeText(receivedUs(reply)),
    ...[reply.probe_ttl, reply.reply_quoted_ttl, reply.reply_icmp_type, reply.reply_icmp_code],
    ...[reply.reply_ttl, reply.reply_size],
    reply.reply_mpls_labels.map(({ label, exp, bottom_of_stack: bottom, ttl }) => [
      ...[label, exp, Number(bottom), ttl],
    ]),
    reply.reply_src_addr,
    // Tenths of a millisecond, as the store has it.
    reply.rtt_ms === null ? rttUnknownTenthMs : Math.round(10 * reply.rtt_ms),
  ];
}

function timeText(us: number | null): string {
  return new Date((us ?? 0) / 1000).toISOString();
}

/** A report of `mtr --json`. Where several routers answer a TTL, the one that did most often. */
export function mtrReport(trace: Trace): object {
  const { address, replies, probes } = trace;
  return {
    report: {
      mtr: {
        ...{ src: knownSourceOf(trace) ?? trace.agent, dst: address, tos: 0 },
        ...{
          tests: Math.max(0, ...probes.map(({ sent }) => sent)),
          psize: String(probeBytes({ ...trace, ttl: greatestTtl(probes) })),
          bitpattern: "0x00",
        },
      },
      hubs: byTtl(trace).map((one) =>
        hub(
          one,
          replies.some(({ asn }) => asn !== undefined),
        ),
      ),
    },
  };
}

interface Hub {
  readonly ttl: number;
  readonly sent: number;
  readonly answers: readonly TraceReply[];
}

function hub({ ttl, sent, answers }: Hub, isWithAsn: boolean): object {
  const host = mostFrequent(answers);
  const asn = answers.find(({ reply_src_addr: from }) => from === host)?.asn;
  const rtts = answers.map(rttMsOf).filter((rtt) => rtt !== null);
  const mean = rtts.reduce((all, rtt) => all + rtt, 0) / Math.max(1, rtts.length);
  const squares = rtts.reduce((all, rtt) => all + (rtt - mean) ** 2, 0);
  const answered = Math.min(sent, answeredCount(answers));
  return {
    ...{ count: ttl, host: host ?? "???" },
    // As `mtr -z` has it.
    ...(isWithAsn ? { ASN: `AS${asn ?? "???"}` } : {}),
    "Loss%": rounded(sent === 0 ? 0 : (100 * (sent - answered)) / sent),
    Snt: sent,
    ...{ Last: rounded(rtts.at(-1) ?? 0), Avg: rounded(mean) },
    ...{ Best: rounded(Math.min(...(rtts.length === 0 ? [0] : rtts))), Wrst: rounded(Math.max(0, ...rtts)) },
    // Of a sample, as mtr computes it.
    StDev: rounded(rtts.length < 2 ? 0 : Math.sqrt(squares / (rtts.length - 1))),
  };
}

function mostFrequent(answers: readonly TraceReply[]): string | undefined {
  const routers = Map.groupBy(answers, ({ reply_src_addr: from }) => from);
  return [...routers].sort(([, a], [, b]) => answeredCount(b) - answeredCount(a))[0]?.[0];
}

function rounded(value: number): number {
  return Number(value.toFixed(5));
}
