/** What the speaker tells: as BIRD is configured, and as it must be read at the other ends. */
import { links, listenerAsn, speakerAsn } from "./monitor-net.ts";

interface Told {
  readonly prefix: string;
  readonly asPath: readonly number[];
  /** The length of the prefix: BIRD passes on no MED but what it sets for the session itself. */
  readonly med: number;
  readonly communities: readonly (readonly [number, number])[];
  readonly largeCommunities: readonly (readonly [number, number, number])[];
  readonly origin: "IGP" | "EGP" | "INCOMPLETE";
}

const each = 30;
const origins = ["IGP", "EGP", "INCOMPLETE"] as const;

/** Both families, in turns, each prefix with attributes of its own; AS numbers of two and of four bytes. */
export const told: readonly Told[] = Array.from({ length: 2 * each }, (_, i) => {
  const n = i >> 1;
  const [base, length] =
    i % 2 === 0 ? [`203.0.113.${4 * n}`, 30] : [`2001:db8:${(0x1000 + 4 * n).toString(16)}::`, 48 - (n % 3)];
  return {
    prefix: `${base}/${length}`,
    asPath: [speakerAsn, ...Array<number>(n % 4).fill(4_200_000_000 + n)],
    med: length,
    communities: n % 3 === 0 ? [] : [[speakerAsn, n]],
    largeCommunities: n % 2 === 0 ? [] : [[4_200_000_000, n, 7]],
    origin: origins[n % 3] ?? "IGP",
  };
});

/** The speaker's configuration; those that are withdrawn are left out. */
export function speakerText(isTold: (index: number) => boolean): string {
  const route = (isV4: boolean) =>
    told.flatMap((one, i) => (isTold(i) && (i % 2 === 0) === isV4 ? [routeText(one)] : [])).join("\n");
  return `log stderr all;
router id 192.0.2.1;
protocol device { }
protocol static four { ipv4; ${route(true)} }
protocol static six { ipv6; ${route(false)} }
${sessionText("collector")}
${sessionText("router")}`;
}

function routeText({ prefix, asPath, communities, largeCommunities, origin }: Told): string {
  const lines = [
    `bgp_origin = ORIGIN_${origin};`,
    ...asPath
      .slice(1)
      .toReversed()
      .map((asn) => `bgp_path.prepend(${asn});`),
    ...communities.map((parts) => `bgp_community.add((${parts.join(",")}));`),
    ...largeCommunities.map((parts) => `bgp_large_community.add((${parts.join(",")}));`),
  ];
  return `route ${prefix} unreachable { ${lines.join(" ")} };`;
}

/** Over several hops, so that no next hop is link-local: FRR without zebra knows no interfaces. */
function sessionText(to: keyof typeof links): string {
  const { near, far } = links[to];
  return `protocol bgp to_${to} {
  local ${near} as ${speakerAsn};
  neighbor ${far} as ${listenerAsn};
  multihop 2;
  connect delay time 1; connect retry time 1; error wait time 1, 2;
  ipv4 { import none; export filter { bgp_med = net.len; accept; }; next hop self; extended next hop; };
  ipv6 { import none; export filter { bgp_med = net.len; accept; }; next hop self; };
}`;
}

/** BIRD that notes each message in a file of MRT. It refuses these, and marks those that have a code. */
export function collectorText(file: string, refused: ReadonlyMap<string, number | null> = new Map()): string {
  const { near, far } = links.collector;
  const rules = [...refused].map(([prefix, code]) => {
    const mark = code === null ? "" : `bgp_large_community.add((${listenerAsn},1,${code})); `;
    return `if net = ${prefix} then { ${mark}reject; }`;
  });
  return `log stderr all;
router id 192.0.2.2;
mrtdump "${file}";
mrtdump protocols { states, messages };
filter taken { ${rules.join(" ")} accept; }
protocol device { }
protocol bgp speaker {
  local ${far} as ${listenerAsn};
  neighbor ${near} as ${speakerAsn};
  multihop 2;
  connect delay time 1; connect retry time 1; error wait time 1, 2;
  ipv4 { import keep filtered; import filter taken; export none; extended next hop; };
  ipv6 { import keep filtered; import filter taken; export none; };
}`;
}

/** FRR that sends all that it hears by BMP, before and after its policy, which refuses some prefixes. */
export function routerText(bmpPorts: readonly number[], refused: readonly string[]): string {
  const { near } = links.router;
  // A list of prefixes that is not there matches all of them.
  const policy = refused.length === 0 ? "" : `  neighbor ${near} route-map policy in\n`;
  return `hostname router
log stdout
router bgp ${listenerAsn}
 bgp router-id 198.51.100.2
 no bgp ebgp-requires-policy
 neighbor ${near} remote-as ${speakerAsn}
 neighbor ${near} timers connect 1
 neighbor ${near} ebgp-multihop 2
 neighbor ${near} disable-connected-check
 neighbor ${near} capability extended-nexthop
 address-family ipv4 unicast
  neighbor ${near} activate
  neighbor ${near} soft-reconfiguration inbound
${policy} exit-address-family
 address-family ipv6 unicast
  neighbor ${near} activate
  neighbor ${near} soft-reconfiguration inbound
${policy} exit-address-family
 bmp targets here
  bmp monitor ipv4 unicast pre-policy
  bmp monitor ipv6 unicast pre-policy
  bmp monitor ipv4 unicast post-policy
  bmp monitor ipv6 unicast post-policy
${bmpPorts.map((port) => `  bmp connect 127.0.0.1 port ${port} min-retry 100 max-retry 500`).join("\n")}
 exit
exit
${refused.length === 0 ? "" : policyText(refused)}`;
}

function policyText(refused: readonly string[]): string {
  const lists = refused.map(
    (prefix) => `${prefix.includes(":") ? "ipv6" : "ip"} prefix-list refused permit ${prefix}`,
  );
  return `${lists.join("\n")}
route-map policy deny 10
 match ip address prefix-list refused
exit
route-map policy deny 20
 match ipv6 address prefix-list refused
exit
route-map policy permit 30
exit
`;
}
