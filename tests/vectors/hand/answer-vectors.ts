/** Vectors of valid answers: every kind, protocol, family and code. */
import { echoAnswer, errorAnswer, rstAck, synAck, tcpAnswer } from "./answers.ts";
import { patched } from "./bytes.ts";
import { ethernet, otherLinks } from "./frames.ts";
import { all, icmp4, icmp6, type SentProbe, tcp4, tcp6, udp4, udp6 } from "./probe-sample.ts";
import { answered, type Vector, vector } from "./vector.ts";

const nameOf = (sent: SentProbe) => `${sent.probe.protocol} over IPv${sent.ipv4 ? 4 : 6}`;
export const expired = (sent: SentProbe) => ({ type: sent.ipv4 ? 11 : 3, code: 0 });
const count = (length: number) => Array.from({ length }, (_, i) => i);

/** DSCP 46 (EF), ECN 3 (CE); the header checksum is the router's business. */
const remarked4 = (quote: Uint8Array) => patched(quote, 1, [0xbb]);
const remarked6 = (quote: Uint8Array) => patched(quote, 0, [0x6b, 0xba, 0xbc, 0xde]);

const vlanTag = [0x8100, 100] as const;
const serviceTag = [0x88a8, 7] as const;

export const answerVectors: readonly Vector[] = [
  vector(
    "time-exceeded",
    all.map((sent) => answered(nameOf(sent), errorAnswer(sent, expired(sent)))),
  ),
  vector("unreachable", [
    ...count(16).map((code) => answered(`IPv4 code ${code}`, errorAnswer(udp4, { type: 3, code }))),
    ...count(8).map((code) => answered(`IPv6 code ${code}`, errorAnswer(udp6, { type: 1, code }))),
  ]),
  vector("other-errors", [
    answered("time exceeded in reassembly, IPv4", errorAnswer(udp4, { type: 11, code: 1 })),
    answered("time exceeded in reassembly, IPv6", errorAnswer(udp6, { type: 3, code: 1 })),
    answered("source quench", errorAnswer(udp4, { type: 4, code: 0 })),
    answered("parameter problem, IPv4", errorAnswer(udp4, { type: 12, code: 0 })),
    answered("packet too big", errorAnswer(udp6, { type: 2, code: 0 })),
    answered("parameter problem, IPv6", errorAnswer(udp6, { type: 4, code: 1 })),
    answered("fragmentation needed for 1400 bytes", errorAnswer(udp4, { type: 3, code: 4, mtu: 1400 })),
    answered("packet too big for 1280 bytes", errorAnswer(icmp6, { type: 2, code: 0, mtu: 1280 })),
    answered("packet too big for 100,000 bytes", errorAnswer(tcp6, { type: 2, code: 0, mtu: 100_000 })),
    answered("remarked as EF and CE, IPv4", errorAnswer(udp4, { ...expired(udp4), rewrite: remarked4 })),
    answered("remarked and relabelled, IPv6", errorAnswer(udp6, { ...expired(udp6), rewrite: remarked6 })),
  ]),
  vector("echo-reply", [
    answered(nameOf(icmp4), echoAnswer(icmp4)),
    answered(nameOf(icmp6), echoAnswer(icmp6)),
    answered("at once", echoAnswer(icmp4), { rttTenthMs: 0 }),
    answered("one tick before the time code wraps", echoAnswer(icmp6), { rttTenthMs: 65534 }),
  ]),
  vector(
    "tcp-answer",
    [tcp4, tcp6].flatMap((sent) => [
      answered(`SYN-ACK, ${nameOf(sent)}`, tcpAnswer(sent, synAck)),
      answered(`RST-ACK, ${nameOf(sent)}`, tcpAnswer(sent, rstAck)),
      answered(`SYN-ACK with ECE, ${nameOf(sent)}`, tcpAnswer(sent, synAck | 0x40)),
    ]),
  ),
  vector("vlan", [
    answered("802.1Q, IPv4", errorAnswer(udp4, expired(udp4)), { wrap: ethernet(vlanTag) }),
    answered("802.1Q, IPv6", errorAnswer(udp6, expired(udp6)), { wrap: ethernet(vlanTag) }),
    answered("802.1ad with 802.1Q", echoAnswer(icmp4), { wrap: ethernet(serviceTag, vlanTag) }),
    answered("802.1Q with 802.1ad", errorAnswer(udp6, expired(udp6)), {
      wrap: ethernet(vlanTag, serviceTag),
    }),
    answered("two times 802.1Q", tcpAnswer(tcp6, synAck), { wrap: ethernet(vlanTag, vlanTag) }),
  ]),
  ...otherLinks.map(([name, { linkType, wrap }]) => ({
    ...vector(
      name,
      all.map((sent) => answered(nameOf(sent), errorAnswer(sent, expired(sent)), { wrap })),
    ),
    linkType,
  })),
  {
    ...vector("microseconds", [answered("echo reply", echoAnswer(icmp4))]),
    fractionNs: 1000,
  },
];
