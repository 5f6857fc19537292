/** Configurations of the routers around the exchange servers: BIRD, FRR and GoBGP as upstreams, BIRD in stubs. */
import {
  type Exchange,
  endsOf,
  type LinkEnd,
  managementAddress,
  platformAsn,
  routerIds,
  type Stub,
} from "./plan.ts";

const birdHead = (id: string) => `log stderr all;
router id ${id};
timeformat protocol iso long ms;
protocol device { scan time 1; }
protocol kernel { ipv6 { import none; export where source = RTS_BGP; }; }
`;

/** `filter`: what that neighbour hears. */
function birdSession({ peer, own, other, asn, peerAsn }: LinkEnd, filter: string): string {
  return `protocol bgp to_${peer} {
  local ${own} as ${asn};
  neighbor ${other} as ${peerAsn};
  connect delay time 1; connect retry time 1; error wait time 1, 2;
  ipv6 { import all; export ${filter}; next hop self; };
}
`;
}

/** BIRD that tells everybody everything, and notes each message in a file of MRT. */
export function birdUpstream(mrtFile: string): string {
  const sessions = endsOf("bird").map((end) => birdSession(end, "where source = RTS_BGP"));
  return `${birdHead(routerIds.bird)}
mrtdump "${mrtFile}";
mrtdump protocols { states, messages };
${sessions.join("")}`;
}

/** BIRD that tells its own prefix alone. */
export function birdStub({ node, asn, prefix }: Stub): string {
  const sessions = endsOf(node).map((end) => birdSession(end, 'where proto = "own"'));
  return `${birdHead(`198.51.100.${asn - 64_699}`)}
protocol static own { ipv6; route ${prefix} blackhole; }
${sessions.join("")}`;
}

/** FRR that tells by BMP what it hears, and notes each message with microseconds. */
export function frrUpstream(mrtFile: string, bmpPort: number): string {
  const ends = endsOf("frr");
  const sessions = ends.map(
    ({ other, peerAsn }) => ` neighbor ${other} remote-as ${peerAsn}
 neighbor ${other} timers connect 1
 neighbor ${other} advertisement-interval 0`,
  );
  const families = ends.map(
    ({ other }) => `  neighbor ${other} activate
  neighbor ${other} soft-reconfiguration inbound`,
  );
  return `hostname frr
log stdout
dump bgp updates-et ${mrtFile}
router bgp ${ends[0]?.asn}
 bgp router-id ${routerIds.frr}
 no bgp ebgp-requires-policy
 no bgp default ipv4-unicast
${sessions.join("\n")}
 address-family ipv6 unicast
${families.join("\n")}
 exit-address-family
 bmp targets here
  bmp monitor ipv6 unicast pre-policy
  bmp connect ${managementAddress("mgmt")} port ${bmpPort} min-retry 100 max-retry 500
 exit
`;
}

/**
 * GoBGP, which tells by BMP what it hears, and notes each message with seconds. `mrtName`: in the folder where it runs;
 * GoBGP takes digits and the like in it for a pattern of the time.
 */
export function gobgpUpstream(mrtName: string, bmpPort: number): string {
  const ends = endsOf("gobgp");
  const sessions = ends.map(
    ({ own, other, peerAsn }) => `[[neighbors]]
  [neighbors.config]
    neighbor-address = "${other}"
    peer-as = ${peerAsn}
  [neighbors.transport.config]
    local-address = "${own}"
  [neighbors.timers.config]
    connect-retry = 1
    idle-hold-time-after-reset = 1
  [[neighbors.afi-safis]]
    [neighbors.afi-safis.config]
      afi-safi-name = "ipv6-unicast"
`,
  );
  return `[global.config]
  as = ${ends[0]?.asn}
  router-id = "${routerIds.gobgp}"
[[mrt-dump]]
  [mrt-dump.config]
    dump-type = "updates"
    rotation-interval = 86400
    file-name = "${mrtName}"
[[bmp-servers]]
  [bmp-servers.config]
    address = "${managementAddress("mgmt")}"
    port = ${bmpPort}
    route-monitoring-policy = "pre-policy"
${sessions.join("")}`;
}

/** As the operator of an exchange server writes it; ranges for documentation stand for the Internet. */
export function exchangeSettings({ node, name, upstream, v4 }: Exchange, policyFile: string): string {
  const [end] = endsOf(node);
  return `
exchange:
  asn: ${platformAsn}
  router_id: 192.0.2.${name.at(-1)}
  tunnel_address: ${v4}
  policy_file: ${policyFile}
  log: stderr
platform: {prefixes: ["2001:db8:51::/48"], infrastructure_prefix: "2001:db8:ffff::/48"}
users: {hold_time_sec: 30, error_wait_sec: 1}
rpki: {host: 127.0.0.1, port: 8282}
neighbors:
  - {name: ${upstream}, role: upstream, asn: ${end?.peerAsn}, address: "${end?.other}", local_address: "${end?.own}"}
outside:
  bogon_prefixes: ["fc00::/7", "fe80::/10", "ff00::/8"]
  bogon_asns: ["0"]
`;
}
