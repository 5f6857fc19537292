/**
 * The key of a probe in both `measure.probes` and `measure.replies`, for grouping: the
 * agent, the destination, the protocol, the ports and the TTL. ICMP sends no destination port, so it counts as 0.
 */

const ports = `probe_dst_addr AS dst, probe_protocol AS protocol, probe_src_port AS srcPort,
  if(probe_protocol IN (1, 58), toUInt16(0), probe_dst_port) AS dstPort, probe_ttl AS ttl`;

export const cellKey = "agent, dst, protocol, srcPort, dstPort, ttl";

/** Columns `agent, dst, protocol, srcPort, dstPort, ttl` of a submitted probe. */
export const probeKey = `toString(agent_id) AS agent, ${ports}`;

/**
 * Within a cell, which probe a reply answers: its source and the tick of 0.1 ms in which it left, as a number of 64
 * bits. Copies of one answer name the same probe, and a sender never sends two equal probes in one tick
 * (ffi/hotpath/assembly/fill.ts). A reply without a round-trip time counts as that of a probe of its own.
 */
export const answeredProbe = `if(rtt = 65535, rand64(),
  cityHash64(probe_src_addr, intDiv(toUnixTimestamp64Nano(time_received_ns), 100000) - rtt))`;

/** The same of a reply; the agent is the one that sent the probe, if known. */
export const replyKey = `toString(if(probe_agent = '', agent_id, probe_agent)) AS agent, ${ports}`;
