/** What the view `traces` must show of some raw rows, in plain TypeScript. */
import {
  type Cell,
  cellsOf,
  compareAddress,
  compareText,
  groups,
  probesOf,
  protocolNames,
  submissionOfAll,
  sum,
} from "./oracle.ts";
import { isEcho, type RawReply, type RawRows, timeText } from "./raw-rows.ts";

const atMost = 100;
const pingAtMost = 1000;

export function expectedTraces(rows: RawRows) {
  const measurement = [...rows.probes, ...rows.replies][0]?.measurement;
  const parts = cellsOf(rows).flatMap(({ sent: submitted, replies, ...cell }) => {
    const probes = probesOf(replies);
    const sent = submitted === 0 ? probes.length : submitted;
    const rounds = Math.ceil(Math.max(sent, probes.length) / atMost);
    return Array.from({ length: rounds }, (_, round) => ({
      ...cell,
      round,
      sent: Math.max(0, Math.min(atMost, sent - atMost * round)),
      replies: byTime(probes.slice(atMost * round, atMost * (round + 1)).flat()),
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
      ...{ ...submissionOfAll(own), end_ttl: endOf(parts, first) },
      measurement_id: measurement,
      ...{ agent: first.agent, address: first.destination, protocol: protocolNames[first.protocol] },
      ...{ src_port: first.srcPort, dst_port: first.dstPort, round: first.round },
      sent: sum(own.map(({ sent }) => sent)),
      answers: sum(own.map(({ replies }) => replies.length)),
      probes: own.filter(({ sent }) => sent > 0).map(({ ttl, sent }) => ({ ttl, sent })),
      replies: own.flatMap(({ replies }) => replies.map(answerOf)),
    }));
}

type Flow = Pick<Cell, "agent" | "destination" | "protocol" | "srcPort" | "dstPort">;

/** The lowest TTL that ends a flow, in any round. */
function endOf(parts: readonly (Flow & Pick<Cell, "ttl" | "replies">)[], flow: Flow): number | null {
  const names = ["agent", "destination", "protocol", "srcPort", "dstPort"] as const;
  const ends = parts
    .filter((part) => names.every((name) => part[name] === flow[name]) && part.replies.some(isEnd))
    .map(({ ttl }) => ttl);
  return ends.length === 0 ? null : Math.min(...ends);
}

function isEnd({ from, destination, replyProtocol, icmpType }: RawReply): boolean {
  const types: Readonly<Record<number, readonly number[]>> = { 1: [0, 3], 58: [129, 1] };
  return from === destination || replyProtocol === 6 || types[replyProtocol]?.includes(icmpType) === true;
}

/** Where all probes to a destination and port had one TTL, and it answered or nothing said that this was too small. */
export function expectedPings(rows: RawRows) {
  const measurement_id = [...rows.probes, ...rows.replies][0]?.measurement;
  const of = (cell: Cell) => JSON.stringify([cell.agent, cell.destination, cell.protocol, cell.dstPort]);
  return [...groups(cellsOf(rows), of).values()].sort(byPlace).flatMap((cells) => {
    const [first] = cells;
    const replies = byTime(cells.flatMap((cell) => cell.replies));
    const probes = cells
      .flatMap((cell) => probesOf(cell.replies))
      .sort(([a], [b]) => ((a?.timeNs ?? 0n) < (b?.timeNs ?? 0n) ? -1 : 1));
    const isOwn = (one: RawReply) => one.from === one.destination || isEcho(one);
    if (
      first === undefined ||
      cells.some(({ ttl }) => ttl !== first.ttl) ||
      (!replies.some(isOwn) && replies.some(isExceeded))
    ) {
      return [];
    }
    const sent = sum(cells.map((cell) => (cell.sent === 0 ? probesOf(cell.replies).length : cell.sent)));
    const rounds = Math.ceil(Math.max(sent, probes.length) / pingAtMost);
    return Array.from({ length: rounds }, (_, round) => {
      const current = probes.slice(pingAtMost * round, pingAtMost * (round + 1));
      const own = byTime(current.flat());
      const sentNow = Math.max(0, Math.min(pingAtMost, sent - pingAtMost * round));
      const hits = current.filter((one) => one.some(isOwn)).length;
      return {
        ...submissionOfAll(cells),
        ...{ measurement_id, agent: first.agent, address: first.destination, dst_port: first.dstPort },
        ...{ protocol: protocolNames[first.protocol], ttl: first.ttl, round },
        src_port: Math.min(...cells.map(({ srcPort }) => srcPort)),
        ...{ sent: sentNow, answered: Math.min(sentNow, hits), duplicates: own.filter(isOwn).length - hits },
        ...{ answers: own.length, replies: own.map(answerOf) },
      };
    });
  });
}

function byTime(replies: readonly RawReply[]): RawReply[] {
  return replies.toSorted((a, b) => (a.timeNs < b.timeNs ? -1 : 1));
}

function isExceeded({ replyProtocol, icmpType }: RawReply): boolean {
  return (replyProtocol === 1 && icmpType === 11) || (replyProtocol === 58 && icmpType === 3);
}

function byPlace([a]: readonly Cell[], [b]: readonly Cell[]): number {
  return a === undefined || b === undefined
    ? 0
    : compareAddress(a.destination, b.destination) ||
        compareText(a.agent, b.agent) ||
        a.protocol - b.protocol ||
        a.dstPort - b.dstPort;
}

/** The flows of each agent to each destination and port: lib/measuring/formats/multipath.test.ts has the graphs. */
export function expectedMultipaths(rows: RawRows) {
  const traces = expectedTraces(rows);
  const of = ({ agent, address, protocol, dst_port: port }: (typeof traces)[number]) =>
    JSON.stringify([agent, address, protocol, port]);
  return [...groups(traces, of).values()].flatMap((own) =>
    own[0] === undefined
      ? []
      : [
          {
            ...{ measurement_id: own[0].measurement_id, agent: own[0].agent, address: own[0].address },
            ...{ protocol: own[0].protocol, dst_port: own[0].dst_port },
            ...submissionOfAll(
              own.map(({ time_submitted: submitted, probe_src_addr: source }) => ({ submitted, source })),
            ),
            flow_count: new Set(own.map(({ src_port: port }) => port)).size,
            sent: sum(own.map(({ sent }) => sent)),
            answers: sum(own.map(({ answers }) => answers)),
            flows: own.map(({ src_port, round, probes, replies }) => ({ src_port, round, probes, replies })),
          },
        ],
  );
}

function answerOf(reply: RawReply) {
  return {
    ...{ time_received: timeText(reply.timeNs), agent_id: reply.agent, probe_ttl: reply.ttl },
    ...{ reply_src_addr: reply.from, probe_src_addr: reply.source },
    rtt_ms: reply.rttTenthMs === 65_535 ? null : reply.rttTenthMs / 10,
    rtt_us: reply.rttUs === undefined || reply.rttUs === 0 ? null : reply.rttUs,
    ...{ reply_protocol: reply.replyProtocol, reply_icmp_type: reply.icmpType },
    reply_icmp_code: reply.icmpCode,
    reply_mpls_labels: reply.labels.map(({ bottomOfStack, ...label }) => ({
      ...label,
      bottom_of_stack: bottomOfStack,
    })),
  };
}
