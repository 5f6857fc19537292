/** What the view `traces` must show of some raw rows, in plain TypeScript. */
import { cellsOf, compareAddress, compareText, groups, protocolNames, sum } from "./oracle.ts";
import { type RawReply, type RawRows, timeText } from "./raw-rows.ts";

const atMost = 100;

export function expectedTraces(rows: RawRows) {
  const measurement = [...rows.probes, ...rows.replies][0]?.measurement;
  const parts = cellsOf(rows).flatMap(({ sent: submitted, replies, ...cell }) => {
    const sent = submitted === 0 ? replies.length : submitted;
    const rounds = Math.ceil(Math.max(sent, replies.length) / atMost);
    return Array.from({ length: rounds }, (_, round) => ({
      ...cell,
      round,
      sent: Math.max(0, Math.min(atMost, sent - atMost * round)),
      replies: replies.slice(atMost * round, atMost * (round + 1)),
    }));
  });
  const flow = (part: (typeof parts)[number]) =>
    JSON.stringify([part.agent, part.destination, part.protocol, part.srcPort, part.dstPort, part.round]);
  return [...groups(parts, flow).values()]
    .flatMap((own) =>
      own[0] === undefined ? [] : [{ first: own[0], own: own.toSorted((a, b) => a.ttl - b.ttl) }],
    )
    .sort(
      ({ first: a }, { first: b }) =>
        compareAddress(a.destination, b.destination) ||
        compareText(a.agent, b.agent) ||
        a.protocol - b.protocol ||
        a.srcPort - b.srcPort ||
        a.dstPort - b.dstPort ||
        a.round - b.round,
    )
    .map(({ first, own }) => ({
      measurement_id: measurement,
      ...{ agent: first.agent, address: first.destination, protocol: protocolNames[first.protocol] },
      ...{ src_port: first.srcPort, dst_port: first.dstPort, round: first.round },
      sent: sum(own.map(({ sent }) => sent)),
      answers: sum(own.map(({ replies }) => replies.length)),
      probes: own.filter(({ sent }) => sent > 0).map(({ ttl, sent }) => ({ ttl, sent })),
      replies: own.flatMap(({ replies }) => replies.map(answerOf)),
    }));
}

function answerOf(reply: RawReply) {
  return {
    ...{ time_received: timeText(reply.timeNs), agent_id: reply.agent, probe_ttl: reply.ttl },
    ...{ reply_src_addr: reply.from, probe_src_addr: reply.source },
    rtt_ms: reply.rttTenthMs === 65_535 ? null : reply.rttTenthMs / 10,
    ...{ reply_protocol: reply.replyProtocol, reply_icmp_type: reply.icmpType },
    reply_icmp_code: reply.icmpCode,
    reply_mpls_labels: reply.labels.map(({ bottomOfStack, ...label }) => ({
      ...label,
      bottom_of_stack: bottomOfStack,
    })),
  };
}
