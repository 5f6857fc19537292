/**
 * What each view must show of some raw rows, in plain TypeScript: slow, obvious, and without a line of the code that it
 * judges. docs/measure/results.md is what it follows.
 */
import { address } from "../../../lib/net/ip/address.ts";
import type { RawProbe, RawReply, RawRows } from "./raw-rows.ts";
import { timeText } from "./raw-rows.ts";

export const protocolNames: Readonly<Record<number, string>> = {
  1: "ICMP",
  6: "TCP",
  17: "UDP",
  58: "ICMPv6",
};
const unknownRtt = 65_535;

/** The rows of one measurement. */
export function rowsOfMeasurement({ probes, replies }: RawRows, measurement: string): RawRows {
  return {
    probes: probes.filter((probe) => probe.measurement === measurement),
    replies: replies.filter((reply) => reply.measurement === measurement),
  };
}

export function expectedReplies({ replies }: RawRows) {
  return [...replies]
    .sort((a, b) => (a.timeNs < b.timeNs ? -1 : 1))
    .map((reply) => ({
      time_received: timeText(reply.timeNs),
      measurement_id: reply.measurement,
      agent_id: reply.agent,
      probe_agent: reply.sender,
      probe_instance: reply.instance,
      probe_src_addr: reply.source,
      probe_dst_addr: reply.destination,
      probe_protocol: protocolNames[reply.protocol],
      probe_src_port: reply.srcPort,
      probe_dst_port: reply.dstPort,
      probe_ttl: reply.ttl,
      reply_src_addr: reply.from,
      rtt_ms: reply.rttTenthMs === unknownRtt ? null : reply.rttTenthMs / 10,
      rtt_us: reply.rttUs === undefined || reply.rttUs === 0 ? null : reply.rttUs,
      reply_mpls_labels: reply.labels.map(({ bottomOfStack, ...label }) => ({
        ...label,
        bottom_of_stack: bottomOfStack,
      })),
    }));
}

export function expectedProbes({ probes }: RawRows) {
  return distinct(probes, ({ agent, source, index }) => `${index} ${agent} ${source}`)
    .sort((a, b) => a.index - b.index || compareText(a.agent, b.agent) || compareAddress(a.source, b.source))
    .map((probe) => ({
      probe_index: probe.index,
      agent_id: probe.agent,
      probe_src_addr: probe.source === "::" ? null : probe.source,
      probe_dst_addr: probe.destination,
      probe_ttl: probe.ttl,
    }));
}

export function expectedLoss(rows: RawRows) {
  const found = [...groups(cellsOf(rows), ({ agent, destination }) => `${agent} ${destination}`).values()];
  return found
    .map((cells) => {
      const submitted = sum(cells.map(({ sent }) => sent));
      const answered = sum(cells.map(({ sent, replies }) => Math.min(sent, probesOf(replies).length)));
      const own = cells.filter(({ sent }) => sent > 0);
      const { agent, destination } = cells[0] ?? { agent: "", destination: "" };
      return {
        ...{ agent, destination, submitted, answered, lost: submitted - answered },
        loss_percent: Math.round((10_000 * (submitted - answered)) / submitted) / 100,
        replies: sum(own.map(({ replies }) => replies.length)),
        duplicates: sum(own.map(({ replies }) => replies.length - probesOf(replies).length)),
      };
    })
    .filter(({ submitted }) => submitted > 0)
    .sort((a, b) => compareAddress(a.destination, b.destination) || compareText(a.agent, b.agent));
}

export function expectedCatchment({ replies }: RawRows) {
  const senderOf = ({ sender, instance }: RawReply) => `${sender} ${instance}`;
  const ofSender = groups(replies, senderOf);
  return [...groups(replies, (reply) => `${senderOf(reply)} ${reply.agent}`).values()]
    .map((own) => {
      const [first] = own;
      const { sender = "", instance = 0, agent = "" } = first ?? {};
      const all = ofSender.get(`${sender} ${instance}`)?.length ?? 0;
      return {
        ...{ probe_agent: sender, probe_instance: instance, heard_by: agent, replies: own.length },
        share_percent: Math.round((10_000 * own.length) / all) / 100,
        destinations: new Set(own.map(({ destination }) => destination)).size,
        responders: new Set(own.map(({ from }) => from)).size,
      };
    })
    .sort(
      (a, b) =>
        compareText(a.probe_agent, b.probe_agent) ||
        a.probe_instance - b.probe_instance ||
        compareText(a.heard_by, b.heard_by),
    );
}

