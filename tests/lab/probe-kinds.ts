/** Every kind of probe: an IP version, and what it carries. */
import type { Protocol } from "../../lib/net/packet/probe.ts";

export type ProbeKind = readonly ["v4" | "v6", Protocol];

export const probeKinds = [
  ["v4", "udp"],
  ["v4", "icmp"],
  ["v4", "tcp"],
  ["v6", "udp"],
  ["v6", "icmpv6"],
  ["v6", "tcp"],
] as const satisfies readonly ProbeKind[];
