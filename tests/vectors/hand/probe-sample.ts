/** The probes that the vectors answer: one of each protocol and family, from one agent, at one moment. */
import { address, isIpv4 } from "../../../lib/net/ip/address.ts";
import { parsePrefix } from "../../../lib/net/ip/prefix.ts";
import { dnsPort, dnsQuestions } from "../../../lib/net/packet/dns-question.ts";
import { ianaNumber, type Probe } from "../../../lib/net/packet/probe.ts";
import type { SipKey } from "../../../lib/net/packet/siphash.ts";
import { type TcpProof, tagKey, tagOf, tcpPrint } from "../../../lib/net/packet/tag.ts";
import { wireTimeCode, wrapOf } from "../../../lib/net/packet/time-code.ts";
import { buildProbe } from "../../packet/build.ts";

export const agentId = "agent-ab";
/** The first is another instance's, to show that the right one is found. */
export const keys = [1, 7].map((instance) =>
  tagKey(new TextEncoder().encode("vector key"), agentId, instance),
);
export const sources = ["192.0.2.0/24", "2001:db8:a::/48"].map((text) => {
  const prefix = parsePrefix(text);
  if (prefix === null) {
    throw new TypeError(`Cannot read prefix ${text}`);
  }
  return prefix;
});

/** 2025-01-01 00:00:00 UTC and a bit, in ticks of 0.1 ms. */
export const sentTick = 17_356_896_000_123;

export const agent4 = address("192.0.2.10");
export const agent6 = address("2001:db8:a::10");
export const router4 = address("203.0.113.1");
export const router6 = address("2001:db8:ff::1");
const target4 = address("198.51.100.7");
const target6 = address("2001:db8:7::7");

export interface SentProbe {
  readonly probe: Probe;
  readonly src: Uint8Array;
  /** From the IP header on. */
  readonly packet: Uint8Array;
  readonly protocolNumber: number;
  readonly ipv4: boolean;
}

export function sent(probe: Probe, key = keys[1]): SentProbe {
  const ipv4 = isIpv4(probe.dst);
  const src = ipv4 ? agent4 : agent6;
  if (key === undefined) {
    throw new TypeError("Cannot build a probe without a key");
  }
  const packet = buildProbe(probe, { src, tick: sentTick, key });
  return { probe, src, packet, protocolNumber: ianaNumber[probe.protocol], ipv4 };
}

export const udp4 = sent({ dst: target4, srcPort: 24000, dstPort: 33434, ttl: 5, protocol: "udp" });
export const icmp4 = sent({ dst: target4, srcPort: 24001, dstPort: 33434, ttl: 6, protocol: "icmp" });
export const tcp4 = sent({ dst: target4, srcPort: 24002, dstPort: 443, ttl: 7, protocol: "tcp" });
export const udp6 = sent({ dst: target6, srcPort: 24003, dstPort: 33434, ttl: 8, protocol: "udp" });
export const icmp6 = sent({ dst: target6, srcPort: 24004, dstPort: 33434, ttl: 9, protocol: "icmpv6" });
export const tcp6 = sent({ dst: target6, srcPort: 24005, dstPort: 443, ttl: 10, protocol: "tcp" });

const shape = { sizeBytes: 1400, dontFragment: true, trafficClass: 0xb9 };
const sizedAs = (probe: Probe) => sent({ ...probe, shape });
/** With a size: the TTL does not stand in the length. */
export const sized = [udp4, icmp4, udp6, icmp6].map(({ probe }) => sizedAs(probe));

/** Queries to a name server: each question, both families. */
export const dns = [target4, target6].flatMap((dst) =>
  dnsQuestions.map((question, i) => {
    const ports = { srcPort: 24_010 + i, dstPort: dnsPort };
    return sent({ dst, ...ports, ttl: 0xa5 - i, protocol: "udp", shape: { dns: question } });
  }),
);

const printOf = ({ probe, src, protocolNumber }: SentProbe, key: SipKey) => {
  const time = { wireTimeCode: wireTimeCode(sentTick), wrap: wrapOf(sentTick) };
  const dstPort = probe.protocol.startsWith("icmp") ? 0 : probe.dstPort;
  return tcpPrint(tagOf(key, { ...probe, protocolNumber, ...time }), { src, dstPort });
};
const prints = [tcp4, tcp6, ...sized, ...dns].flatMap((sent) =>
  keys[1] === undefined ? [] : [printOf(sent, keys[1])],
);

/** The sender of the second key remembers the two TCP probes, those with a size, and the queries. */
export const tcp: TcpProof = {
  hasLeft: (key, tick, print) => key === 1 && tick === sentTick && prints.includes(print),
};

export const all = [udp4, icmp4, tcp4, udp6, icmp6, tcp6];
