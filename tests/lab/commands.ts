/**
 * The topology as text: input of `ip -batch`, kernel settings and nft rules of each node. Pure.
 *
 * Every route carries the router's own address as `src`, because Linux sends an ICMP error from the address
 * that it would use to reach the prober: so a router has one face for every question.
 */
import { forwarding, type Setting } from "./namespaces.ts";
import {
  hostOf,
  identity,
  type LinkEnd,
  linkEnds,
  linkPlan,
  nextHops,
  nextHopsToNearest,
} from "./routing.ts";
import type { Node, PrefixPair, Topology } from "./topology.ts";

type Family = "v4" | "v6";
const families = ["v4", "v6"] as const;
/** A batch is of both families, so each line names its own by an address. */
const everywhere: Readonly<Record<Family, string>> = { v4: "0.0.0.0/0", v6: "::/0" };
/** An IPv6 address without `nodad` is tentative for a moment, and then refused as the source of a route. */
const addressFlags: Readonly<Record<Family, string>> = { v4: "", v6: " nodad" };
const hostLength: Readonly<Record<Family, number>> = { v4: 32, v6: 128 };

/** Interface between a namespace and its responder, and the far end of the veth pair when it is one. */
export const responderDevice = "responder";
export const responderFarEnd = "responder-far";
/** Neighbour that stands for the whole responder on a veth; its Ethernet address belongs to no interface. */
export const responderEthernet = "02:00:00:00:00:02";

const responderLink: PrefixPair = { v4: "10.199.0.0/30", v6: "2001:db8:199::/64" };
/** Room for a pause of half a second at 20,000 packets a second; the default of a TUN device is 500. */
const responderQueuePackets = 10_000;

/** Settings under /proc/sys/net that a namespace must take, before it has any interface but lo. */
export const requiredSettings: readonly Setting[] = [
  ["ipv6/conf/default/accept_dad", "0"],
  ["ipv6/conf/default/accept_ra", "0"],
  ["ipv4/conf/all/rp_filter", "0"],
  ["ipv4/conf/default/rp_filter", "0"],
  ["ipv4/icmp_ratelimit", "0"],
  ["ipv6/icmp/ratelimit", "0"],
];

/** Settings that some kernels do not have in a namespace; each only makes the limits on ICMP errors wider. */
export const optionalSettings: readonly Setting[] = [
  ["ipv4/icmp_ratemask", "0"],
  ["ipv6/icmp/ratemask", ""],
  ["ipv4/icmp_msgs_per_sec", "1000000"],
  ["ipv4/icmp_msgs_burst", "1000000"],
];

/**
 * Policy 1 hashes ports too, without it no flow leaves the first path; policy 3 hashes the fields that are named: here
 * source 1, destination 2, flow label 8. The seed makes the split repeatable.
 */
export function routerSettings({ multipathBy }: Node): readonly Setting[] {
  const ipv6: readonly Setting[] =
    multipathBy === "label"
      ? [
          ["ipv6/fib_multipath_hash_policy", "3"],
          ["ipv6/fib_multipath_hash_fields", String(1 | 2 | 8)],
        ]
      : [["ipv6/fib_multipath_hash_policy", "1"]];
  return [...forwarding, ["ipv4/fib_multipath_hash_policy", "1"], ...ipv6];
}
const multipathSeedDefault = 20_643;

export function optionalRouterSettings(node: Node): Setting[] {
  return [["ipv4/fib_multipath_hash_seed", String(node.multipathSeed ?? multipathSeedDefault)]];
}

/** `ip` lines that make the veth pairs, once the namespaces exist. */
export function linkCommands(topology: Topology, namespaceOf: (node: string) => string): string[] {
  return topology.links.map((link) => {
    const [a] = linkEnds(topology, link.a).filter((end) => end.peerName === link.b);
    const [b] = linkEnds(topology, link.b).filter((end) => end.peerName === link.a);
    const peer = `peer name ${b?.interfaceName} netns ${namespaceOf(link.b)}`;
    return `link add ${a?.interfaceName} netns ${namespaceOf(link.a)} type veth ${peer}`;
  });
}

