/**
 * A network as a graph whose nodes balance flows evenly: what fakeroute's files describe.
 *
 * A line `A B` is a link from A to B; the first node of the file is the source, nodes without links are ends. A hash
 * of flow and node chooses the next hop, so a flow has one path and different nodes choose independently. A line that
 * stands twice is one link with twice the weight.
 */
import { hash32 } from "./hash32.ts";
import type { Topology } from "./topology.ts";

type Node = number;

export class GraphNetwork implements Topology {
  readonly units = 1;
  readonly subnetsEach = 1;
  /** Links as `near>far`, those of the source left out: a traceroute cannot see them. */
  readonly links: ReadonlySet<string>;
  /** TTL of the farthest end. */
  readonly length: number;
  readonly #next: readonly (readonly Node[])[];

  /** @param edges pairs of nodes from 0, the source; @param seed chooses the ways of all flows */
  constructor(
    edges: readonly (readonly [near: Node, far: Node])[],
    private readonly seed: number,
  ) {
    const size = 1 + Math.max(...edges.flat());
    const next: Node[][] = Array.from({ length: size }, () => []);
    for (const [near, far] of edges) {
      next[near]?.push(far);
    }
    this.#next = next;
    this.links = new Set(edges.filter(([near]) => near !== 0).map(([near, far]) => `${near}>${far}`));
    this.length = depthOf(next, 0);
  }

  /** The node that answers a flow's probe with this TTL; null = none, as behind the end of the path. */
  reply(flow: number, ttl: number): Node | null {
    return this.nodeAt(0, flow, ttl) || null;
  }

  visitLinks(_unit: number, visit: (near: number, far: number) => void): void {
    for (const [near, ways] of this.#next.entries()) {
      for (const far of near === 0 ? [] : ways) {
        visit(near, far);
      }
    }
  }

  nodeAt(_subnet: number, flow: number, ttl: number): number {
    let node: Node = 0;
    for (let hop = 0; hop < ttl; hop++) {
      const ways = this.#next[node] ?? [];
      const way = ways[hash32(this.seed, flow, node) % ways.length];
      if (way === undefined) {
        return 0;
      }
      node = way;
    }
    return node;
  }
}

function depthOf(next: readonly (readonly Node[])[], node: Node): number {
  return Math.max(0, ...(next[node] ?? []).map((far) => 1 + depthOf(next, far)));
}

/** Reads fakeroute's form; names of nodes may be any words. Throws an Error that names the line. */
export function readGraph(text: string): [near: Node, far: Node][] {
  const numbers = new Map<string, Node>();
  const numberOf = (name: string) => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  };
  return text.split("\n").flatMap((line, i): [Node, Node][] => {
    const [near, far, ...more] = line.trim().split(/\s+/);
    if (near === "" || near === undefined || near.startsWith("#")) {
      return [];
    }
    if (far === undefined || more.length > 0) {
      throw new Error(`line ${i + 1}: give two nodes, as: 127.0.0.1 10.0.0.1`);
    }
    return [[numberOf(near), numberOf(far)]];
  });
}

/** Writes fakeroute's form, which `readGraph` reads: node 0 is 127.0.0.1, node n the address 10.0.0.0 + n. */
export function writeGraph(edges: readonly (readonly [near: Node, far: Node])[]): string {
  const nameOf = (node: Node) =>
    node === 0 ? "127.0.0.1" : `10.${node >> 16}.${(node >> 8) & 255}.${node & 255}`;
  return edges.map(([near, far]) => `${nameOf(near)} ${nameOf(far)}\n`).join("");
}

/** Layers of nodes, each linked to all of the next: `1-16-1` behind the source is `[1, 16, 1]`. */
export function layeredEdges(widths: readonly number[]): [near: Node, far: Node][] {
  const edges: [Node, Node][] = [];
  let first = 0;
  let width = 1;
  for (const next of widths) {
    for (let near = first; near < first + width; near++) {
      for (let far = 0; far < next; far++) {
        edges.push([near, first + width + far]);
      }
    }
    first += width;
    width = next;
  }
  return edges;
}
