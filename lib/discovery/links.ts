/**
 * Links from replies: which router follows which, as seen by flows.
 *
 * A flow is one path, so its replies at TTL t and t + 1 are the ends of a link. A hop without an answer between two
 * that answer is a silent end (null), distinguished by the TTL only. A single reply shows a node, not a link.
 */

/** A router, by whatever number the caller gives its address. */
export type Node = number;

export interface TraceReply {
  readonly flow: number;
  readonly ttl: number;
  readonly node: Node;
}

interface Link {
  /** TTL of the near end. */
  readonly ttl: number;
  /** Null = silent. */
  readonly near: Node | null;
  readonly far: Node | null;
}

/** The path of each flow: TTL to node. When a TTL answers twice, the first answer counts. */
export function pathsOf(replies: Iterable<TraceReply>): Map<number, Map<number, Node>> {
  const paths = new Map<number, Map<number, Node>>();
  for (const { flow, ttl, node } of replies) {
    const path = paths.get(flow) ?? new Map<number, Node>();
    paths.set(flow, path);
    if (!path.has(ttl)) {
      path.set(ttl, node);
    }
  }
  return paths;
}

/** Links of one path, by TTL, with silent ends. */
function* linksOfPath(path: ReadonlyMap<number, Node>): Generator<Link> {
  const first = Math.min(...path.keys());
  const last = Math.max(...path.keys());
  for (let ttl = first; ttl < last; ttl++) {
    yield { ttl, near: path.get(ttl) ?? null, far: path.get(ttl + 1) ?? null };
  }
}

/** Distinct links of all flows whose both ends have answered: for each TTL of the near end, its links. */
export function linksByTtl(paths: ReadonlyMap<number, ReadonlyMap<number, Node>>): Map<number, Set<string>> {
  const links = new Map<number, Set<string>>();
  for (const path of paths.values()) {
    for (const { ttl, near, far } of path.size === 0 ? [] : linksOfPath(path)) {
      if (near !== null && far !== null) {
        links.set(ttl, (links.get(ttl) ?? new Set()).add(`${near}>${far}`));
      }
    }
  }
  return links;
}
