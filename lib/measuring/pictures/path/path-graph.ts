/**
 * The graph of several paths: where flows split, merge, and get no reply. Pure.
 *
 * A node is (TTL, address). Silence is (TTL, the known routers before and behind it): two silent branches remain two. A
 * TTL that was not probed between probed ones is a node of its own kind. Agents are one TTL before their first hop. All
 * links lead from one TTL to the next.
 */
import { atOnce, type Steps } from "../../../base/list/steps.ts";
import { drawnPath } from "./drawn-path.ts";
import type { PicturedPath, PicturedRouter } from "./picture-path.ts";

export interface GraphNode {
  readonly id: string;
  readonly ttl: number;
  readonly kind: "agent" | "router" | "silent" | "unprobed" | "folded";
  /** The agent, the address, or words. */
  readonly label: string;
  readonly name: string | null;
  readonly asn: number | null;
  readonly asName: string | null;
  readonly isTarget: boolean;
  /** Other TTLs at which a flow met this address. */
  readonly loopTtls: ReadonlySet<number>;
  /** Numbers of flows, over all paths. */
  readonly flows: ReadonlySet<number>;
  readonly probes: number;
  readonly answered: number;
  /** Medians of the paths through it. */
  readonly mediansMs: readonly number[];
  readonly hasLabels: boolean;
  readonly says: ReadonlySet<string>;
  /** What NATs have changed in the probes that it received. */
  readonly rewritten: ReadonlySet<string>;
  /** Routers in a folded node. */
  readonly members: number;
}

export interface GraphLink {
  readonly from: string;
  readonly to: string;
  readonly flows: ReadonlySet<number>;
}

export interface PathGraph {
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly links: readonly GraphLink[];
  /** Over all paths. */
  readonly flows: number;
  readonly agents: ReadonlySet<string>;
  readonly destinations: ReadonlySet<string>;
  readonly paths: number;
  readonly reached: number;
  /** Routers that are not drawn, by TTL: with several paths, those of the path that has most. */
  readonly leftOut: ReadonlyMap<number, number>;
}

/** Flows per step: each takes some microseconds, at each TTL. */
const flowsAtOnce = 256;

interface GrowingNode extends GraphNode {
  label: string;
  members: number;
  readonly loopTtls: Set<number>;
  readonly flows: Set<number>;
  readonly mediansMs: number[];
  readonly says: Set<string>;
  readonly rewritten: Set<string>;
  probes: number;
  answered: number;
  hasLabels: boolean;
  isTarget: boolean;
}

export function pathGraph(paths: readonly PicturedPath[]): PathGraph {
  return atOnce(pathGraphSteps(paths));
}

/** The same in steps of so many flows. */
export function* pathGraphSteps(paths: readonly PicturedPath[]): Steps<PathGraph> {
  const growing = new Growing();
  for (const path of paths) {
    yield* growing.add(drawnPath(path));
    yield;
  }
  growing.countLeftOut();
  return {
    nodes: growing.nodes,
    links: [...growing.links.values()],
    flows: growing.flows,
    agents: new Set(paths.map(({ agent }) => agent)),
    destinations: new Set(paths.map(({ address }) => address)),
    paths: paths.length,
    reached: paths.filter(({ reached }) => reached).length,
    leftOut: growing.leftOut,
  };
}

class Growing {
  readonly nodes = new Map<string, GrowingNode>();
  readonly links = new Map<string, GraphLink & { readonly flows: Set<number> }>();
  readonly leftOut = new Map<number, number>();
  flows = 0;

  *add(path: PicturedPath): Steps<void> {
    for (const { ttl, more_routers: more = 0 } of path.hops) {
      if (more > 0) {
        this.leftOut.set(ttl, Math.max(more, this.leftOut.get(ttl) ?? 0));
      }
    }
    const first = path.hops[0]?.ttl ?? 1;
    const root = this.#node(`${first - 1}/agent ${path.agent}`, first - 1, "agent", path.agent);
    const own = yield* flowsOf(path);
    let last = -1;
    for (const [index, cells] of own) {
      const flow = this.flows + index;
      root.flows.add(flow);
      this.#thread(flow, root.id, first, cells, path);
      last = Math.max(last, index);
      if (index % flowsAtOnce === 0) {
        yield;
      }
    }
    this.flows += last + 1;
    for (const { ttl, routers } of path.hops) {
      for (const router of routers) {
        this.#count(ttl, router, path.address);
      }
    }
  }

  /** Names the nodes for omitted routers, once all paths are added. */
  countLeftOut(): void {
    for (const [ttl, more] of this.leftOut) {
      const node = this.nodes.get(`${ttl}/left out`);
      if (node !== undefined) {
        [node.members, node.label] = [more, `${more} more routers`];
      }
    }
  }

