/** Configurations of the lab's daemons: the exchange uses its own template, the others are here. */
import { exchangeConf } from "../../../apps/peering/exchange/exchange-conf.ts";
import { readSettings } from "../../../apps/peering/exchange/settings.ts";
import { debianBird } from "../../exchange/birds.ts";
import * as plan from "./plan.ts";

/** What an exchange has besides, where a test needs it. */
interface Extras {
  readonly withPeer?: boolean;
  readonly withSecondCache?: boolean;
  /** The second cache speaks RTR version 2, and the upstream has the detour. */
  readonly withAspa?: boolean;
}

const second = `, second: {host: 127.0.0.1, port: ${plan.secondCachePort}}`;

/** Documentation ranges stand for the Internet here, so they are not bogons. */
export function exchangeSettings(
  policyFile: string,
  birdVersion = debianBird.version,
  extras: Extras = {},
): string {
  return `
exchange:
  asn: ${plan.platformAsn}
  router_id: 192.0.2.1
  tunnel_address: ${plan.exchangeMember.v4}
  policy_file: ${policyFile}
  bird_version: "${birdVersion}"
  log: stderr
platform:
  prefixes: ["${plan.platformPrefix}", "${plan.platformAggregate}"]
  infrastructure_prefix: ${plan.infrastructurePrefix}
users: {hold_time_sec: 30, error_wait_sec: 1}
rpki: {host: 127.0.0.1, port: 8282${extras.withSecondCache === true ? second : ""}, aspa: ${extras.withAspa ?? false}}
neighbors:
  - name: transit
    role: upstream
    asn: ${plan.upstreamAsn}
    address: "${plan.upstreamLink.other}"
    local_address: "${plan.upstreamLink.exchange}"
  - name: rs1
    role: route_server
    asn: ${plan.serverAsn}
    address: "${plan.serverLink.other}"
    local_address: "${plan.serverLink.exchange}"
${extras.withPeer === true ? peerNeighbor : ""}outside:
  bogon_prefixes: ["fc00::/7", "fe80::/10", "ff00::/8"]
  bogon_asns: ["0", "64512-65534"]
`;
}

export function exchangeConfiguration(policyFile: string, birdVersion?: string, extras?: Extras): string {
  const text = exchangeSettings(policyFile, birdVersion, extras);
  return exchangeConf(readSettings({ name: "lab", text }, {}));
}

const head = (routerId: string) => `log stderr all;
router id ${routerId};
timeformat protocol iso long ms;
protocol device { scan time 1; }
`;

/** Routes of the far AS, and some that must not come in: bogons, a private AS, our own prefixes. */
export function upstreamConfiguration(hasDetour = false): string {
  const far = Array.from({ length: plan.farRoutes }, (_, n) => `  route ${plan.farPrefix(n)} unreachable;`);
  const bad = plan.refusedFromUpstream.slice(1);
  return `${head("192.0.2.2")}
protocol static far {
  ipv6;
${far.join("\n")}
}
protocol static bad {
  ipv6;
${bad.map((prefix) => `  route ${prefix} unreachable;`).join("\n")}
}
${hasDetour ? `protocol static detour { ipv6; route ${plan.detour.prefix} unreachable; }` : ""}
protocol static private_origin {
  ipv6;
  route ${plan.refusedFromUpstream[0]} unreachable;
}
filter to_exchange {
  if (proto = "far" || proto = "bad") then { bgp_path.prepend(${plan.farAsn}); accept; }
  if (proto = "detour") then {
    bgp_path.prepend(${plan.farAsn});
    bgp_path.prepend(${plan.detour.by});
    accept;
  }
  if (proto = "private_origin") then { bgp_path.prepend(64512); accept; }
  reject;
}
protocol kernel { ipv6 { import none; export where source = RTS_BGP; }; }
protocol bgp exchange {
  local ${plan.upstreamLink.other} as ${plan.upstreamAsn};
  neighbor ${plan.upstreamLink.exchange} as ${plan.platformAsn};
  connect delay time 1; connect retry time 1;
  ipv6 { import all; export filter to_exchange; };
}
`;
}

/** The member behind the route server as a peer too, for the settings of an exchange. */
const peerNeighbor = `  - name: direct
    role: peer
    blackhole: true
    asn: ${plan.memberAsn}
    address: "${plan.peerLink.other}"
    local_address: "${plan.peerLink.exchange}"
`;

