/** Rows of the column store, as the ingester would write them. */

/** What differs from reply to reply. */
export interface ReplyGiven {
  readonly measurement: string;
  /** Who heard it. */
  readonly agent: string;
  /** Who sent the probe, as `agent/instance`; empty where nobody knows. */
  readonly sender?: string;
  readonly source: string;
  readonly destination: string;
  readonly srcPort: number;
  readonly ttl: number;
  readonly from: string;
  readonly rttTenthMs: number;
  /** ICMP type and code; time exceeded where it is left out. */
  readonly icmp?: readonly [number, number];
  readonly labels?: readonly (readonly [number, number, number, number])[];
  /** Time of the capture and of the insert; now when omitted. */
  readonly timeMs?: number;
  /** Further columns. */
  readonly columns?: Readonly<Record<string, unknown>>;
}

export interface ProbeGiven {
  readonly measurement: string;
  readonly agent: string;
  readonly destination: string;
  readonly srcPort: number;
  readonly ttl: number;
  /** Counted for each source on its own. */
  readonly index: number;
  /** Left out, the agent chooses. */
  readonly source?: string;
  readonly timeMs?: number;
}

/**
 * `count` makes the time of its capture another one than that of any other reply. Replies of one insert share `nowMs`:
 * a clock that moves on between them could make two probes leave at the same time, which are one then.
 */
export function replyRow(reply: ReplyGiven, count: number, nowMs: number) {
  const timeMs = reply.timeMs ?? nowMs;
  const [probeAgent = "", probeInstance = "0"] = (reply.sender ?? `${reply.agent}/0`).split("/");
  const [type, code] = reply.icmp ?? [reply.destination.includes(".") ? 11 : 3, 0];
  return {
    date: new Date(timeMs).toISOString().slice(0, 10),
    time_inserted_ns: `${timeMs}000000`,
    time_received_ns: `${timeMs}${String(count).padStart(6, "0")}`,
    agent_id: reply.agent,
    reply_src_addr: ipv6(reply.from),
    reply_dst_addr: ipv6(reply.source),
    reply_protocol: reply.destination.includes(".") ? 1 : 58,
    reply_icmp_type: type,
    reply_icmp_code: code,
    reply_mpls_labels: reply.labels ?? [],
    probe_src_addr: ipv6(reply.source),
    probe_dst_addr: ipv6(reply.destination),
    probe_ttl: reply.ttl,
    probe_protocol: 17,
    probe_src_port: reply.srcPort,
    probe_dst_port: 33434,
    rtt: reply.rttTenthMs,
    measurement_id: reply.measurement,
    probe_agent: probeAgent,
    probe_instance: Number(probeInstance),
    ...reply.columns,
  };
}

export function probeRow({
  measurement,
  agent,
  destination,
  srcPort,
  ttl,
  index,
  source,
  timeMs,
}: ProbeGiven) {
  return {
    date: new Date(timeMs ?? Date.now()).toISOString().slice(0, 10),
    time_submitted: timeMs ?? Date.now(),
    measurement_id: measurement,
    agent_id: agent,
    probe_index: index,
    probe_src_addr: ipv6(source ?? "::"),
    probe_dst_addr: ipv6(destination),
    probe_src_port: srcPort,
    probe_dst_port: 33434,
    probe_ttl: ttl,
    probe_protocol: 17,
  };
}

function ipv6(address: string): string {
  return address.includes(":") ? address : `::ffff:${address}`;
}
