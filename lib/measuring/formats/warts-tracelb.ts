/** A multipath as an object of warts, type 8 (scamper's tracelb): nodes, and links with their probes. */
import {
  graphOf,
  type LinkProbe,
  type MultipathFlows,
  type MultipathGraph,
  type MultipathLink,
} from "./multipath.ts";
import {
  endUs,
  greatestTtl,
  isTcp,
  kindOf,
  probeBytes,
  receivedUs,
  sentUs,
  startUs,
  type TraceReply,
} from "./trace.ts";
import type { WartsResult } from "./warts.ts";
import { WartsBytes, wartsTypes } from "./warts-bytes.ts";
import { mplsExtensions } from "./warts-extensions.ts";

/** Flows differ in their source port; those of ICMP in the checksum. */
const methods: Readonly<Record<string, number>> = { UDP: 3, TCP: 4, ICMP: 2, ICMPv6: 2 };
const replyFlags = { ttl: 1, isTcp: 2 } as const;
const waitSeconds = 5;
/** An attempt is a byte. */
const attempts = 256;

export function wartsMultipath(multipath: MultipathFlows): WartsResult {
  const { measurement_id: measurement, agent, flows } = multipath;
  const all = { ...multipath, replies: flows.flatMap((flow) => flow.replies) };
  const times = { startUs: startUs(all), endUs: endUs(all) };
  return {
    ...{ measurement, agent, ...times, type: wartsTypes.tracelb },
    content: (list) => content(multipath, list, times.startUs),
  };
}

function content(multipath: MultipathFlows, list: number, start: number | null): WartsBytes {
  const { address, protocol, flows, dst_port: dstPort } = multipath;
  const { nodes, links } = wartsGraph(multipath);
  const ports = [...new Set(flows.map(({ src_port: port }) => port))].sort((a, b) => a - b);
  const counts = flows.flatMap(({ probes }) => probes);
  const replies = flows.flatMap((flow) => flow.replies);
  const bytes = probeBytes({ replies, address, protocol, ttl: greatestTtl(counts) });
  const sent = counts.reduce((all, one) => all + one.sent, 0);
  const to = new WartsBytes().parameters([
    [1, (part) => part.u32(list)],
    [2, (part) => part.u32(list)],
    [5, start === null ? null : (part) => part.time(start)],
    [6, (part) => part.u16(ports[0] ?? 0)],
    [7, (part) => part.u16(dstPort)],
    [8, (part) => part.u16(bytes)],
    [9, (part) => part.u8(methods[protocol] ?? 0)],
    [10, (part) => part.u8(counts.reduce((least, { ttl }) => Math.min(least, ttl), 255))],
    [11, (part) => part.u8(waitSeconds)],
    [12, (part) => part.u8(0)],
    [
      13,
      (part) =>
        part.u8(
          Math.min(
            255,
            counts.reduce((most, one) => Math.max(most, one.sent), 1),
          ),
        ),
    ],
    [14, (part) => part.u8(0)],
    [15, (part) => part.u8(0)],
    [16, (part) => part.u16(nodes.length)],
    [17, (part) => part.u16(links.length)],
    [18, (part) => part.u32(sent)],
    [19, (part) => part.u32(sent)],
    [20, (part) => part.u8(0)],
    [21, (part) => part.address(nodes[0]?.address ?? address)],
    [22, (part) => part.address(address)],
  ]);
  const linkCounts = Map.groupBy(links, ({ from }) => from);
  for (const [i, node] of nodes.entries()) {
    to.parameters([
      [2, (part) => part.u8(0)],
      [3, (part) => part.u16(linkCounts.get(i)?.length ?? 0)],
      [5, (part) => part.address(node.address)],
    ]);
  }
  for (const link of links) {
    writeLink(to, link, ports);
  }
  return to;
}

/**
 * The graph as far as scamper's tools read it: they take a link into silence only where it is the node's one link, and
 * crash on others. So flows that end there where others continue are left out, and several are one.
 */
export function wartsGraph(multipath: MultipathFlows): MultipathGraph {
  const { nodes, links } = graphOf(multipath);
  const own = [...Map.groupBy(links, ({ from }) => from).values()];
  return {
    nodes,
    links: own.flatMap((some) => {
      const known = some.filter(({ to }) => to !== null);
      return known.length > 0 ? known : inOne(some);
    }),
  };
}

function inOne(links: readonly MultipathLink[]): MultipathLink[] {
  const longest = links.toSorted((a, b) => b.hops - a.hops)[0];
  if (longest === undefined) {
    return [];
  }
  const sets = longest.sets.map((_, i) => links.flatMap((link) => link.sets[i] ?? []));
  return [{ ...longest, srcPorts: links.flatMap(({ srcPorts }) => srcPorts), sets }];
}

function writeLink(
  to: WartsBytes,
  { from, to: end, hops, sets }: MultipathLink,
  ports: readonly number[],
): void {
  to.parameters([
    [1, (part) => part.u16(from)],
    [2, end === null ? null : (part) => part.u16(end)],
    [3, (part) => part.u8(hops)],
  ]);
  for (const probes of sets) {
    to.parameters([[1, (part) => part.u16(probes.length)]]);
    for (const probe of probes) {
      writeProbe(to, probe, 1 + ports.indexOf(probe.srcPort));
    }
  }
}

function writeProbe(to: WartsBytes, { ttl, attempt, reply }: LinkProbe, flow: number): void {
  to.parameters([
    // Readers take the difference to the answer as its RTT.
    [1, reply === null ? null : (part) => part.time(sentUs(reply))],
    [2, (part) => part.u16(flow)],
    [3, (part) => part.u8(ttl)],
    [4, (part) => part.u8(attempt % attempts)],
    [5, (part) => part.u16(reply === null ? 0 : 1)],
  ]);
  if (reply !== null) {
    writeReply(to, reply);
  }
}

function writeReply(to: WartsBytes, reply: TraceReply): void {
  const { reply_icmp_type: type, reply_icmp_code: code, reply_mpls_labels: labels } = reply;
  const [isSegment, isQuote] = [isTcp(reply), !isTcp(reply) && kindOf(reply).kind !== "echo_reply"];
  to.parameters([
    [1, (part) => part.time(receivedUs(reply))],
    [2, (part) => part.u16(reply.reply_id)],
    [3, (part) => part.u8(reply.reply_ttl)],
    [4, (part) => part.u8(replyFlags.ttl | (isSegment ? replyFlags.isTcp : 0))],
    [5, isSegment ? null : (part) => part.u8(type).u8(code)],
    [6, isSegment ? (part) => part.u8(code) : null],
    [7, labels.length === 0 ? null : (part) => mplsExtensions(part, labels)],
    [8, isQuote ? (part) => part.u8(reply.reply_quoted_ttl) : null],
    [9, isQuote ? (part) => part.u8(reply.reply_quoted_traffic_class ?? 0) : null],
    [11, (part) => part.address(reply.reply_src_addr)],
  ]);
}