/** That peer, which knows nothing of roles: its OTC is as the plan says, whatever that is. */
function peerConfiguration(): string {
  const told = Object.values(plan.peerRoutes);
  const otc = told.map(({ prefix, otc: as }) =>
    as === null ? "" : `  if (net = ${prefix}) then bgp_otc = ${as};\n`,
  );
  return `protocol static of_peer {
  ipv6 { preference 1; };
${told.map(({ prefix }) => `  route ${prefix} unreachable;`).join("\n")}
}
filter to_peer {
  if (proto != "of_peer") then reject;
${otc.join("")}  accept;
}
protocol bgp as_peer {
  local ${plan.peerLink.other} as ${plan.memberAsn};
  neighbor ${plan.peerLink.exchange} as ${plan.platformAsn};
  connect delay time 1; connect retry time 1;
  ipv6 { import all; export filter to_peer; };
}
`;
}

/** Passes a member's route on without putting its own AS before it, as route servers do. */
export function serverConfiguration(withPeer: boolean): string {
  return `${head("192.0.2.3")}
protocol static behind {
  ipv6;
  route ${plan.memberPrefix} unreachable;
}
filter to_exchange {
  if (proto != "behind") then reject;
  bgp_path.prepend(${plan.memberAsn});
  bgp_next_hop = ${plan.serverLink.member};
  accept;
}
protocol bgp exchange {
  local ${plan.serverLink.other} as ${plan.serverAsn};
  neighbor ${plan.serverLink.exchange} as ${plan.platformAsn};
  rs client;
  connect delay time 1; connect retry time 1;
  ipv6 { import all; export filter to_exchange; };
}
${withPeer ? peerConfiguration() : ""}`;
}

/** A user's BIRD: prefixes as blackholes, exported; everything else only heard. */
export function userConfiguration(member: plan.Member, asn: number, prefixes: readonly string[]): string {
  const routes = prefixes.map((prefix) => `  route ${prefix} blackhole;`).join("\n");
  return `${head(member.v4)}
protocol static own { ipv6; ${routes} }
protocol static vpn_next_hops { ipv4; route 100.64.0.0/10 via "tailscale0"; }
protocol bgp exchange {
  local ${member.v4} as ${asn};
  neighbor ${plan.exchangeMember.v4} as ${plan.platformAsn};
  multihop;
  connect delay time 1; connect retry time 1;
  ipv6 { import all; export where proto = "own"; extended next hop on; };
}
`;
}

/** The same in FRR 8.4, which gives its own IPv6 address in the tunnel as next hop. */
export function frrConfiguration(member: plan.Member, asn: number, prefix: string): string {
  return `hostname ${member.node}
router bgp ${asn}
 bgp router-id ${member.v4}
 no bgp network import-check
 neighbor ${plan.exchangeMember.v4} remote-as ${plan.platformAsn}
 neighbor ${plan.exchangeMember.v4} ebgp-multihop 64
 neighbor ${plan.exchangeMember.v4} update-source ${member.v4}
 neighbor ${plan.exchangeMember.v4} capability extended-nexthop
 neighbor ${plan.exchangeMember.v4} timers connect 1
 no neighbor ${plan.exchangeMember.v4} enforce-first-as
 address-family ipv4 unicast
  no neighbor ${plan.exchangeMember.v4} activate
 exit-address-family
 address-family ipv6 unicast
  network ${prefix}
  neighbor ${plan.exchangeMember.v4} activate
  neighbor ${plan.exchangeMember.v4} prefix-list own out
  neighbor ${plan.exchangeMember.v4} route-map all in
  neighbor ${plan.exchangeMember.v4} route-map all out
 exit-address-family
!
ipv6 prefix-list own permit ${prefix}
route-map all permit 10
`;
}

/** VRPs for StayRTR: wrong origins for the first routes, and ROAs of the platform for what is leased. */
export function vrps(others: readonly Vrp[] = []): string {
  const wrong = Array.from({ length: plan.invalidRoutes }, (_, n) => vrp(64_511, plan.farPrefix(n)));
  const own = [plan.platformPrefix, plan.platformAggregate].map((prefix) => vrp(plan.platformAsn, prefix));
  return JSON.stringify({
    metadata: { builddate: "2026-01-01T00:00:00Z" },
    roas: [...wrong, ...own, ...others],
  });
}

export interface Vrp {
  readonly asn: string;
  readonly prefix: string;
  readonly maxLength: number;
  readonly ta: string;
}

export function vrp(asn: number, prefix: string): Vrp {
  return { asn: `AS${asn}`, prefix, maxLength: 48, ta: "lab" };
}
