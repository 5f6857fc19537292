/**
 * Internets to test the planner of aims with, drawn from a seed: tier-1 networks that all peer, regional ones with
 * providers and peers, stubs, and sites of an anycast prefix with providers and peers at each.
 *
 * Networks lie on a square. Large ones have points of presence (PoPs), linked to those of their neighbours nearby.
 */

import { type Random, seededRandom } from "../../lib/measuring/experiment/aim/random.ts";

/** What the neighbour is to the network at this end. */
type Relation = "customer" | "peer" | "provider";

interface Link {
  readonly to: number;
  readonly relation: Relation;
  readonly pop: number;
  readonly popThere: number;
  /** MED that the neighbour sends; compared among links to it by networks that use it. */
  readonly med: number;
}

export interface Network {
  readonly pops: readonly Place[];
  readonly links: Link[];
  /** Added to the local preference of routes from a neighbour: preferences other than usual. */
  readonly taste: Map<number, number>;
  /** After hot potato, the oldest route wins, else the lowest router id. */
  readonly byAge: boolean;
  readonly usesMed: boolean;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** A session of a site: the neighbour, its PoP, and what the platform is to it. */
export interface Entry {
  readonly site: string;
  readonly network: number;
  readonly pop: number;
  readonly relation: "customer" | "peer";
}

interface Target {
  readonly name: string;
  readonly network: number;
  readonly pop: number;
}

export interface Internet {
  readonly networks: readonly Network[];
  readonly entries: readonly Entry[];
  readonly sites: readonly string[];
  readonly targets: readonly Target[];
}

export interface Drawing {
  readonly seed: number;
  readonly sites: number;
  readonly networks: number;
  /** Share of networks with other preferences. */
  readonly odd: number;
}

const tier1Count = 6;

export function drawInternet({ seed, sites: siteCount, networks: count, odd }: Drawing): Internet {
  const random = seededRandom(seed);
  const regional = Math.round(count * 0.18);
  const networks: Network[] = [];
  for (let i = 0; i < count; i++) {
    const pops = i < tier1Count ? 5 : i < tier1Count + regional ? 1 + Math.floor(random() * 3) : 1;
    networks.push(drawNetwork(pops, i < tier1Count, random));
  }
  linkAll(networks, regional, random);
  for (const network of networks) {
    if (random() < odd) {
      addTaste(network, random);
    }
  }
  const sites = Array.from({ length: siteCount }, (_, i) => `site${i}`);
  const entries = sites.flatMap((site) => drawEntries(site, networks, tier1Count + regional, random));
  const targets = networks.flatMap(({ pops }, network) =>
    network < tier1Count ? [] : pops.map((_, pop) => ({ name: `t${network}.${pop}`, network, pop })),
  );
  return { networks, entries, sites, targets };
}

function drawNetwork(pops: number, isWide: boolean, random: Random): Network {
  const home = { x: random(), y: random() };
  const near = () => ({ x: home.x + (random() - 0.5) * 0.3, y: home.y + (random() - 0.5) * 0.3 });
  return {
    pops: Array.from({ length: pops }, (_, i) =>
      isWide ? { x: random(), y: random() } : i === 0 ? home : near(),
    ),
    links: [],
    taste: new Map(),
    byAge: random() < 0.3,
    usesMed: random() < 0.2,
  };
}

function linkAll(networks: Network[], regional: number, random: Random): void {
  for (let a = 0; a < tier1Count; a++) {
    for (let b = a + 1; b < tier1Count; b++) {
      join(networks, a, b, "peer", 3);
    }
  }
  for (let i = tier1Count; i < networks.length; i++) {
    const isRegional = i < tier1Count + regional;
    const from = isRegional ? i : tier1Count + regional;
    const wanted = isRegional ? 1 + Math.floor(random() * 2.5) : 1 + Math.floor(random() * random() * 3);
    for (const provider of nearest(networks, i, from, random).slice(0, wanted)) {
      join(networks, provider, i, "customer", isRegional ? 2 : 1);
    }
  }
  for (let i = tier1Count; i < tier1Count + regional; i++) {
    const peers = nearest(networks, i, tier1Count + regional, random).filter((j) => j >= tier1Count);
    for (const peer of peers.slice(0, Math.floor(random() * 5))) {
      if (!networks[i]?.links.some(({ to }) => to === peer)) {
        join(networks, i, peer, "peer", 1);
      }
    }
  }
}

/** Networks below `before`, near ones first, with chance. */
function nearest(networks: readonly Network[], of: number, before: number, random: Random): number[] {
  const home = networks[of]?.pops[0] ?? { x: 0, y: 0 };
  return Array.from({ length: before }, (_, i) => i)
    .filter((i) => i !== of)
    .map((i) => {
      const away = Math.min(...(networks[i]?.pops ?? []).map((pop) => distance(pop, home)));
      return { i, score: (away + 0.02) * (0.2 + random()) };
    })
    .sort((a, b) => a.score - b.score)
    .map(({ i }) => i);
}

export function distance(a: Place, b: Place): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** `relation`: what `b` is to `a`. Links at the nearest pairs of PoPs. */
function join(networks: Network[], a: number, b: number, relation: "customer" | "peer", links: number): void {
  const [one, two] = [networks[a], networks[b]];
  if (one === undefined || two === undefined) {
    return;
  }
  const pairs = one.pops
    .flatMap((here, i) => two.pops.map((there, j) => ({ i, j, away: distance(here, there) })))
    .sort((x, y) => x.away - y.away)
    .slice(0, links);
  for (const [rank, { i, j }] of pairs.entries()) {
    const back = relation === "customer" ? "provider" : "peer";
    one.links.push({ to: b, relation, pop: i, popThere: j, med: rank * 10 });
    two.links.push({ to: a, relation: back, pop: j, popThere: i, med: rank * 10 });
  }
}

/** Prefers one neighbour to others of its kind, a peer as much as customers, or a provider to peers. */
function addTaste(network: Network, random: Random): void {
  const own = [...new Set(network.links.map(({ to }) => to))];
  const to = own[Math.floor(random() * own.length)];
  if (to !== undefined) {
    network.taste.set(to, random() < 0.6 ? 10 : 100);
  }
}

function drawEntries(site: string, networks: readonly Network[], before: number, random: Random): Entry[] {
  const place = { x: random(), y: random() };
  const popOf = (network: number) => {
    const pops = networks[network]?.pops ?? [];
    const aways = pops.map((pop) => distance(pop, place));
    return aways.indexOf(Math.min(...aways));
  };
  const near = Array.from({ length: before }, (_, i) => i)
    .map((i) => ({ i, away: distance(networks[i]?.pops[popOf(i)] ?? place, place) * (0.5 + random()) }))
    .sort((a, b) => a.away - b.away)
    .map(({ i }) => i);
  const providers = near.slice(0, 1 + Math.floor(random() * 2));
  const peers = near
    .filter((i) => i >= tier1Count && !providers.includes(i))
    .slice(0, Math.floor(random() * 4));
  return [
    ...providers.map((network) => ({ site, network, pop: popOf(network), relation: "customer" as const })),
    ...peers.map((network) => ({ site, network, pop: popOf(network), relation: "peer" as const })),
  ];
}
