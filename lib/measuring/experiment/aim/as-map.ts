/**
 * A map of the networks between the sites and the targets, from AS paths to the targets at the sites' neighbours. Who
 * pays whom follows from exports without valleys: after a step down, or between networks that have no providers, a path
 * only descends (as in "AS Relationships, Customer Cones, and Validation", IMC 2013). Pure.
 */
import type { Entry } from "./setting.ts";

/** A path to a target as a collector has it: the nearest network first, the target's last. */
export type OfferedPath = readonly number[];

export interface AsMap {
  /** ASNs, by node. */
  readonly asns: readonly number[];
  readonly nodeOf: ReadonlyMap<number, number>;
  /** By node, its neighbours' nodes. */
  readonly providers: readonly (readonly number[])[];
  readonly peers: readonly (readonly number[])[];
  readonly customers: readonly (readonly number[])[];
  /** By entry: the nodes where its announcement arrives, and as what. */
  readonly arrivals: readonly (readonly Arrival[])[];
}

interface Arrival {
  readonly node: number;
  /** What the sites are to that network. */
  readonly as: "customer" | "peer";
}

/** A neighbour that offers this share of the targets sells transit; peers offer their customers only. */
const transitRatio = 0.7;
/** Networks without providers: there are some 15. */
const cliqueMax = 15;
/** Share of the others that each one is seen to have a link to: not all links are on best paths. */
const cliqueRatio = 0.6;
const passesMax = 10;

type Down = ReadonlyMap<string, boolean>;

interface MapOrder {
  readonly entries: readonly Entry[];
  /** By site, the ASNs of its neighbours. */
  readonly neighbors: ReadonlyMap<string, readonly number[]>;
  readonly paths: readonly OfferedPath[];
}

/** Null where the paths show no neighbour that sells transit: it then says nothing about announcements. */
export function asMapOf({ entries, neighbors, paths: offered }: MapOrder): AsMap | null {
  const paths = offered.map(withoutRepeats).filter((path) => path.length > 0);
  const ours = new Set([...neighbors.values()].flat());
  const sellers = transitSellers(paths, ours);
  if (sellers.size === 0) {
    return null;
  }
  const asns = [...new Set(paths.flat())].sort((a, b) => a - b);
  const nodeOf = new Map(asns.map((asn, node) => [asn, node]));
  const arrivals = entries.map(({ site, neighbor }) =>
    (neighbor === null ? (neighbors.get(site) ?? []) : [neighbor]).flatMap((asn): Arrival[] => {
      const node = nodeOf.get(asn);
      return node === undefined ? [] : [{ node, as: sellers.has(asn) ? "customer" : "peer" }];
    }),
  );
  const isPeer = (asn: number) => ours.has(asn) && !sellers.has(asn);
  return { asns, nodeOf, ...relationsOf(paths, nodeOf, isPeer), arrivals };
}

function relationsOf(
  paths: readonly OfferedPath[],
  nodeOf: ReadonlyMap<number, number>,
  isPeer: (asn: number) => boolean,
): Pick<AsMap, "providers" | "peers" | "customers"> {
  const transit = transitOf(paths);
  const down = descents(paths, cliqueOf(paths, transit), isPeer);
  const { providers, peers, customers } = emptyLists(nodeOf.size);
  for (const key of new Set(paths.flatMap(linksOf))) {
    const [low = 0, high = 0] = key.split(" ").map((asn) => nodeOf.get(Number(asn)) ?? 0);
    const isDown = down.get(key) ?? fromDegrees(key, transit);
    if (isDown === null) {
      peers[low]?.push(high);
      peers[high]?.push(low);
    } else {
      const [provider, customer] = isDown ? [low, high] : [high, low];
      customers[provider]?.push(customer);
      providers[customer]?.push(provider);
    }
  }
  return { providers, peers, customers };
}

/** A network that passes no traffic on buys transit. Null = peers. */
function fromDegrees(key: string, transit: ReadonlyMap<number, ReadonlySet<number>>): boolean | null {
  const [low = 0, high = 0] = key.split(" ").map((asn) => transit.get(Number(asn))?.size ?? 0);
  return low === 0 && high > 0 ? false : high === 0 && low > 0 ? true : null;
}

function emptyLists(count: number) {
  const list = () => Array.from({ length: count }, (): number[] => []);
  return { providers: list(), peers: list(), customers: list() };
}

