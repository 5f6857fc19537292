/**
 * The key of a probe in both `measure.probes` and `measure.replies`, for grouping: the
 * agent, the destination, the protocol, the ports and the TTL. ICMP sends no destination port, so it counts as 0.
 */

const ports = `probe_dst_addr AS dst, probe_protocol AS protocol, probe_src_port AS srcPort,
  if(probe_protocol IN (1, 58), toUInt16(0), probe_dst_port) AS dstPort, probe_ttl AS ttl`;

export const cellKey = "agent, dst, protocol, srcPort, dstPort, ttl";

/** Columns `agent, dst, protocol, srcPort, dstPort, ttl` of a submitted probe. */
export const probeKey = `toString(agent_id) AS agent, ${ports}`;

/** The same of a reply; the agent is the one that sent the probe, if known. */
export const replyKey = `toString(if(probe_agent = '', agent_id, probe_agent)) AS agent, ${ports}`;
