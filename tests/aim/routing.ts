/**
 * AS-level routing of a drawn Internet: local preference (customers, peers, providers, tastes), shortest AS path, MED,
 * hot potato at each point of presence, age or router id; exports without valleys (RFC 7908). The routes settle one
 * network at a time, in order of their changes.
 */
import { distance, type Entry, type Internet, type Network } from "./drawn-internet.ts";

/** By site; a site that is missing has been withdrawn. */
type Announced = ReadonlyMap<string, { readonly prepend: number; readonly notTo: ReadonlySet<number> }>;

interface Route {
  readonly entry: number;
  readonly pref: number;
  readonly length: number;
  readonly med: number;
  readonly exit: number;
  /** Index of the link, negative for entries: the router id. */
  readonly link: number;
  readonly from: number;
  readonly path: Path | null;
  readonly isForAll: boolean;
}

interface Path {
  readonly network: number;
  readonly rest: Path | null;
  readonly hash: number;
}

const preference = { customer: 300, peer: 200, provider: 100 } as const;
/** Preferences can be such that routes never settle (RFC 4264). */
const turnsMax = 40;

/** AS paths to each target's network, as the sites' neighbours offer them there, the neighbour first. */
export function offeredPaths(internet: Internet): number[][] {
  const all = new Set(internet.targets.map(({ network }) => network));
  return [...all].flatMap((network) => {
    const own = { site: "", network, pop: 0, relation: "customer" } as const;
    const as = { prepend: 0, notTo: new Set<number>() };
    const routing = new Routing({ ...internet, entries: [own] }, new Map([["", as]]), () => 0);
    routing.settle();
    return internet.entries.flatMap((entry) => {
      const route = routing.chosen[entry.network]?.[entry.pop] ?? null;
      const isOffered = route !== null && (entry.relation === "customer" || route.isForAll);
      return isOffered ? [[asnOf(entry.network), ...pathOf(route.path)]] : [];
    });
  });
}

export function asnOf(network: number): number {
  return 64_512 + network;
}

function pathOf(path: Path | null): number[] {
  return path === null ? [] : [asnOf(path.network), ...pathOf(path.rest)];
}

/** The site of each target; null = no route. `age`: by site, older ones lower. */
export function catchmentOf(
  internet: Internet,
  announced: Announced,
  age: (site: string) => number = () => 0,
): (string | null)[] {
  const routing = new Routing(internet, announced, age);
  routing.settle();
  return internet.targets.map(({ network, pop }) => {
    const route = routing.chosen[network]?.[pop] ?? null;
    return route === null ? null : (internet.entries[route.entry]?.site ?? null);
  });
}

class Routing {
  readonly chosen: (Route | null)[][];
  readonly #internet: Internet;
  readonly #announced: Announced;
  readonly #ageOfEntry: number[];
  readonly #entriesOf: Map<number, [number, Entry][]>;

  constructor(internet: Internet, announced: Announced, age: (site: string) => number) {
    this.#internet = internet;
    this.#announced = announced;
    this.#ageOfEntry = internet.entries.map(({ site }) => age(site));
    this.#entriesOf = Map.groupBy(internet.entries.entries(), ([, { network }]) => network);
    this.chosen = internet.networks.map(({ pops }) => pops.map(() => null));
  }

  settle(): void {
    const { networks } = this.#internet;
    const turns = new Uint8Array(networks.length);
    let waiting = new Set(this.#entriesOf.keys());
    while (waiting.size > 0) {
      const next = new Set<number>();
      for (const index of waiting) {
        const network = networks[index];
        if (network === undefined || (turns[index] ?? 0) >= turnsMax || !this.#choose(index, network)) {
          continue;
        }
        turns[index] = (turns[index] ?? 0) + 1;
        for (const { to } of network.links) {
          next.add(to);
        }
      }
      waiting = next;
    }
  }

  /** Whether a choice changed. */
  #choose(index: number, network: Network): boolean {
    const best = withLowestMed(network, bestOf(this.#candidates(index, network)));
    const before = this.chosen[index] ?? [];
    const after = network.pops.map((_, pop) => this.#nearest(network, pop, best));
    this.chosen[index] = after;
    return after.some((route, pop) => !isSame(route, before[pop] ?? null));
  }

  #candidates(index: number, network: Network): Route[] {
    const routes: Route[] = [];
    for (const [entry, { site, pop, relation }] of this.#entriesOf.get(index) ?? []) {
      const as = this.#announced.get(site);
      if (as !== undefined && !as.notTo.has(asnOf(index))) {
        const pref = preference[relation];
        const isForAll = relation === "customer";
        const plain = { med: 0, exit: pop, link: -1 - entry, from: -1 - entry, path: null };
        routes.push({ entry, pref, length: 1 + as.prepend, isForAll, ...plain });
      }
    }
    for (const [link, { to, relation, pop, popThere, med }] of network.links.entries()) {
      const route = this.chosen[to]?.[popThere] ?? null;
      if (route === null || !(route.isForAll || relation === "provider") || passes(route.path, index)) {
        continue;
      }
      const hash = (Math.imul(route.path?.hash ?? 17, 31) + to) | 0;
      routes.push({
        entry: route.entry,
        pref: preference[relation] + (network.taste.get(to) ?? 0),
        length: route.length + 1,
        ...{ med, exit: pop, link, from: to, path: { network: to, rest: route.path, hash } },
        isForAll: relation === "customer",
      });
    }
    return routes;
  }

  #nearest(network: Network, pop: number, routes: readonly Route[]): Route | null {
    const here = network.pops[pop];
    let nearest: Route | null = null;
    let [least, tie] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const route of routes) {
      const there = network.pops[route.exit];
      const away = here === undefined || there === undefined ? 0 : distance(here, there);
      const age = network.byAge ? 1000 * (this.#ageOfEntry[route.entry] ?? 0) : 0;
      // An order of routers that has nothing to do with sites.
      const own = age + ((Math.imul(route.from + 7, 2_654_435_761) >>> 8) % 997) / 1000;
      if (away < least || (away === least && own < tie)) {
        [nearest, least, tie] = [route, away, own];
      }
    }
    return nearest;
  }
}

function bestOf(routes: readonly Route[]): Route[] {
  const pref = Math.max(...routes.map((route) => route.pref));
  const preferred = routes.filter((route) => route.pref === pref);
  const length = Math.min(...preferred.map((route) => route.length));
  return preferred.filter((route) => route.length === length);
}

function withLowestMed({ usesMed }: Network, routes: readonly Route[]): readonly Route[] {
  return usesMed
    ? routes.filter(({ from, med }) => routes.every((other) => other.from !== from || other.med >= med))
    : routes;
}

function passes(path: Path | null, network: number): boolean {
  for (let at = path; at !== null; at = at.rest) {
    if (at.network === network) {
      return true;
    }
  }
  return false;
}

function isSame(one: Route | null, other: Route | null): boolean {
  return (
    one === other ||
    (one !== null &&
      other !== null &&
      one.entry === other.entry &&
      one.length === other.length &&
      one.link === other.link &&
      one.isForAll === other.isForAll &&
      one.path?.hash === other.path?.hash)
  );
}
