/**
 * The nodes of a unit, each with the flows that are known to cross it, and which of its subnets it treats alike.
 *
 * A node is a router at a TTL, or a silent hop: it answered none of the probes that the retry policy allows, and is
 * identified by its TTL and the last router before it. A silent hop counts when two flows have found it silent and
 * something is behind it.
 */
import type { FlowPath, FlowPaths } from "./flow-paths.ts";
import type { RetryPolicy } from "./retry-policy.ts";

/** Flows that must find a hop silent: one alone may have lost all of its replies. */
const silentFlowsMin = 2;

/** Upper bound of TTLs. */
const ttlRoom = 128;

export interface Crossing {
  readonly ttl: number;
  /** A hop that does not reply. */
  readonly isSilent: boolean;
  readonly paths: readonly FlowPath[];
  /** The keys of the nodes one TTL before it, with how many of its flows came from each. */
  readonly before: ReadonlyMap<number, number>;
}

interface OpenCrossing {
  readonly ttl: number;
  readonly isSilent: boolean;
  readonly paths: FlowPath[];
  readonly before: Map<number, number>;
  isLast: boolean;
}

/** Every node by its key, including those with nothing behind: `isLast`. In the order of subnets, flows and TTLs. */
export function nodesOf(
  paths: FlowPaths,
  subnets: readonly number[],
  ttlMin: number,
  retries: RetryPolicy,
): Map<number, Crossing & { readonly isLast: boolean }> {
  const nodes = new Map<number, OpenCrossing>();
  for (const subnet of subnets) {
    for (const path of paths.of(subnet)) {
      addPath(nodes, path, ttlMin, retries);
    }
  }
  for (const [key, { paths: own }] of nodes) {
    if (key < 0 && own.length < silentFlowsMin) {
      nodes.delete(key);
    }
  }
  return nodes;
}

function addPath(
  nodes: Map<number, OpenCrossing>,
  path: FlowPath,
  ttlMin: number,
  retries: RetryPolicy,
): void {
  let before: number | null = null;
  for (let ttl = ttlMin; path.isProbed(ttl) || ttl <= path.lastNode; ttl++) {
    const key = nodeKey(path, ttl, before, retries);
    if (key !== null) {
      const node: OpenCrossing = nodes.get(key) ?? {
        ttl,
        isSilent: key < 0,
        paths: [],
        before: new Map(),
        isLast: true,
      };
      nodes.set(key, node);
      node.paths.push(path);
      node.isLast &&= path.lastNode <= ttl;
      if (before !== null) {
        node.before.set(before, (node.before.get(before) ?? 0) + 1);
      }
    }
    before = key;
  }
}

/** The node that a path crosses at a TTL; null = unknown, or its reply may be lost. */
export function nodeKey(
  path: FlowPath,
  ttl: number,
  before: number | null,
  retries: RetryPolicy,
): number | null {
  const node = path.node(ttl);
  if (node >= 0) {
    return node * ttlRoom + ttl;
  }
  const isSilent = before !== null && path.isProbed(ttl) && ttl < path.endTtl;
  const isKnown = isSilent && !retries.needsRetry(path, ttl) && !retries.isLimited(path, ttl);
  return isKnown ? silentKey(before, ttl) : null;
}

/** Below 0, and the same for all silent hops in a row behind a router but for the TTL. */
function silentKey(before: number, ttl: number): number {
  const router = before >= 0 ? before : Math.floor(-before / ttlRoom);
  return -(router * ttlRoom + ttl);
}

interface OpenGroup {
  readonly paths: FlowPath[];
  readonly counts: Map<number, number>;
}

/** Flows that a node treats alike. */
interface Group {
  readonly paths: readonly FlowPath[];
  /** Flows to each successor. */
  readonly counts: readonly number[];
}

/**
 * Partition of a node's flows into parts whose subnets have no successor in common: one, if there is one forwarding
 * entry.
 *
 * Subnets that share a successor are in one part, by union-find; those without a known one are in the first.
 */
export function groupsOf(
  paths: readonly FlowPath[],
  successorOf: (path: FlowPath) => number | null,
): readonly Group[] {
  const parents = new Map<number, number>();
  const rootOf = (subnet: number): number => {
    let root = subnet;
    for (let up = parents.get(root); up !== undefined && up !== root; up = parents.get(root)) {
      root = up;
    }
    parents.set(subnet, root);
    return root;
  };
  const owners = new Map<number, number>();
  for (const path of paths) {
    const successor = successorOf(path);
    if (successor !== null) {
      const owner = owners.get(successor);
      owners.set(successor, rootOf(path.subnet));
      if (owner !== undefined) {
        parents.set(rootOf(owner), rootOf(path.subnet));
      }
    }
  }
  const groups = new Map<number, OpenGroup>();
  const first = paths.find((path) => parents.has(path.subnet));
  for (const path of paths) {
    const root = rootOf(parents.has(path.subnet) || first === undefined ? path.subnet : first.subnet);
    const group: OpenGroup = groups.get(root) ?? { paths: [], counts: new Map() };
    groups.set(root, group);
    group.paths.push(path);
    const successor = successorOf(path);
    if (successor !== null) {
      group.counts.set(successor, (group.counts.get(successor) ?? 0) + 1);
    }
  }
  return [...groups.values()].map(({ paths: own, counts }) => ({ paths: own, counts: [...counts.values()] }));
}
