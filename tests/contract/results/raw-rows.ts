/** Raw rows of the store, as the oracle sees them and as they are put into its tables. */
import type { ColumnStore } from "../../../lib/engines/store/clickhouse/open.ts";
import type { MplsLabel } from "../../../lib/net/packet/reply.ts";

export interface RawReply {
  /** Nanoseconds since the epoch; no two replies of a test have the same. */
  readonly timeNs: bigint;
  readonly measurement: string;
  /** Who heard it. */
  readonly agent: string;
  /** Who sent the probe; empty where nobody knows. */
  readonly sender: string;
  readonly instance: number;
  readonly source: string;
  readonly destination: string;
  readonly protocol: number;
  readonly srcPort: number;
  readonly dstPort: number;
  readonly ttl: number;
  readonly from: string;
  readonly replyProtocol: number;
  readonly icmpType: number;
  readonly icmpCode: number;
  readonly rttTenthMs: number;
  /** Absent or 0: known only in tenths of a millisecond. */
  readonly rttUs?: number;
  readonly labels: readonly MplsLabel[];
  /** IPv4 total length, IPv6 payload length of the probe; 0 without. */
  readonly probeSize?: number;
  /** What an error about a probe that was too big reports; 0 without. */
  readonly nextHopMtu?: number;
  /** Bits of `rewrittenBits`, and the source that is quoted; as sent without. */
  readonly rewritten?: number;
  readonly quotedSource?: string;
  readonly quotedTrafficClass?: number;
  /** IPv4 identification and TTL of the answer; 0 without. */
  readonly replyId?: number;
  readonly replyTtl?: number;
}

/** Only destinations send echo replies. */
export function isEcho({ replyProtocol, icmpType }: Pick<RawReply, "replyProtocol" | "icmpType">): boolean {
  return (replyProtocol === 1 && icmpType === 0) || (replyProtocol === 58 && icmpType === 129);
}

export interface RawProbe {
  readonly measurement: string;
  readonly agent: string;
  readonly index: number;
  /** `::` leaves it to the agent. */
  readonly source: string;
  readonly destination: string;
  readonly protocol: number;
  readonly srcPort: number;
  readonly dstPort: number;
  readonly ttl: number;
  readonly timeMs: number;
  /** IP length that was asked for, with "don't fragment"; 0 without. */
  readonly sizeBytes?: number;
}

export interface RawRows {
  readonly probes: readonly RawProbe[];
  readonly replies: readonly RawReply[];
}

/** Empties the tables first. */
export async function fillStore(
  { client }: ColumnStore,
  { probes, replies }: RawRows,
  database = "measure",
): Promise<void> {
  await client.command({ query: `TRUNCATE TABLE ${database}.probes` });
  await client.command({ query: `TRUNCATE TABLE ${database}.replies` });
  await client.insert({ table: `${database}.probes`, values: probes.map(probeRow), format: "JSONEachRow" });
  await client.insert({ table: `${database}.replies`, values: replies.map(replyRow), format: "JSONEachRow" });
}

function probeRow(probe: RawProbe) {
  return {
    date: new Date(probe.timeMs).toISOString().slice(0, 10),
    time_submitted: probe.timeMs,
    measurement_id: probe.measurement,
    agent_id: probe.agent,
    probe_index: probe.index,
    probe_src_addr: ipv6(probe.source),
    probe_dst_addr: ipv6(probe.destination),
    probe_src_port: probe.srcPort,
    probe_dst_port: probe.dstPort,
    probe_ttl: probe.ttl,
    probe_protocol: probe.protocol,
    probe_size_bytes: probe.sizeBytes ?? 0,
    probe_dont_fragment: probe.sizeBytes === undefined ? 0 : 1,
  };
}

