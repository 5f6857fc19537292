/** Every kind of probe: an IP version, and what it carries. */
import type { Protocol } from "../../lib/net/packet/probe.ts";
import { inTier } from "../run/tier.ts";

export type ProbeKind = readonly ["v4" | "v6", Protocol];

export const probeKinds = [
  ["v4", "udp"],
  ["v4", "icmp"],
  ["v4", "tcp"],
  ["v6", "udp"],
  ["v6", "icmpv6"],
  ["v6", "tcp"],
] as const satisfies readonly ProbeKind[];

/** What tests play that are alike for each: in the usual tier one of each protocol, both versions among them. */
export const someProbeKinds = inTier<readonly ProbeKind[]>({
  usual: [
    ["v4", "udp"],
    ["v6", "icmpv6"],
    ["v4", "tcp"],
  ],
  long: probeKinds,
});
