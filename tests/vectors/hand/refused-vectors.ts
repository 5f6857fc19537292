/** Vectors of packets that are not our answers, or no longer count as such; and of outer headers with more in them. */
import { expired } from "./answer-vectors.ts";
import { echoAnswer, errorAnswer, rstAck, synAck, tcpAnswer } from "./answers.ts";
import { concat, patched, u16, u32, zeros } from "./bytes.ts";
import { ethernet, ethernetOther } from "./frames.ts";
import { ipPacket } from "./ip.ts";
import {
  agent4,
  agent6,
  icmp4,
  icmp6,
  keys,
  router4,
  router6,
  type SentProbe,
  sent,
  tcp4,
  tcp6,
  udp4,
  udp6,
} from "./probe-sample.ts";
import { answered, ignored, type Vector, vector } from "./vector.ts";

const onEthernet = ethernet();
const time4 = (outer = {}) => errorAnswer(udp4, { ...expired(udp4), outer });
const time6 = (outer = {}) => errorAnswer(udp6, { ...expired(udp6), outer });

/** Extension headers without their first byte, the next header. */
const hopByHop = [0, [0, 5, 2, 0, 0, 1, 0]] as const;
const destinationOptions = [60, [1, 1, 12, ...zeros(12)]] as const;
const routing = [43, [2, 253, 0, ...zeros(20)]] as const;
const firstFragment = [44, [0, 0, 1, 0, 0, 0, 9]] as const;
const laterFragment = [44, [0, 0, 9, 0, 0, 0, 9]] as const;
const authentication = [51, [4, ...zeros(22)]] as const;

const foreignProbe = sent({ ...udp4.probe, srcPort: 24009 }, keys[0]);
const stranger = sent({ ...udp4.probe }, { k0: 1n, k1: 2n });
/** Nobody remembers it. */
const unsent = sent({ ...tcp4.probe, srcPort: 24010 });
/** As a kernel makes it: its sequence number says nothing to us. */
const ownSyn = (({ packet, ...rest }: SentProbe): SentProbe => ({
  ...rest,
  packet: patched(packet, 44, u32(0x3a91_0a5c)),
}))(tcp6);

const echoRequest4 = ipPacket({
  src: router4,
  dst: agent4,
  protocolNumber: 1,
  payload: concat([8, 0], zeros(62)),
});
const ping = (bytes: number) =>
  ipPacket({ src: router4, dst: agent4, protocolNumber: 1, payload: concat([0, 0], zeros(6 + bytes)) });
const tcpTo = (flags: number) =>
  ipPacket({
    src: router4,
    dst: agent4,
    protocolNumber: 6,
    payload: concat([0, 80], u16(40000), zeros(4), u32(1), [0x50, flags], zeros(6)),
  });

