/** BIRD's configurations of the networks outside. Pure. */
import { collectorAsn, collectorRouterId, type Upstream, upstreams } from "./plan.ts";

/** Sessions of processes on one machine: TCP notices their end, so keepalives would only fill the collector's file. */
const quiet = "hold time 65535; keepalive time 21845;";

const quick = "connect delay time 1; connect retry time 5; error wait time 1, 5;";

function head(routerId: string): string {
  return `log syslog all;
router id ${routerId};
protocol device { scan time 10; }
`;
}

interface Session {
  readonly name: string;
  readonly local: string;
  readonly asn: number;
  readonly neighbor: string;
  readonly neighborAsn: number;
  readonly options: string;
  /** What the channel imports and exports. */
  readonly policy: string;
}

function session({ name, local, asn, neighbor, neighborAsn, options, policy }: Session): string {
  return `
protocol bgp ${name} {
  local ${local} as ${asn};
  strict bind on;
  neighbor ${neighbor} as ${neighborAsn};
  ${quick}
  ${options}
  ipv6 { next hop self; ${policy} };
}
`;
}

/**
 * What customers announce is for everyone, what the peer announces for customers and the collector. The shortest path
 * is the best one, so that prepends show.
 */
export function upstreamConf(own: Upstream, platformAsn: number): string {
  const { asn, link, peerAddress, prefix, routerId } = own;
  const other = upstreams.find((one) => one !== own) ?? own;
  const bare = "bgp_large_community.empty; accept;";
  const common = { local: link.upstream, asn };
  return `${head(routerId)}
protocol static own { ipv6; route ${prefix} unreachable; }
define FROM_CUSTOMER = (${asn}, 0, 1);
${session({
  ...{ ...common, name: "exchange", neighbor: link.exchange, neighborAsn: platformAsn },
  options: "local role provider;",
  policy: `import filter { bgp_large_community.add(FROM_CUSTOMER); accept; }; export filter { ${bare} };`,
})}${session({
  ...{ name: "peer", local: peerAddress, asn, neighbor: other.peerAddress, neighborAsn: other.asn },
  options: "",
  policy:
    "import all; export filter { if source != RTS_STATIC && !(FROM_CUSTOMER ~ bgp_large_community) then reject; " +
    `${bare} };`,
})}${session({
  ...{ ...common, name: "collector", neighbor: link.collector, neighborAsn: collectorAsn },
  options: quiet,
  policy: `import none; export filter { ${bare} };`,
})}`;
}

/** `file`: of MRT, which the collector follows. */
export function collectorConf(file: string): string {
  const sessions = upstreams.map(({ name, asn, link }) =>
    session({
      ...{ name, local: link.collector, asn: collectorAsn, neighbor: link.upstream, neighborAsn: asn },
      options: `${quiet}\n  passive on;`,
      policy: "import all; export none;",
    }),
  );
  return `${head(collectorRouterId)}mrtdump ${JSON.stringify(file)};
mrtdump protocols { states, messages };
${sessions.join("")}`;
}
