/**
 * Replies by flow of a unit: read in one pass, independent of their order.
 *
 * A flow is one path, so it has one router at each TTL. If two replied for the same TTL (amplification, or a route
 * change), the one with the smaller number counts, so that the order of replies does not matter.
 */
import type { RoundReply } from "./strategy.ts";

/** The state of a TTL at which no router has replied: not probed, or probed and silent. */
const unprobed = -2;
const silent = -1;

/** A flow takes 16 bits of a path's key. */
const flowBits = 65_536;

export class FlowPath {
  /** TTL to router, `silent` or `unprobed`. */
  readonly #nodes: number[] = [];
  /** TTL to the number of its unanswered probes. */
  readonly #silences: number[] = [];
  /** The farthest TTL with a router; 0 = none. */
  lastNode = 0;
  /** The nearest TTL at which the path ends, as the target replied or a router refused; Infinity = not seen. */
  endTtl = Number.POSITIVE_INFINITY;
  /** Two replies at one TTL. */
  isAmplified = false;

  constructor(
    readonly subnet: number,
    readonly flow: number,
  ) {}

  node(ttl: number): number {
    return this.#nodes[ttl] ?? unprobed;
  }

  silences(ttl: number): number {
    return this.#silences[ttl] ?? 0;
  }

  isProbed(ttl: number): boolean {
    return this.node(ttl) !== unprobed;
  }

  add({ ttl, node, isEnd }: RoundReply): void {
    const known = this.node(ttl);
    if (isEnd === true) {
      this.endTtl = Math.min(this.endTtl, ttl);
    } else if (node === null) {
      this.#silences[ttl] = this.silences(ttl) + 1;
    }
    const answer = node ?? silent;
    this.isAmplified ||= known >= 0 && answer >= 0;
    this.#nodes[ttl] = known >= 0 && answer >= 0 ? Math.min(known, answer) : Math.max(known, answer);
    this.lastNode = answer >= 0 ? Math.max(this.lastNode, ttl) : this.lastNode;
  }
}

export class FlowPaths {
  readonly #paths = new Map<number, FlowPath>();
  readonly #bySubnet = new Map<number, FlowPath[]>();

  constructor(replies: Iterable<RoundReply>) {
    for (const reply of replies) {
      const key = pathKey(reply.subnet, reply.flow);
      let path = this.#paths.get(key);
      if (path === undefined) {
        path = new FlowPath(reply.subnet, reply.flow);
        this.#paths.set(key, path);
        this.#addToSubnet(path);
      }
      path.add(reply);
    }
    // Sorted by flow, so that the order is always the same.
    for (const paths of this.#bySubnet.values()) {
      paths.sort((x, y) => x.flow - y.flow);
    }
  }

  get(subnet: number, flow: number): FlowPath | undefined {
    return this.#paths.get(pathKey(subnet, flow));
  }

  /** Probed flows of a subnet, by number. */
  of(subnet: number): readonly FlowPath[] {
    return this.#bySubnet.get(subnet) ?? [];
  }

  #addToSubnet(path: FlowPath): void {
    const paths = this.#bySubnet.get(path.subnet);
    if (paths === undefined) {
      this.#bySubnet.set(path.subnet, [path]);
    } else {
      paths.push(path);
    }
  }
}

function pathKey(subnet: number, flow: number): number {
  return subnet * flowBits + flow;
}
