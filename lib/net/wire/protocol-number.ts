/** Protocol numbers of the schema's enum; IANA's numbers are `ianaNumber` in lib/net/packet. */
import type { Protocol } from "../packet/probe.ts";
import { protocolIcmp, protocolIcmpv6, protocolTcp, protocolUdp } from "./layout.ts";

/** tcp 0, udp 1, icmp 2, icmpv6 3. */
export const protocolNumber: Readonly<Record<Protocol, number>> = {
  tcp: protocolTcp,
  udp: protocolUdp,
  icmp: protocolIcmp,
  icmpv6: protocolIcmpv6,
};

const byNumber: readonly Protocol[] = ["tcp", "udp", "icmp", "icmpv6"];

/** The protocol of an enum value, or null where the enum has none. */
export function protocolOfNumber(value: number): Protocol | null {
  return byNumber[value] ?? null;
}
