/** The IPv6 flow label of a probe: routers may hash addresses and label alone (RFC 6437 s.3), so it names the flow. */
import type { Probe } from "./probe.ts";

/**
 * The upper 20 bits of (source port | destination port << 16) times 0x9e3779b1, modulo 2^32; 1 in place of 0, which
 * would mean "no label". ICMPv6 counts as having destination port 0.
 */
export function flowLabelOf({
  protocol,
  srcPort,
  dstPort,
}: Pick<Probe, "protocol" | "srcPort" | "dstPort">): number {
  const isIcmp = protocol === "icmp" || protocol === "icmpv6";
  return Math.imul(srcPort | (isIcmp ? 0 : dstPort << 16), 0x9e3779b1) >>> 12 || 1;
}