/** Prepends, and a site's own AS. */
function withoutRepeats(path: readonly number[]): number[] {
  return path.filter((asn, i) => asn !== path[i - 1]);
}

/** Neighbours that offer nearly all targets. */
function transitSellers(paths: readonly OfferedPath[], ours: ReadonlySet<number>): ReadonlySet<number> {
  const all = new Set(paths.map((path) => path.at(-1))).size;
  const byFirst = Map.groupBy(
    paths.filter(([first]) => first !== undefined && ours.has(first)),
    ([first]) => first,
  );
  const offers = [...byFirst].filter(
    ([, own]) => new Set(own.map((path) => path.at(-1))).size >= transitRatio * all,
  );
  return new Set(offers.flatMap(([first]) => (first === undefined ? [] : [first])));
}

/** The key of a link: both ASNs, the lower one first. */
function linkKey(a: number, b: number): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

function linksOf(path: readonly number[]): string[] {
  return path.slice(1).map((asn, i) => linkKey(path[i] ?? 0, asn));
}

/** By network, its neighbours in paths that pass it: more than one to a network that sells transit. */
function transitOf(paths: readonly (readonly number[])[]): ReadonlyMap<number, ReadonlySet<number>> {
  const through = new Map<number, Set<number>>();
  for (const path of paths) {
    for (const [i, asn] of path.entries()) {
      const [before, after] = [path[i - 1], path[i + 1]];
      if (after !== undefined) {
        const own = through.get(asn) ?? new Set();
        through.set(asn, own.add(after));
        if (before !== undefined) {
          own.add(before);
        }
      }
    }
  }
  return through;
}

/** Networks in the middle of most paths that have links to each other, as far as paths show. */
function cliqueOf(
  paths: readonly (readonly number[])[],
  transit: ReadonlyMap<number, ReadonlySet<number>>,
): ReadonlySet<number> {
  const byDegree = [...transit].sort(([a, x], [b, y]) => y.size - x.size || a - b).map(([asn]) => asn);
  const clique = new Set<number>();
  for (const asn of byDegree.slice(0, 2 * cliqueMax)) {
    const linked = [...clique].filter((other) => transit.get(other)?.has(asn));
    // Below two of them comes a customer.
    const isBelow = paths.some(
      (path) =>
        clique.has(path[path.indexOf(asn) - 1] ?? -1) && clique.has(path[path.indexOf(asn) - 2] ?? -1),
    );
    if (clique.size < cliqueMax && !isBelow && linked.length >= cliqueRatio * clique.size) {
      clique.add(asn);
    }
  }
  return clique;
}

/** By link: whether the network with the lower ASN is the provider; links between peers are missing. */
function descents(
  paths: readonly OfferedPath[],
  clique: ReadonlySet<number>,
  isPeer: (asn: number) => boolean,
): Down {
  const down = new Map<string, boolean>();
  for (let pass = 0; pass < passesMax; pass++) {
    const before = down.size;
    for (const path of paths) {
      // A peer offers its customers.
      learnDescent(path, isPeer(path[0] ?? 0), { clique, down });
      learnAscent(path, { clique, down });
    }
    if (down.size === before) {
      break;
    }
  }
  return down;
}

interface Known {
  readonly clique: ReadonlySet<number>;
  readonly down: Map<string, boolean>;
}

function learnDescent(path: readonly number[], descends: boolean, { clique, down }: Known): void {
  let isDescending = descends;
  for (const [i, asn] of path.entries()) {
    const next = path[i + 1];
    if (next === undefined) {
      return;
    }
    const key = linkKey(asn, next);
    const isAmongTop = clique.has(asn) && clique.has(next);
    if (isDescending && !isAmongTop && !down.has(key)) {
      down.set(key, asn < next);
    }
    // From the top a path only descends.
    isDescending ||= clique.has(asn) || down.get(key) === asn < next;
    if (clique.has(asn) && !isAmongTop && !down.has(key)) {
      down.set(key, asn < next);
    }
  }
}

/** What comes before a step up is a step up. */
function learnAscent(path: readonly number[], { clique, down }: Known): void {
  let isAscending = false;
  for (let i = path.length - 2; i >= 0; i--) {
    const [asn = 0, next = 0] = [path[i], path[i + 1]];
    const key = linkKey(asn, next);
    if ((isAscending || (clique.has(next) && !clique.has(asn))) && !down.has(key)) {
      down.set(key, next < asn);
    }
    isAscending ||= down.get(key) === next < asn;
  }
}
