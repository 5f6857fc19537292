/** Traces as lines of Iris, which pantrace and the tools of Diamond-Miner read: a flow, its replies as tuples. */
import { endUs, receivedUs, sourceOf, startUs, type Trace, type TraceReply } from "./trace.ts";

const numbers: Readonly<Record<string, number>> = { ICMP: 1, TCP: 6, UDP: 17, ICMPv6: 58 };

export function irisTraceroute(trace: Trace): object {
  const { measurement_id: measurement, agent, address, protocol } = trace;
  return {
    ...{ measurement_uuid: measurement, agent_uuid: agent },
    ...{ traceroute_start: timeText(startUs(trace)), traceroute_end: timeText(endUs(trace)) },
    ...{ probe_protocol: numbers[protocol] ?? 0, probe_src_addr: sourceOf(trace), probe_dst_addr: address },
    flows: [
      {
        ...{ probe_src_port: trace.src_port, probe_dst_port: trace.dst_port },
        replies: trace.replies.map(replyOf),
      },
    ],
  };
}

function replyOf(reply: TraceReply): readonly unknown[] {
  return [
    timeText(receivedUs(reply)),
    ...[reply.probe_ttl, reply.reply_quoted_ttl, reply.reply_icmp_type, reply.reply_icmp_code],
    ...[reply.reply_ttl, reply.reply_size],
    reply.reply_mpls_labels.map(({ label, exp, bottom_of_stack: bottom, ttl }) => [
      ...[label, exp, Number(bottom), ttl],
    ]),
    reply.reply_src_addr,
    // Tenths of a millisecond, as the store has it.
    reply.rtt_ms === null ? 65_535 : Math.round(10 * reply.rtt_ms),
  ];
}

function timeText(us: number | null): string {
  return new Date((us ?? 0) / 1000).toISOString();
}