function replyRow(reply: RawReply) {
  return {
    date: new Date(Number(reply.timeNs / 1_000_000n)).toISOString().slice(0, 10),
    time_inserted_ns: String(reply.timeNs),
    time_received_ns: String(reply.timeNs),
    agent_id: reply.agent,
    reply_src_addr: ipv6(reply.from),
    reply_dst_addr: ipv6(reply.source),
    reply_id: reply.replyId ?? 0,
    reply_ttl: reply.replyTtl ?? 0,
    reply_protocol: reply.replyProtocol,
    reply_icmp_type: reply.icmpType,
    reply_icmp_code: reply.icmpCode,
    reply_mpls_labels: reply.labels.map(({ label, exp, bottomOfStack, ttl }) => [
      ...[label, exp],
      ...[Number(bottomOfStack), ttl],
    ]),
    probe_src_addr: ipv6(reply.source),
    probe_dst_addr: ipv6(reply.destination),
    probe_size: reply.probeSize ?? 0,
    reply_next_hop_mtu: reply.nextHopMtu ?? 0,
    reply_rewritten: reply.rewritten ?? 0,
    reply_quoted_src_addr: ipv6(reply.quotedSource ?? "::"),
    reply_quoted_traffic_class: reply.quotedTrafficClass ?? 0,
    probe_ttl: reply.ttl,
    probe_protocol: reply.protocol,
    probe_src_port: reply.srcPort,
    probe_dst_port: reply.dstPort,
    rtt: reply.rttTenthMs,
    rtt_us: reply.rttUs ?? 0,
    measurement_id: reply.measurement,
    probe_agent: reply.sender,
    probe_instance: reply.instance,
  };
}

function ipv6(address: string): string {
  return address.includes(":") ? address : `::ffff:${address}`;
}

/** In milliseconds, as finely as it is known; null = not at all. */
export function knownRttMs({ rttTenthMs, rttUs }: Pick<RawReply, "rttTenthMs" | "rttUs">): number | null {
  const isFine = rttUs !== undefined && rttUs > 0;
  return rttTenthMs === 65_535 ? null : isFine ? rttUs / 1000 : rttTenthMs / 10;
}

/** RFC 3339 with nanoseconds. */
export function timeText(timeNs: bigint): string {
  const seconds = new Date(Number(timeNs / 1_000_000n)).toISOString().slice(0, 19);
  return `${seconds}.${String(timeNs % 1_000_000_000n).padStart(9, "0")}Z`;
}

/** At so many times. */
export function manyReplies(measurement: string, count: number, times = 1_000_003): RawRows {
  const startNs = BigInt(Date.now() - 3_600_000) * 1_000_000n;
  return {
    probes: [],
    replies: Array.from({ length: count }, (_, i) => ({
      ...{ timeNs: startNs + BigInt((i * 7919) % times), measurement, agent: "west", sender: "west" },
      ...{ instance: 0, source: "192.0.2.1", destination: "203.0.113.9", protocol: 17, srcPort: 24_000 },
      ...{ dstPort: 33_434, ttl: 1, from: "198.51.100.1", replyProtocol: 1, icmpType: 11, icmpCode: 0 },
      ...{ rttTenthMs: i % 65_000, labels: [] },
    })),
  };
}

/** Several stores as one, each a second later than the one before; of all measurements, or of these only. */
export function laterEach(stores: readonly RawRows[], only: ReadonlySet<string> | null = null): RawRows {
  const isOwn = ({ measurement }: { readonly measurement: string }) => only === null || only.has(measurement);
  return {
    probes: stores.flatMap(({ probes }) => probes.filter(isOwn)),
    replies: stores.flatMap(({ replies }, i) =>
      replies.filter(isOwn).map((reply) => ({ ...reply, timeNs: reply.timeNs + BigInt(i) * 1_500_000_001n })),
    ),
  };
}

/** Runs of these measurements, ten minutes apart. */
export function runsOf(measurementIds: readonly string[]) {
  const first = Date.parse("2026-11-22T12:00:00Z");
  return measurementIds.map((measurementId, run) => ({
    measurementId,
    run,
    plannedMs: first + 600_000 * run,
  }));
}

export function joined(...stores: readonly (RawRows | undefined)[]): RawRows {
  return {
    probes: stores.flatMap((one) => one?.probes ?? []),
    replies: stores.flatMap((one) => one?.replies ?? []),
  };
}
