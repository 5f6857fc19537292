/**
 * All flows of an agent to a destination as one graph. A node is an address, the first of them the probes' source; a
 * link leads from what answered a flow at one TTL to what answered it at the next that was answered.
 *
 * Each probe is in one link: where several routers answered a flow at one TTL, the next link begins at the one that
 * answered most often (the lowest address of equal ones), as their order is unknown. A flow ends at the
 * lowest TTL at which the destination, or an ICMP "unreachable", answered it.
 */
import {
  answeredCount,
  byProbe,
  isDestinations,
  kindOf,
  type Sending,
  sourceOf,
  type TraceReply,
} from "./trace.ts";

export interface FlowTrace {
  readonly src_port: number;
  readonly round: number;
  /** By TTL. */
  readonly probes: readonly { readonly ttl: number; readonly sent: number }[];
  /** By TTL, then by time of capture. */
  readonly replies: readonly TraceReply[];
}

export interface MultipathFlows extends Sending {
  readonly measurement_id: string;
  readonly agent: string;
  readonly address: string;
  readonly protocol: string;
  readonly dst_port: number;
  readonly flows: readonly FlowTrace[];
}

interface MultipathNode {
  readonly address: string;
}

/** A probe of a link, with its answer, or without. */
export interface LinkProbe {
  readonly srcPort: number;
  readonly ttl: number;
  /** From 0, among those of the flow and TTL. */
  readonly attempt: number;
  readonly reply: TraceReply | null;
}

export interface MultipathLink {
  /** Indexes of nodes; null where the flow ends in silence. */
  readonly from: number;
  readonly to: number | null;
  /** Steps of TTL: 1 where no silent router is between. */
  readonly hops: number;
  readonly srcPorts: readonly number[];
  /** The probes of each step; those before the last have no answer. */
  readonly sets: readonly (readonly LinkProbe[])[];
}

export interface MultipathGraph {
  readonly nodes: readonly MultipathNode[];
  /** By the node from which they lead. */
  readonly links: readonly MultipathLink[];
}

export function graphOf(multipath: MultipathFlows): MultipathGraph {
  const { address, flows } = multipath;
  const graph = new Graph(sourceOf({ ...multipath, replies: flows.flatMap(({ replies }) => replies) }));
  for (const [srcPort, own] of [...Map.groupBy(flows, ({ src_port: port }) => port)]) {
    addFlow(graph, hopsOf(address, srcPort, own));
  }
  return { nodes: graph.nodes, links: graph.links.toSorted((a, b) => a.from - b.from) };
}

interface FlowHop {
  readonly ttl: number;
  readonly probes: readonly LinkProbe[];
}

/** The probes of a flow by TTL, all rounds together, up to its end. */
function hopsOf(address: string, srcPort: number, rounds: readonly FlowTrace[]): FlowHop[] {
  const replies = rounds.flatMap((round) => round.replies);
  const ends = replies
    .filter((reply) => isDestinations(reply, address) || kindOf(reply).kind === "unreachable")
    .map(({ probe_ttl: ttl }) => ttl);
  const end = ends.reduce((least, ttl) => Math.min(least, ttl), Number.POSITIVE_INFINITY);
  const sent = new Map<number, number>();
  for (const { ttl, sent: count } of rounds.flatMap(({ probes }) => probes)) {
    sent.set(ttl, (sent.get(ttl) ?? 0) + count);
  }
  const answers = Map.groupBy(replies, ({ probe_ttl: ttl }) => ttl);
  return [...new Set([...sent.keys(), ...answers.keys()])]
    .filter((ttl) => ttl <= end)
    .sort((a, b) => a - b)
    .map((ttl) => {
      const own = answers.get(ttl) ?? [];
      const answered = byProbe(own).map(({ reply, number: attempt }) => ({ srcPort, ttl, attempt, reply }));
      const hits = answeredCount(own);
      const silent = Math.max(0, (sent.get(ttl) ?? 0) - hits);
      const unanswered = (_: unknown, i: number) => ({ srcPort, ttl, attempt: hits + i, reply: null });
      return { ttl, probes: [...answered, ...Array.from({ length: silent }, unanswered)] };
    });
}

class Graph {
  readonly nodes: MultipathNode[] = [];
  readonly #ids = new Map<string, number>();
  readonly #links = new Map<string, MutableLink>();

  constructor(source: string) {
    this.node(source);
  }

  get links(): MultipathLink[] {
    return [...this.#links.values()].map(({ ports, ...link }) => ({ ...link, srcPorts: [...ports] }));
  }

  node(address: string): number {
    const known = this.#ids.get(address);
    if (known !== undefined) {
      return known;
    }
    this.nodes.push({ address });
    this.#ids.set(address, this.nodes.length - 1);
    return this.nodes.length - 1;
  }

  link(from: number, to: number | null, hops: number): MutableLink {
    const key = `${from} ${to} ${hops}`;
    const made = this.#links.get(key) ?? {
      ...{ from, to, hops, ports: new Set<number>() },
      sets: Array.from({ length: hops }, () => []),
    };
    this.#links.set(key, made);
    return made;
  }
}

interface MutableLink {
  readonly from: number;
  readonly to: number | null;
  readonly hops: number;
  readonly ports: Set<number>;
  readonly sets: LinkProbe[][];
}

function addFlow(graph: Graph, hops: readonly FlowHop[]): void {
  let [from, silent]: [number, FlowHop[]] = [0, []];
  for (const hop of hops) {
    const routers = routersOf(hop);
    const [main] = routers;
    if (main === undefined) {
      silent.push(hop);
      continue;
    }
    for (const [i, address] of routers.entries()) {
      const isMain = i === 0;
      const link = graph.link(from, graph.node(address), silent.length + 1);
      addProbes(link, isMain ? silent : []);
      const probes = hop.probes.filter(({ reply }) =>
        reply === null ? isMain : reply.reply_src_addr === address,
      );
      link.sets[silent.length]?.push(...probes);
      link.ports.add(probes[0]?.srcPort ?? 0);
    }
    [from, silent] = [graph.node(main), []];
  }
  if (silent.length > 0) {
    const link = graph.link(from, null, silent.length);
    addProbes(link, silent);
    link.ports.add(silent[0]?.probes[0]?.srcPort ?? 0);
  }
}

function addProbes(link: MutableLink, hops: readonly FlowHop[]): void {
  for (const [i, { probes }] of hops.entries()) {
    link.sets[i]?.push(...probes);
  }
}

/** The addresses that answered, those that answered most probes first. */
function routersOf({ probes }: FlowHop): string[] {
  const replies = probes.flatMap(({ reply }) => reply ?? []);
  return [...Map.groupBy(replies, ({ reply_src_addr: from }) => from)]
    .map(([address, own]) => [address, answeredCount(own)] as const)
    .sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
    .map(([address]) => address);
}
