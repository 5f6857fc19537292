/**
 * The capture filter of an agent, in pcap-filter(7) syntax.
 *
 * Cheap and wide: the kernel only drops the bulk of other traffic, the parser decides. Three gaps of the filter
 * language are closed by hand: `icmp6` does not see past extension headers, `tcp[…]` does not work for IPv6, and
 * nothing matches after a VLAN tag unless `vlan` comes first. As that keyword shifts all later offsets, each further
 * tag is nested in the part of the tag before it, and placed last. It matches 802.1Q and 802.1ad alike. `protochain`
 * would walk the headers, but the kernel cannot run it.
 */

import { dnsPort } from "../lib/net/packet/dns-question.ts";

/** 802.1ad around 802.1Q: the tags that the parsers skip. */
export const vlanTagsMax = 2;

/**
 * Extension headers that may precede ICMPv6 or TCP: hop-by-hop, routing, fragment, AH, destination options.
 */
const extensionHeaders = [0, 43, 44, 51, 60];

const tcpFlagsAt = 13;
const ipv6HeaderBytes = 40;

/** `vlan`: the link type has VLAN tags, that is, it is Ethernet. `dns`: name servers' answers too. */
export function captureFilter(options: { readonly vlan: boolean; readonly dns: boolean }): string {
  const dns = options.dns
    ? ` or (udp src port ${dnsPort}) or (ip6[6] == 17 and ip6[${ipv6HeaderBytes}:2] == ${dnsPort})`
    : "";
  const icmp6 = [58, ...extensionHeaders].map((number) => `ip6[6] == ${number}`).join(" or ");
  const tcp4 = answers(`tcp[${tcpFlagsAt}]`);
  const tcp6 = `ip6[6] == 6 and (${answers(`ip6[${ipv6HeaderBytes + tcpFlagsAt}]`)})`;
  const plain = `icmp or (${tcp4}) or ${icmp6} or (${tcp6})${dns}`;
  const tags = Array.from({ length: options.vlan ? vlanTagsMax : 0 });
  return tags.reduce<string>((inner) => `${plain} or (vlan and (${inner}))`, plain);
}

/** SYN-ACK, or RST. */
function answers(flags: string): string {
  return `${flags} & 0x12 == 0x12 or ${flags} & 0x04 != 0`;
}