/** `ip` lines for inside the namespace of one node: addresses, links up, routes. */
export function nodeCommands(topology: Topology, node: Node): string[] {
  return [
    "link set lo up",
    ...loopbackCommands(node),
    ...linkEnds(topology, node.name).flatMap((end) => linkEndCommands(topology, node, end)),
    ...responderCommands(node),
    ...families.flatMap((family) => [...ownRoutes(node, family), ...otherRoutes(topology, node, family)]),
  ];
}

function loopbackCommands(node: Node): string[] {
  return families.flatMap((family) => {
    const own = node.role === "vantage" ? [] : [`${identity(node)[family]}/${hostLength[family]}`];
    const more = node.addresses === undefined ? [] : [node.addresses[family]];
    const local = node.local === undefined ? [] : [`route add local ${node.local[family]} dev lo`];
    return [
      ...[...own, ...more].map((address) => `addr add ${address} dev lo${addressFlags[family]}`),
      ...local,
    ];
  });
}

function linkEndCommands(topology: Topology, node: Node, end: LinkEnd): string[] {
  const link = topology.links.find(({ a, b }) => [a, b].includes(node.name) && [a, b].includes(end.peerName));
  const prefix = link === undefined ? end.own : linkPlan(topology, link).prefix;
  const lines = [`link set ${end.interfaceName} up`];
  for (const family of families) {
    const length = prefix[family].split("/")[1];
    const source = node.role === "vantage" ? end.own[family] : identity(node)[family];
    lines.push(
      `addr add ${end.own[family]}/${length} dev ${end.interfaceName} noprefixroute${addressFlags[family]}`,
    );
    lines.push(`route add ${prefix[family]} dev ${end.interfaceName} src ${source}`);
  }
  return lines;
}

function responderCommands(node: Node): string[] {
  const { responder } = node;
  if (responder === undefined) {
    return [];
  }
  const queue = `txqueuelen ${responderQueuePackets}`;
  const make =
    responder.port === "tun"
      ? [`tuntap add dev ${responderDevice} mode tun`]
      : [
          `link add ${responderDevice} type veth peer name ${responderFarEnd}`,
          `link set ${responderFarEnd} up ${queue}`,
        ];
  const lines = [...make, `link set ${responderDevice} up ${queue}`];
  for (const family of families) {
    const [near, far] = [hostOf(responderLink, 1)[family], hostOf(responderLink, 2)[family]];
    lines.push(
      `addr add ${near}/${responderLink[family].split("/")[1]} dev ${responderDevice}${addressFlags[family]}`,
    );
    if (responder.port === "veth") {
      lines.push(`neigh add ${far} lladdr ${responderEthernet} nud permanent dev ${responderDevice}`);
    }
    for (const prefix of responder.prefixes) {
      const via = responder.port === "veth" ? `via ${far} ` : "";
      const source =
        node.role === "vantage" ? (node.addresses?.[family].split("/")[0] ?? near) : identity(node)[family];
      lines.push(`route add ${prefix[family]} ${via}dev ${responderDevice} src ${source}`);
    }
  }
  return lines;
}

function ownRoutes(node: Node, family: Family): string[] {
  const sources = [node.routed, node.anycast].flatMap((pair) => (pair === undefined ? [] : [pair[family]]));
  const routed = sources.map((prefix) => `route add blackhole ${prefix}`);
  const prohibited = node.prohibited === undefined ? [] : [prohibition(node.prohibited[family], family)];
  return [...routed, ...prohibited];
}

/**
 * IPv4 limits the errors of a `prohibit` route to a few a second, so there nft refuses, and the route only stands in
 * the way of the answer "no route".
 */
function prohibition(prefix: string, family: Family): string {
  return family === "v6" ? `route add prohibit ${prefix}` : `route add ${prefix} dev lo`;
}

/** A vantage point knows its gateway; a router knows the way to every prefix of every other node. */
function otherRoutes(topology: Topology, node: Node, family: Family): string[] {
  if (node.role === "vantage") {
    return linkEnds(topology, node.name).map(
      (end) => `route add ${everywhere[family]} via ${end.peer[family]}`,
    );
  }
  const ordinary = topology.nodes.flatMap((other) => {
    const hops = other === node ? [] : nextHops(topology, node.name, other.name);
    const prefixes = hops.length === 0 ? [] : reachablePrefixes(topology, node, other, family);
    return prefixes.flatMap((prefix) => routeLines(prefix, hops, family, identity(node)[family]));
  });
  return [...ordinary, ...anycastRoutes(topology, node, family)];
}

