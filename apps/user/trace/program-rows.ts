/**
 * Traces and pings as the rows that other formats are made of (lib/measuring/formats): a trace for each flow, to its
 * end.
 */
import { hostname } from "node:os";
import type { Ping } from "../../../lib/measuring/formats/ping.ts";
import { receivedReply } from "../../../lib/measuring/formats/received-reply.ts";
import type { Sending, Trace, TraceReply } from "../../../lib/measuring/formats/trace.ts";
import type { Cell, Path } from "../../../lib/measuring/paths/path.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import { protocolNames } from "../../../lib/net/packet/probe.ts";
import type { Options } from "./options.ts";
import type { Pinged } from "./ping-figures.ts";
import type { TraceView } from "./render-text.ts";

export function traceRows(measurement: string, { path, options, target, agent }: TraceView): Trace[] {
  const ttls = Array.from({ length: options.maxTtl - options.firstTtl + 1 }, (_, i) => options.firstTtl + i);
  return Array.from({ length: path.flows }, (_, flow) => {
    const cells = ttls
      .map((ttl) => path.cell(flow, ttl))
      .filter(({ ttl, sent }) => sent > 0 && ttl <= path.endOfFlow(flow));
    return {
      ...placeOf(measurement, agent, target, options),
      ...sendingOf(path, flow),
      ...{ src_port: options.srcPort + flow, round: 0 },
      probes: cells.map(({ ttl, sent }) => ({ ttl, sent })),
      replies: cells.flatMap(receivedIn),
    };
  });
}

type PingOptions = Pick<Options, "protocol" | "srcPort" | "dstPort" | "firstTtl">;

export function pingRow(measurement: string, { path, target, agent }: Pinged, options: PingOptions): Ping {
  const cell = path.cell(0, options.firstTtl);
  return {
    ...placeOf(measurement, agent, target, options),
    ...sendingOf(path, 0),
    ...{ src_port: options.srcPort, ttl: cell.ttl, round: 0, sent: cell.sent, replies: receivedIn(cell) },
  };
}

function placeOf(
  measurement: string,
  agent: string | undefined,
  { address, protocol }: Pinged["target"],
  { dstPort }: Pick<Options, "dstPort">,
) {
  return {
    ...{ measurement_id: measurement, agent: agent ?? hostname(), address: formatAddress(address) },
    protocol: protocolNames[protocol],
    dst_port: protocol === "icmp" || protocol === "icmpv6" ? 0 : dstPort,
  };
}

function sendingOf(path: Path, flow: number): Sending {
  const sent = path.firstSent(flow);
  const source = sent?.source ?? null;
  return {
    time_submitted: sent === null ? null : new Date(sent.atMs).toISOString(),
    probe_src_addr: source === null ? null : formatAddress(source),
  };
}

function receivedIn({ outcomes }: Cell): TraceReply[] {
  return outcomes
    .flatMap((outcome) =>
      typeof outcome === "string" || outcome.reply === undefined
        ? []
        : [receivedReply(outcome.reply, outcome.rttMs)],
    )
    .sort((a, b) => (a.time_received < b.time_received ? -1 : 1));
}
