/**
 * Networks outside of the stack's exchange: two upstreams, which peer with each other, and a collector of both,
 * as those of RIPE RIS and RouteViews do. Each upstream is a BIRD in a network namespace; that of the collector runs on
 * this machine itself, which is at the other end of both links.
 *
 *     exchange  ::1 ══ vantage1 ══ ::2  vantage-transit1, AS 64496 ══╗
 *     collector ::3 ══╝                                              ║ 2001:db8:ffff:3::/64
 *     exchange  ::1 ══ vantage2 ══ ::2  vantage-transit2, AS 64497 ══╝
 *     collector ::3 ══╝
 *
 * Only routes are exchanged: no upstream forwards packets.
 */

interface Link {
  readonly exchange: string;
  readonly upstream: string;
  readonly collector: string;
}

export interface Upstream {
  /** At the exchange and at the gateway: `--prepend-to transit1=2`. */
  readonly name: string;
  readonly asn: number;
  readonly routerId: string;
  readonly namespace: string;
  /** The exchange's end of the link. */
  readonly device: string;
  readonly link: Link;
  /** Its end of the link to the other upstream. */
  readonly peerAddress: string;
  /** What it announces itself. */
  readonly prefix: string;
}

function upstream(number: 1 | 2): Upstream {
  const net = `2001:db8:ffff:${number}`;
  return {
    name: `transit${number}`,
    // ASNs and prefixes for documentation: RFC 5398, RFC 9637.
    asn: 64_495 + number,
    routerId: `192.0.2.${10 + number}`,
    namespace: `vantage-transit${number}`,
    device: `vantage${number}`,
    link: { exchange: `${net}::1`, upstream: `${net}::2`, collector: `${net}::3` },
    peerAddress: `2001:db8:ffff:3::${number}`,
    prefix: `3fff:${number}::/32`,
  };
}

export const upstreams: readonly [Upstream, Upstream] = [upstream(1), upstream(2)];

export const collectorAsn = 64_510;

/** By which its BIRD is shown. */
export const collectorAddress = upstreams[0].link.collector;

export const collectorRouterId = "192.0.2.10";

/** As the peering gateway has them: requests may name them. */
export const neighborNames = upstreams.map(({ name, asn }) => ({ name, asn }));

/** For the exchange's settings; the ranges that these networks are in are accepted here. */
export const outsideSettings = `# Users' routes go to: upstreams, peers, route servers. These are of the stack,
# in ranges for documentation: docs/announce/own-exchange.md
neighbors:
${upstreams
  .map(
    ({ name, asn, link }) =>
      `  - {name: ${name}, role: upstream, asn: ${asn}, address: "${link.upstream}", ` +
      `local_address: "${link.exchange}"}`,
  )
  .join("\n")}
outside:
  bogon_prefixes: ["::/8", "2001:db8::/32", "fc00::/7", "fe80::/10", "ff00::/8"]
  bogon_asns: ["0", "23456", "64512-131071", "4200000000-4294967295"]`;
