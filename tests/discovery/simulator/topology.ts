/** A network that can be asked where a probe expires, and which links there are. */

export interface Topology {
  /** Routed prefixes: unit u has the subnets u * subnetsEach … (u + 1) * subnetsEach - 1. */
  readonly units: number;
  readonly subnetsEach: number;
  /** The farthest TTL at which a path without a loop has a router. */
  readonly length: number;
  /**
   * The router (from 1 on) where a probe with this TTL expires; 0 = behind the end of the path.
   *
   * @param epoch 0 before routes change in the middle of a discovery, 1 after
   */
  nodeAt(subnet: number, flow: number, ttl: number, epoch: number): number;
  /**
   * Calls for each link that flows to the subnets of a unit can take, before and after a change; some more than once.
   * The source's own link is left out, as no probe shows it.
   */
  visitLinks(unit: number, visit: (near: number, far: number) => void): void;
}

/** Distinct links to all units, as `linkKey` makes them; for networks whose links fit into memory. */
export function linksOf(topology: Topology, isVisible: (node: number) => boolean = () => true): Set<number> {
  const links = new Set<number>();
  for (let unit = 0; unit < topology.units; unit++) {
    topology.visitLinks(unit, (near, far) => {
      if (isVisible(near) && isVisible(far)) {
        links.add(linkKey(near, far));
      }
    });
  }
  return links;
}

/** One number for a link of two nodes below 2^26 each: all that it takes to be exact. */
export function linkKey(near: number, far: number): number {
  return near * nodesMax + far;
}

export const nodesMax = 2 ** 26;
