/** A probe: one packet to send, and the vocabulary around it. */
import type { Address, Family } from "../ip/address.ts";
import type { DnsQuestion } from "./dns-question.ts";

export const protocols = ["udp", "icmp", "icmpv6", "tcp"] as const;

/** The protocols that a probe can use. `tcp` is a bare SYN. */
export type Protocol = (typeof protocols)[number];

/** IANA protocol numbers, as in IP headers and in `Reply.probeProtocol`. */
export const ianaNumber: Readonly<Record<Protocol, number>> = { icmp: 1, tcp: 6, udp: 17, icmpv6: 58 };

/** Protocol names for people. */
export const protocolNames: Readonly<Record<Protocol, string>> = {
  udp: "UDP",
  tcp: "TCP",
  icmp: "ICMP",
  icmpv6: "ICMPv6",
};

/** The IANA number of a protocol by its name; those without one are written as their number. */
export function protocolNumber(name: string): number {
  const protocol = protocols.find((known) => protocolNames[known] === name);
  return protocol === undefined ? Number(name) : ianaNumber[protocol];
}

/** What a packet looks like beyond its flow and its TTL; what is absent is as it is without a shape. */
export interface ProbeShape {
  /**
   * IP length in bytes, `sizeBytesMin` of the family or more: UDP and ICMP only, as a SYN carries no data. Absent: as
   * long as the TTL needs.
   */
  readonly sizeBytes?: number;
  /** IPv4: no router may divide it. Over IPv6 none may anyway. */
  readonly dontFragment?: boolean;
  /** DSCP (upper 6 bits) and ECN (lower 2), 0–255. */
  readonly trafficClass?: number;
  /** IPv6: 1–0xfffff. Absent: the flow's, by flow-label.ts. */
  readonly flowLabel?: number;
  /** What a name server is asked: UDP to port 53 only, without a size. */
  readonly dns?: DnsQuestion;
}

/** Whether probes are as without a shape. */
export function isPlainShape(shape: ProbeShape): boolean {
  return Object.values(shape).every((value) => value === undefined || value === false);
}

/** Shorter packets give their TTL back by their length, which is at most 255 + 18 behind the IP header. */
export const sizeBytesMin: Readonly<Record<Family, number>> = { 4: 20 + 18 + 256, 6: 40 + 18 + 256 };
export const sizeBytesMax = 65_535;

export interface Probe {
  readonly dst: Address;
  /** UDP and TCP: the source port. ICMP and ICMPv6: the identifier and the checksum, so it names the flow. */
  readonly srcPort: number;
  /** Not used by ICMP and ICMPv6. */
  readonly dstPort: number;
  /** IPv4 time to live, IPv6 hop limit; 1–255. */
  readonly ttl: number;
  readonly protocol: Protocol;
  readonly shape?: ProbeShape;
}

/** Whether a protocol can be sent to an address of this family: ICMP is IPv4's, ICMPv6 is IPv6's. */
export function protocolFitsFamily(protocol: Protocol, family: Family): boolean {
  if (protocol === "icmp") {
    return family === 4;
  }
  return protocol === "icmpv6" ? family === 6 : true;
}