  /** Follows one flow from TTL to TTL. */
  #thread(
    flow: number,
    root: string,
    first: number,
    cells: readonly Cell[],
    { address }: PicturedPath,
  ): void {
    let [before, known] = [[root], root];
    const ttlOf = new Map<string, number>();
    for (const [i, cell] of cells.entries()) {
      const ttl = first + i;
      const here = this.#nodesOf(ttl, cell, known, () => nextKnown(cells, i));
      for (const node of here) {
        node.flows.add(flow);
        this.#markLoop(node, ttlOf, address);
        for (const from of before) {
          this.#link(from, node.id, flow);
        }
      }
      before = here.map(({ id }) => id);
      known = typeof cell === "string" ? known : (before[0] ?? known);
    }
  }

  #nodesOf(ttl: number, cell: Cell, known: string, next: () => string): GrowingNode[] {
    if (cell === "left out") {
      return [this.#node(`${ttl}/left out`, ttl, "folded", "more routers")];
    }
    if (typeof cell === "string") {
      const label = cell === "silent" ? "no answer" : "not probed";
      return [this.#node(`${ttl}/${cell} ${known}>${next()}`, ttl, cell, label)];
    }
    return cell.map((address) => this.#node(`${ttl}/${address}`, ttl, "router", address));
  }

  #markLoop(node: GrowingNode, ttlOf: Map<string, number>, target: string): void {
    if (node.kind !== "router" || node.label === target) {
      return;
    }
    const earlier = ttlOf.get(node.label);
    if (earlier !== undefined && earlier !== node.ttl) {
      node.loopTtls.add(earlier);
      this.nodes.get(`${earlier}/${node.label}`)?.loopTtls.add(node.ttl);
    }
    ttlOf.set(node.label, node.ttl);
  }

  #count(ttl: number, router: PicturedRouter, target: string): void {
    const node = router.address === null ? undefined : this.nodes.get(`${ttl}/${router.address}`);
    if (node === undefined) {
      return;
    }
    node.probes += router.probes;
    node.answered += router.answered;
    node.hasLabels ||= router.mpls_labels.length > 0;
    node.isTarget ||= router.address === target;
    if (router.rtt_median_ms !== null) {
      node.mediansMs.push(router.rtt_median_ms);
    }
    if (router.says !== "") {
      node.says.add(router.says);
    }
    for (const part of router.rewritten ?? []) {
      node.rewritten.add(part);
    }
    Object.assign(node, {
      name: node.name ?? router.name,
      asn: node.asn ?? router.asn ?? null,
      asName: node.asName ?? router.as_name ?? null,
    });
  }

  #node(id: string, ttl: number, kind: GraphNode["kind"], label: string): GrowingNode {
    const node = this.nodes.get(id) ?? {
      ...{ id, ttl, kind, label, name: null, asn: null, asName: null, isTarget: false, members: 1 },
      ...{ loopTtls: new Set<number>(), flows: new Set<number>(), mediansMs: [], says: new Set<string>() },
      ...{ probes: 0, answered: 0, hasLabels: false, rewritten: new Set<string>() },
    };
    this.nodes.set(id, node);
    return node;
  }

  #link(from: string, to: string, flow: number): void {
    const key = `${from}\n${to}`;
    const link = this.links.get(key) ?? { from, to, flows: new Set() };
    link.flows.add(flow);
    this.links.set(key, link);
  }
}

/** Routers that replied to one flow at one TTL; "silent" and "unprobed" if there are none. */
type Cell = readonly string[] | "silent" | "unprobed" | "left out";

/** Each flow's routers, from the first TTL to the last one of that flow. */
function* flowsOf({ hops }: PicturedPath): Steps<Map<number, Cell[]>> {
  const first = hops[0]?.ttl ?? 1;
  // Flows without a router at such a hop went through those that are left out.
  const gaps = new Map(
    hops.map(({ ttl, more_routers: more = 0 }) => [ttl, more > 0 ? "left out" : "unprobed"] as const),
  );
  const found = new Map<number, (string[] | Exclude<Cell, readonly string[]>)[]>();
  for (const { ttl, routers } of hops) {
    for (const { address, flows } of routers) {
      for (const flow of flows) {
        if (flow % flowsAtOnce === 0) {
          yield;
        }
        const cells = found.get(flow) ?? [];
        found.set(flow, cells);
        while (cells.length < ttl - first) {
          cells.push(gaps.get(first + cells.length) ?? "unprobed");
        }
        const here = cells[ttl - first];
        if (address === null) {
          cells[ttl - first] = here ?? "silent";
        } else if (here === undefined || typeof here === "string") {
          cells[ttl - first] = [address];
        } else {
          here.push(address);
        }
      }
    }
  }
  return found;
}

/** The next router that replied to this flow; empty if there is none. */
function nextKnown(cells: readonly Cell[], index: number): string {
  const next = cells.slice(index + 1).find((cell) => typeof cell !== "string");
  return next === undefined ? "" : String(next[0]);
}