/** All probes of one flow with one TTL. */
export interface Cell {
  readonly agent: string;
  readonly destination: string;
  readonly protocol: number;
  readonly srcPort: number;
  readonly dstPort: number;
  readonly ttl: number;
  readonly sent: number;
  /** The first submission and the source of the probes; null where neither that nor answers name them. */
  readonly submitted: string | null;
  readonly source: string | null;
  /** In the order of their receipt. */
  readonly replies: readonly RawReply[];
}

export function cellsOf({ probes, replies }: RawRows): Cell[] {
  const once = distinct(
    probes,
    (probe) => `${probe.measurement} ${probe.agent} ${probe.source} ${probe.index}`,
  );
  const sent = groups(once, (probe) => keyOf(probe.agent, probe));
  const heard = groups(replies, (reply) => keyOf(reply.sender || reply.agent, reply));
  return [...new Set([...sent.keys(), ...heard.keys()])].map((key) => {
    const [agent = "", destination = "", ...numbers] = key.split(" ");
    const [protocol = 0, srcPort = 0, dstPort = 0, ttl = 0] = numbers.map(Number);
    const own = (heard.get(key) ?? []).sort((a, b) => (a.timeNs < b.timeNs ? -1 : 1));
    return {
      ...{ agent, destination, protocol, srcPort, dstPort, ttl },
      ...{ sent: sent.get(key)?.length ?? 0, replies: own },
      ...submissionOf(sent.get(key) ?? [], chosenOf({ probes, replies }, agent, destination)),
    };
  });
}

/** The source that an agent chose for a family: null where its answers show none, or several that nobody asked for. */
function chosenOf({ probes, replies }: RawRows, agent: string, destination: string): string | null {
  const own = probes.filter((probe) => probe.agent === agent);
  const given = new Set(own.map(({ source }) => source));
  const isIpv6 = destination.includes(":");
  const seen = new Set(
    replies
      .filter(
        (reply) => (reply.sender || reply.agent) === agent && reply.destination.includes(":") === isIpv6,
      )
      .map(({ source }) => source)
      .filter((source) => !given.has(source)),
  );
  return given.has("::") && seen.size === 1 ? ([...seen][0] ?? null) : null;
}

/** Takes the highest of several sources, which no cell of a real agent has. */
function submissionOf(
  probes: readonly RawProbe[],
  chosen: string | null,
): Pick<Cell, "submitted" | "source"> {
  const sources = probes.map(({ source }) => source).filter((source) => source !== "::");
  const first = Math.min(...probes.map(({ timeMs }) => timeMs));
  return {
    submitted: probes.length === 0 ? null : new Date(first).toISOString(),
    source: sources.sort(compareAddress).at(-1) ?? chosen,
  };
}

/** Joins those of several cells. */
export function submissionOfAll(cells: readonly Pick<Cell, "submitted" | "source">[]) {
  const times = cells.flatMap(({ submitted }) => submitted ?? []);
  const sources = cells.flatMap(({ source }) => source ?? []);
  return {
    time_submitted: times.sort()[0] ?? null,
    probe_src_addr: sources.sort(compareAddress).at(-1) ?? null,
  };
}

/**
 * The answers to each probe, of some to probes of one flow and TTL, in the order of their first ones. Copies of an
 * answer name the source and the tick of 0.1 ms in which their probe left; what names no time is of a probe of its own.
 */
export function probesOf(replies: readonly RawReply[]): RawReply[][] {
  const nameOf = ({ source, timeNs, rttTenthMs }: RawReply, i: number) =>
    rttTenthMs === unknownRtt ? `unknown ${i}` : `${source} ${timeNs / 100_000n - BigInt(rttTenthMs)}`;
  return [...Map.groupBy(replies.entries(), ([i, reply]) => nameOf(reply, i)).values()].map((own) =>
    own.map(([, reply]) => reply),
  );
}

function keyOf(
  agent: string,
  flow: Pick<RawProbe, "destination" | "protocol" | "srcPort" | "dstPort" | "ttl">,
) {
  const { destination, protocol, srcPort, dstPort, ttl } = flow;
  return [agent, destination, protocol, srcPort, protocol === 1 || protocol === 58 ? 0 : dstPort, ttl].join(
    " ",
  );
}

export function groups<Item>(items: readonly Item[], key: (item: Item) => string): Map<string, Item[]> {
  return Map.groupBy(items, key);
}

function distinct<Item>(items: readonly Item[], key: (item: Item) => string): Item[] {
  return [...groups(items, key).values()].flatMap(([first]) => (first === undefined ? [] : [first]));
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}

export function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

export function compareAddress(a: string, b: string): number {
  return compareText(address(a).toHex(), address(b).toHex());
}