/** To the nearest node that announces the prefix, or to all that are equally near. */
function anycastRoutes(topology: Topology, node: Node, family: Family): string[] {
  const announcers = topology.nodes.filter(({ anycast }) => anycast !== undefined);
  const prefixes = new Set(
    announcers.flatMap(({ anycast }) => (anycast === undefined ? [] : [anycast[family]])),
  );
  const names = announcers.map(({ name }) => name);
  const hops = nextHopsToNearest(topology, node.name, names);
  return [...prefixes].flatMap((prefix) => routeLines(prefix, hops, family, identity(node)[family]));
}

/** With several next hops: the split in the main table, and each way alone in a table of its own. */
function routeLines(prefix: string, hops: LinkEnd[], family: Family, source: string): string[] {
  const [first] = hops;
  if (first !== undefined && hops.length === 1) {
    return [`route add ${prefix} via ${first.peer[family]} dev ${first.interfaceName} src ${source}`];
  }
  const ways = hops.map((hop) => `nexthop via ${hop.peer[family]} dev ${hop.interfaceName}`);
  return [
    `route add ${prefix} src ${source} ${ways.join(" ")}`,
    ...hops.map(
      (hop, i) => `route add ${prefix} via ${hop.peer[family]} dev ${hop.interfaceName} table ${101 + i}`,
    ),
  ];
}

function reachablePrefixes(topology: Topology, from: Node, to: Node, family: Family): string[] {
  const own = to.role === "vantage" ? [] : [`${identity(to)[family]}/${hostLength[family]}`];
  const pairs = [to.addresses, to.local, to.routed, to.prohibited, ...(to.responder?.prefixes ?? [])];
  const isNeighbour = linkEnds(topology, to.name).some((end) => end.peerName === from.name);
  const uplink = topology.links.find((link) => link.b === to.name && to.role === "vantage");
  const uplinkPrefix = uplink === undefined || isNeighbour ? undefined : linkPlan(topology, uplink).prefix;
  return [...own, ...[...pairs, uplinkPrefix].flatMap((pair) => (pair === undefined ? [] : [pair[family]]))];
}

function splitsFlows(topology: Topology, node: Node): boolean {
  const hops = (goal: Node) => (goal === node ? 0 : nextHops(topology, node.name, goal.name).length);
  return node.role === "router" && topology.nodes.some((goal) => hops(goal) > 1);
}

/** `ip rule` lines, the same for both families: what nft marked takes the table of one way. */
export function ruleCommands(topology: Topology, node: Node): string[] {
  const marks = splitsFlows(topology, node) ? [1, 2] : [];
  return marks.map((mark) => `rule add fwmark ${mark} lookup ${100 + mark}`);
}

/**
 * The nft program of a node, or nothing.
 *
 * Linux hashes no ICMP field, so where paths split, echo requests are parted by the last bit of their identifier
 * (bit 47 of the header), as a router that hashes it would.
 */
export function nftProgram(topology: Topology, node: Node): string {
  const lines: string[] = [];
  if (splitsFlows(topology, node)) {
    lines.push("add chain inet lab split { type filter hook prerouting priority -150; }");
    for (const echo of ["icmp type echo-request", "icmpv6 type echo-request"]) {
      lines.push(`add rule inet lab split ${echo} @th,47,1 0 meta mark set 1`);
      lines.push(`add rule inet lab split ${echo} @th,47,1 1 meta mark set 2`);
    }
  }
  if (node.silent === true) {
    lines.push("add chain inet lab silence { type filter hook output priority 0; }");
    lines.push("add rule inet lab silence icmp type { time-exceeded, destination-unreachable } drop");
    lines.push("add rule inet lab silence icmpv6 type { time-exceeded, destination-unreachable } drop");
  }
  if (node.prohibited !== undefined) {
    const what = `ip daddr ${node.prohibited.v4} reject with icmp type admin-prohibited`;
    lines.push("add chain inet lab refusal { type filter hook forward priority 0; }");
    lines.push(`add rule inet lab refusal ${what}`);
  }
  return lines.length === 0 ? "" : ["add table inet lab", ...lines, ""].join("\n");
}
