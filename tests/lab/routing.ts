/**
 * Who reaches whom, and how: shortest paths with all equal-cost next hops, computed from the topology.
 *
 * The same answer makes the kernels' routes and the paths that tests expect, so a test compares what was
 * measured with the drawing, not with another measurement.
 */
import type { Link, Node, PrefixPair, Topology } from "./topology.ts";

export interface LinkEnd {
  /** Interface of this end, named after the node at the other end. */
  readonly interfaceName: string;
  readonly own: PrefixPair;
  readonly peer: PrefixPair;
  readonly peerName: string;
}

const interfaceNameCharsMax = 15;

/** The node of this name; throws when the topology has none. */
export function nodeNamed(topology: Topology, name: string): Node {
  const node = topology.nodes.find((candidate) => candidate.name === name);
  if (node === undefined) {
    throw new RangeError(`Cannot find node "${name}" in the topology`);
  }
  return node;
}

/** The address that a node answers from, without length. */
export function identity(node: Node): PrefixPair {
  return { v4: `10.255.0.${node.id}`, v6: `2001:db8:255::${node.id}` };
}

/** The name of the interface that leads to the node `peerName`. */
export function interfaceTo(peerName: string): string {
  return `to-${peerName}`.slice(0, interfaceNameCharsMax);
}

/** Prefix and both addresses of a link: base of a /29 and a /64, then its first and second address. */
export function linkPlan(
  topology: Topology,
  link: Link,
): { prefix: PrefixPair; a: PrefixPair; b: PrefixPair } {
  const index = topology.links.indexOf(link);
  const prefix = link.prefix ?? { v4: `10.10.${index}.0/29`, v6: `2001:db8:10:${index}::/64` };
  return { prefix, a: hostOf(prefix, 1), b: hostOf(prefix, 2) };
}

/** Address number `host` of a prefix whose last group has room for it: 203.0.113.0/24, 5 -> 203.0.113.5. */
export function hostOf(prefix: PrefixPair, host: number): PrefixPair {
  const v4 = prefix.v4.split("/")[0]?.split(".").map(Number) ?? [];
  const last = (v4.pop() ?? 0) + host;
  return { v4: [...v4, last].join("."), v6: `${prefix.v6.split("/")[0]}${host.toString(16)}` };
}

/** The ends of links at a node, in the order of the topology. */
export function linkEnds(topology: Topology, name: string): LinkEnd[] {
  return topology.links.flatMap((link) => {
    const { a, b } = linkPlan(topology, link);
    if (link.a === name) {
      return [{ interfaceName: interfaceTo(link.b), own: a, peer: b, peerName: link.b }];
    }
    return link.b === name ? [{ interfaceName: interfaceTo(link.a), own: b, peer: a, peerName: link.a }] : [];
  });
}

/** Links between a node and every node, by breadth-first search. */
function distancesTo(topology: Topology, goal: string): Map<string, number> {
  const distances = new Map([[goal, 0]]);
  const queue = [goal];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    for (const { peerName } of linkEnds(topology, at)) {
      if (!distances.has(peerName)) {
        distances.set(peerName, (distances.get(at) ?? 0) + 1);
        queue.push(peerName);
      }
    }
  }
  return distances;
}

/** Link ends of `from` that lie on a shortest path to `goal`; none when it cannot be reached. */
export function nextHops(topology: Topology, from: string, goal: string): LinkEnd[] {
  const distances = distancesTo(topology, goal);
  const own = distances.get(from);
  return linkEnds(topology, from).filter(
    (end) => own !== undefined && distances.get(end.peerName) === own - 1,
  );
}

/** Link ends of `from` that lie on a shortest path to the nearest of several nodes. */
export function nextHopsToNearest(topology: Topology, from: string, goals: readonly string[]): LinkEnd[] {
  const ways = goals.map((goal) => ({
    distance: distancesTo(topology, goal).get(from) ?? Number.POSITIVE_INFINITY,
    hops: nextHops(topology, from, goal),
  }));
  const least = Math.min(...ways.map(({ distance }) => distance));
  const hops = ways.flatMap((way) => (way.distance === least ? way.hops : []));
  return [...new Map(hops.map((hop) => [hop.interfaceName, hop])).values()];
}

/** Names of the nodes that can stand at each step from `from` to `goal`: the first entry is one hop away. */
export function expectedSteps(topology: Topology, from: string, goal: string): string[][] {
  const steps: string[][] = [];
  let front = [from];
  while (!front.includes(goal)) {
    const next = front.flatMap((name) => nextHops(topology, name, goal).map((end) => end.peerName));
    if (next.length === 0) {
      throw new RangeError(`Cannot find a path from "${from}" to "${goal}"`);
    }
    front = [...new Set(next)];
    steps.push(front);
  }
  return steps;
}