export const refusedVectors: readonly Vector[] = [
  vector("ipv4-options", [
    answered("record route", time4({ options: [7, 7, 4, 0, 0, 0, 0, 0] })),
    answered("a header of 60 bytes", time4({ options: [...Array.from({ length: 39 }, () => 1), 0] })),
    answered("echo reply with options", echoAnswer(icmp4, { options: [0x94, 4, 0, 0] })),
    answered("SYN-ACK with options", tcpAnswer(tcp4, synAck, { options: [0x94, 4, 0, 0] })),
  ]),
  vector("ipv6-extensions", [
    answered("hop-by-hop options", time6({ extensions: [hopByHop] })),
    answered("destination options", time6({ extensions: [destinationOptions] })),
    answered("routing", time6({ extensions: [routing] })),
    answered("a fragment that is all", time6({ extensions: [firstFragment] })),
    answered("authentication", time6({ extensions: [authentication] })),
    answered("four of them", time6({ extensions: [hopByHop, destinationOptions, routing, firstFragment] })),
    answered("echo reply behind one", echoAnswer(icmp6, { extensions: [hopByHop] })),
    answered("SYN-ACK behind one", tcpAnswer(tcp6, synAck, { extensions: [destinationOptions] })),
    answered("a later fragment", time6({ extensions: [laterFragment] }), { outcome: "fragment" }),
    answered("more than any packet needs", time6({ extensions: Array(9).fill(hopByHop) }), {
      outcome: "malformed",
    }),
    answered("one cut short", time6({ extensions: [[0, [200, 0, 0, 0, 0, 0, 0]]] }), {
      outcome: "malformed",
    }),
  ]),
  vector("late", [
    answered("6.5534 s", time4(), { rttTenthMs: 65534 }),
    answered("6.5535 s: the time code has wrapped", time4(), { rttTenthMs: 65535, outcome: "stale" }),
    answered("7 s", time4(), { rttTenthMs: 70_000, outcome: "stale" }),
    answered("7 s, echo reply", echoAnswer(icmp6), { rttTenthMs: 70_000, outcome: "stale" }),
    answered("65 s", time6(), { rttTenthMs: 650_000, outcome: "stale" }),
    answered("two minutes: not told from a forgery", time6(), { rttTenthMs: 1_200_000, outcome: "mismatch" }),
  ]),
  vector("forged", [
    answered("a probe of another instance of this agent", errorAnswer(foreignProbe, expired(foreignProbe))),
    answered("RST-ACK of another SYN", otherSyn(), { outcome: "tcpUnproven" }),
    answered("SYN-ACK to a SYN that never left, tag and all", tcpAnswer(unsent, synAck), {
      outcome: "tcpUnproven",
    }),
    answered("SYN-ACK from another port than the SYN went to", fromOtherPort(), { outcome: "tcpUnproven" }),
    answered("error that quotes a SYN that never left", errorAnswer(unsent, expired(unsent)), {
      outcome: "tcpUnproven",
    }),
    answered("error that quotes a SYN of the host, IPv6", errorAnswer(ownSyn, expired(ownSyn)), {
      outcome: "tcpUnproven",
    }),
    answered("SYN-ACK, a wrap late", tcpAnswer(tcp4, synAck), { rttTenthMs: 65535, outcome: "tcpUnproven" }),
    answered("error that quotes TCP, a wrap late", errorAnswer(tcp4, expired(tcp4)), {
      rttTenthMs: 65535,
      outcome: "stale",
    }),
    answered("error that quotes TCP, a wrap late, IPv6", errorAnswer(tcp6, expired(tcp6)), {
      rttTenthMs: 65535,
      outcome: "tcpUnproven",
    }),
    answered("a probe with a stranger's tag", errorAnswer(stranger, expired(stranger)), {
      outcome: "mismatch",
    }),
  ]),
  vector("foreign", [
    ignored("an answer to an address that is not ours", "foreign", onEthernet(foreignAnswer())),
    ignored("ARP", "notIp", ethernetOther(0x0806, zeros(46))),
    ignored("LLDP", "notIp", ethernetOther(0x88cc, zeros(46))),
    ignored("three VLAN tags", "notIp", ethernet([0x8100, 1], [0x8100, 2], [0x8100, 3])(time4().packet)),
    ignored("a frame cut inside its header", "truncated", ethernetOther(0x0800, []).slice(0, 13)),
    ignored("an Ethernet header alone", "truncated", ethernetOther(0x0800, [])),
    ignored("IP version 5", "notIp", ethernetOther(0x0800, [0x55, ...zeros(40)])),
    ignored("an IPv4 header of 16 bytes", "malformed", onEthernet(patched(time4().packet, 0, [0x44]))),
    ignored(
      "a total length below the header's",
      "malformed",
      onEthernet(patched(time4().packet, 2, [0, 19])),
    ),
    ignored("a later IPv4 fragment", "fragment", onEthernet(time4({ fragmentField: 3 }).packet)),
    ignored("UDP", "otherProtocol", onEthernet(udp())),
    ignored("ICMPv6 in IPv4", "otherProtocol", onEthernet(time4({ protocolNumber: 58 }).packet)),
    ignored("ICMP in IPv6", "otherProtocol", onEthernet(time6({ protocolNumber: 1 }).packet)),
    ignored("echo request", "otherType", onEthernet(echoRequest4)),
    ignored("echo reply of another program, too short", "otherType", onEthernet(ping(8))),
    ignored("echo reply of another program, too long", "otherType", onEthernet(ping(1400))),
    ignored("neighbour solicitation", "otherType", onEthernet(neighbourSolicitation())),
    ignored("TCP data", "otherType", onEthernet(tcpTo(0x18))),
    ignored("SYN", "otherType", onEthernet(tcpTo(0x02))),
    ignored("FIN-ACK", "otherType", onEthernet(tcpTo(0x11))),
    ignored("RST of a connection", "otherType", onEthernet(tcpTo(0x04))),
    ignored("RST-ACK of another connection", "otherType", onEthernet(tcpTo(rstAck))),
    ignored("error that quotes GRE", "quoteOther", onEthernet(quoting(patched(udp4.packet, 9, [47])))),
    ignored(
      "error that quotes an echo reply",
      "quoteOther",
      onEthernet(quoting(patched(icmp4.packet, 20, [0]))),
    ),
    ignored(
      "error that quotes a fragment",
      "quoteOther",
      onEthernet(quoting(patched(udp4.packet, 6, [0, 3]))),
    ),
    ignored(
      "error that quotes short UDP",
      "quoteOther",
      onEthernet(quoting(patched(udp4.packet, 24, [0, 18]))),
    ),
    ignored(
      "error that quotes long UDP",
      "quoteOther",
      onEthernet(quoting(patched(udp4.packet, 24, [5, 0]))),
    ),
    ignored("error that quotes IPv6 in IPv4", "quoteOther", onEthernet(quoting(udp6.packet))),
  ]),
];

/** The last byte that is acknowledged holds 8 bits of the tag. */
function otherSyn() {
  const { packet, reply } = tcpAnswer(tcp4, rstAck);
  return { packet: patched(packet, 31, [(packet[31] ?? 0) ^ 0x40]), reply };
}

function fromOtherPort() {
  const { packet, reply } = tcpAnswer(tcp4, synAck);
  return { packet: patched(packet, 20, u16(8443)), reply };
}

/** An IPv4 error around any bytes. */
function quoting(quote: Uint8Array, dst = agent4): Uint8Array {
  const payload = concat([11, 0, 0, 0], zeros(4), quote);
  return ipPacket({ src: router4, dst, protocolNumber: 1, payload });
}

/** Neither that address nor the quoted source is ours. */
function foreignAnswer(): Uint8Array {
  return quoting(patched(udp4.packet, 12, [198, 18, 0, 1]), router4);
}

function udp(): Uint8Array {
  return ipPacket({
    src: router4,
    dst: agent4,
    protocolNumber: 17,
    payload: concat(u16(5353), u16(4000), u16(20), zeros(14)),
  });
}

function neighbourSolicitation(): Uint8Array {
  return ipPacket({
    src: router6,
    dst: agent6,
    protocolNumber: 58,
    payload: concat([135, 0], zeros(22)),
    ttl: 255,
  });
}
