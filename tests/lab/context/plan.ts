/** What the drawing gives each node: its interfaces and addresses; and with them whose each address truly is. */
import { borders, collectors, type DrawnRouter, type Lan, lans, type Network, networks } from "./drawing.ts";

interface LinkEnd {
  readonly node: string;
  readonly device: string;
  readonly address: string;
  /** The node at the other end, and its address. */
  readonly peer: string;
  readonly peerAddress: string;
}

/** On a LAN: all others are neighbours. */
interface LanEnd {
  readonly node: string;
  readonly device: string;
  readonly address: string;
  readonly lan: Lan;
}

/** A link of two addresses. */
export const linkBits = 30;
export const lanBits = 24;

const unannounced = "9.9.9.0/24";
const privateLinks = "172.16.0.0/24";
const collectorLinks = "192.168.0.0/24";

export function networkOf(router: string): Network | null {
  return networks.find(({ routers }) => routers.some(({ name }) => name === router)) ?? null;
}

export function networkNamed(name: string): Network {
  return found(networks.find((network) => network.name === name));
}

/** A router of the drawing, with its network. */
export function routers(): { readonly network: Network; readonly router: DrawnRouter }[] {
  return networks.flatMap((network) => network.routers.map((router) => ({ network, router })));
}

/** Every namespace but those of the LANs. */
export function nodeNames(): string[] {
  return [
    ...routers().map(({ router }) => router.name),
    ...lans.map(({ server }) => server.name),
    ...collectors.map(({ name }) => name),
  ];
}

export function lanNode(lan: Lan): string {
  return lan.name.toLowerCase();
}

function ownPrefix({ number }: Network): string {
  return `10.${number}.0.0/16`;
}

export function announced(network: Network): string[] {
  return [ownPrefix(network), ...(network.alsoAnnounces ?? [])];
}

export function loopback(router: string): string {
  const network = networkOf(router);
  const place = network?.routers.findIndex(({ name }) => name === router) ?? 0;
  return network === null
    ? `192.168.255.${nodeNames().indexOf(router)}`
    : `10.${network.number}.255.${place + 1}`;
}

/** What traces to a network go to: at the end of its chain. */
export function targetOf({ number }: Network): string {
  return `10.${number}.100.1`;
}

export function answersAt(network: Network): string[] {
  return [targetOf(network), ...(network.alsoAnswers ?? [])];
}

interface PairedLink {
  readonly a: string;
  readonly b: string;
  /** The base of its addresses. */
  readonly from: string;
}

/** All links of two ends: inside networks, between them, to collectors. */
function pairedLinks(): PairedLink[] {
  const inside = networks.flatMap(({ number, routers: chain, linksFrom }) =>
    chain.slice(1).map((router, i) => ({
      a: found(chain[i]).name,
      b: router.name,
      from: linksFrom ?? `10.${number}.1.0/24`,
    })),
  );
  const between = borders.map(({ a, b, from }) => ({ a, b, from: borderBase({ a, b, from }) }));
  const sent = collectors.flatMap(({ name, peers }) =>
    peers.map((peer) => ({ a: peer, b: name, from: collectorLinks })),
  );
  return [...inside, ...between, ...sent];
}

function borderBase({ a, b, from }: { a: string; b: string; from: string }): string {
  if (from === "unannounced" || from === "private") {
    return from === "private" ? privateLinks : unannounced;
  }
  const holder = found(networkOf(from === "a" ? a : b));
  return `10.${holder.number}.0.0/24`;
}

let ends: readonly LinkEnd[] | null = null;

/** Both ends of each link: the first address is a's. The links of one base follow one another, four addresses each. */
export function linkEnds(): readonly LinkEnd[] {
  if (ends !== null) {
    return ends;
  }
  const used = new Map<string, number>();
  ends = pairedLinks().flatMap(({ a, b, from }) => {
    const at = used.get(from) ?? 0;
    used.set(from, at + 4);
    const [own, other] = [hostIn(from, at + 1), hostIn(from, at + 2)];
    return [
      { node: a, device: `to-${b}`, address: own, peer: b, peerAddress: other },
      { node: b, device: `to-${a}`, address: other, peer: a, peerAddress: own },
    ];
  });
  return ends;
}

export function lanEnds(): LanEnd[] {
  return lans.flatMap((lan) => {
    const members = lan.members.map(({ router, host }) => ({ node: router, host }));
    return [{ node: lan.server.name, host: 1 }, ...members].map(({ node, host }) => {
      return { node, device: `to-${lanNode(lan)}`, address: hostIn(lan.prefix, host), lan };
    });
  });
}

export function endTo(node: string, peer: string): LinkEnd {
  return found(linkEnds().find((end) => end.node === node && end.peer === peer));
}

export interface AddressTruth {
  readonly router: string;
  /** The AS whose router it is. */
  readonly asn: number;
  readonly lan: Lan | null;
}

/** By address, for each that a router of a network has; an address at two places is not among them. */
export function truths(): Map<string, AddressTruth> {
  const all = new Map<string, AddressTruth>();
  const put = (address: string, router: string, lan: Lan | null) => {
    const network = networkOf(router);
    if (network !== null) {
      all.set(address, { router, asn: network.asn, lan });
    }
  };
  for (const { address, node } of linkEnds()) {
    put(address, node, null);
  }
  for (const { address, node, lan } of lanEnds()) {
    put(address, node, lan);
  }
  for (const network of networks) {
    put(targetOf(network), found(network.routers.at(-1)).name, null);
  }
  return all;
}

/** 203.0.113.0/24, 5 -> 203.0.113.5 */
export function hostIn(prefix: string, host: number): string {
  const parts = (prefix.split("/")[0] ?? "").split(".");
  return [...parts.slice(0, 3), Number(parts[3]) + host].join(".");
}

export function found<Thing>(thing: Thing | null | undefined): Thing {
  if (thing == null) {
    throw new RangeError("The drawing names something that it does not have");
  }
  return thing;
}
