/** Probes to measure with: those of a trace, of a ping, or any, and the lines that the gateway takes. */

export type ProbeProtocol = "udp" | "tcp" | "icmp" | "icmpv6";

export interface Probe {
  /** IPv4 or IPv6. */
  readonly destination: string;
  /** Names the flow: routers that balance load send a flow the same way. */
  readonly srcPort: number;
  /** Not sent for ICMP and ICMPv6. */
  readonly dstPort: number;
  /** 1 to 255. */
  readonly ttl: number;
  readonly protocol: ProbeProtocol;
}

/** What a submission's probes look like: docs/measure/shape.md. */
export interface ProbeShape {
  /** IP length in bytes, from 314 up; UDP and ICMP. */
  readonly size?: number;
  /** IPv4: no router may divide them. */
  readonly df?: boolean;
  /** 0 to 63, or `EF`, `AF41`, `CS1`. */
  readonly dscp?: number | string;
  readonly ecn?: "not-ect" | "ect0" | "ect1" | "ce";
  /** IPv6. */
  readonly flowLabel?: number;
  /** What UDP probes to port 53 ask name servers. */
  readonly dns?: "hostname.bind" | "id.server" | "nsid";
}

interface Shape {
  /** Default `udp`; `icmp` is ICMPv6 for an IPv6 address. */
  readonly protocol?: ProbeProtocol;
  readonly srcPort?: number;
  readonly dstPort?: number;
}

interface TraceShape extends Shape {
  /** Default 1. */
  readonly firstTtl?: number;
  /** Default 32. */
  readonly lastTtl?: number;
  /** Flows, each with a source port of its own; default 1. */
  readonly flows?: number;
}

interface PingShape extends Shape {
  /** Probes to each destination; default 4. */
  readonly count?: number;
  /** Default 64. */
  readonly ttl?: number;
}

/** Those of existing programs, so that firewalls treat these probes alike. */
const srcPortDefault = 24_000;
const dstPortDefault = 33_434;

/** All TTLs of all flows to each destination, nearer ones first. */
export function traceProbes(destinations: string | readonly string[], shape: TraceShape = {}): Probe[] {
  const { firstTtl = 1, lastTtl = 32, flows = 1, srcPort = srcPortDefault } = shape;
  return counted(firstTtl, lastTtl - firstTtl + 1).flatMap((ttl) =>
    counted(srcPort, flows).flatMap((port) =>
      [destinations].flat().map((destination) => probe(destination, { ...shape, srcPort: port }, ttl)),
    ),
  );
}

/** The same flow each time; TCP takes another source port, as an open port answers the SYN of a connection once. */
export function pingProbes(destinations: string | readonly string[], shape: PingShape = {}): Probe[] {
  const { count = 4, ttl = 64, srcPort = srcPortDefault } = shape;
  return counted(0, count).flatMap((round) =>
    [destinations]
      .flat()
      .map((destination) =>
        probe(destination, { ...shape, srcPort: shape.protocol === "tcp" ? srcPort + round : srcPort }, ttl),
      ),
  );
}

/** A line for each: `192.0.2.1,24000,33434,7,udp`. */
export function probeLines(probes: readonly Probe[]): string {
  return probes
    .map(
      ({ destination, srcPort, dstPort, ttl, protocol }) =>
        `${destination},${srcPort},${dstPort},${ttl},${protocol}\n`,
    )
    .join("");
}

function probe(destination: string, shape: Shape, ttl: number): Probe {
  const { protocol = "udp", srcPort = srcPortDefault, dstPort = dstPortDefault } = shape;
  const isV6 = destination.includes(":");
  return { destination, srcPort, dstPort, ttl, protocol: protocol === "icmp" && isV6 ? "icmpv6" : protocol };
}

function counted(from: number, count: number): number[] {
  return Array.from({ length: Math.max(0, count) }, (_, i) => from + i);
}
