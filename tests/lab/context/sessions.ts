/** The BGP sessions of each router, as its drawing has them; both daemons' configurations are made of these. */
import { type Border, borders, collectors, type Lan, lans, networks } from "./drawing.ts";
import { announced, endTo, hostIn, loopback, networkOf } from "./plan.ts";

/** What the neighbour is to the router. */
type Role = "customer" | "peer" | "provider" | "inside" | "collector";

export interface Session {
  /** The neighbour's name, in letters and digits. */
  readonly name: string;
  readonly role: Role;
  readonly local: string;
  readonly remote: string;
  readonly remoteAsn: number;
  /** LOCAL_PREF of what is heard. */
  readonly preference: number;
  /** For own prefixes: how often the own AS is prepended. */
  readonly prepends: Readonly<Record<string, number>>;
  /** Own prefixes that are not announced. */
  readonly withholds: readonly string[];
}

export interface Speaker {
  readonly name: string;
  readonly asn: number;
  readonly daemon: "bird" | "frr";
  readonly kind: "router" | "server" | "collector";
  readonly routerId: string;
  readonly announces: readonly string[];
  readonly sessions: readonly Session[];
}

/** LOCAL_PREF of own routes, and of what is heard. Own and customers' routes go to everybody, others to customers. */
export const preferences = { own: 300, customer: 200, peer: 100, provider: 50 } as const;

const nothingSpecial = { prepends: {}, withholds: [] } as const;

export function speakers(): Speaker[] {
  const ofNetworks = networks.flatMap((network) =>
    network.routers.flatMap(({ name, daemon }): Speaker[] =>
      daemon === null
        ? []
        : [
            {
              ...{ name, daemon, asn: network.asn, kind: "router", routerId: loopback(name) },
              announces: announced(network),
              sessions: [
                ...insideSessions(name),
                ...borderSessions(name),
                ...memberSessions(name),
                ...collectorSessions(name),
              ],
            },
          ],
    ),
  );
  return [...ofNetworks, ...lans.map(serverOf), ...collectors.map(collectorOf)];
}

/** A mesh of all speakers of the network, from loopback to loopback. */
function insideSessions(router: string): Session[] {
  const network = networkOf(router);
  const others = network?.routers.filter(({ name, daemon }) => name !== router && daemon !== null) ?? [];
  return others.map(({ name }) => ({
    ...{ ...nothingSpecial, name, role: "inside", preference: preferences.peer },
    ...{ local: loopback(router), remote: loopback(name), remoteAsn: network?.asn ?? 0 },
  }));
}

function borderSessions(router: string): Session[] {
  return borders
    .filter(({ a, b }) => a === router || b === router)
    .map((border) => borderSession(router, border));
}

function borderSession(router: string, { a, b, kind, preference, prepends, withholds }: Border): Session {
  const other = a === router ? b : a;
  const { address, peerAddress } = endTo(router, other);
  const role = kind === "peers" ? "peer" : router === a ? "customer" : "provider";
  const own = router === b;
  return {
    ...{ name: other, role, local: address, remote: peerAddress, remoteAsn: networkOf(other)?.asn ?? 0 },
    preference: own && preference !== undefined ? preference : preferences[role],
    prepends: own ? (prepends ?? {}) : {},
    withholds: own ? (withholds ?? []) : [],
  };
}

function memberSessions(router: string): Session[] {
  return lans.flatMap(({ members, prefix, server }) =>
    members
      .filter((member) => member.router === router)
      .map(({ host }) => ({
        ...({ ...nothingSpecial, name: server.name, role: "peer", preference: preferences.peer } as const),
        ...{ local: hostIn(prefix, host), remote: hostIn(prefix, 1), remoteAsn: server.asn },
      })),
  );
}

function collectorSessions(router: string): Session[] {
  return collectors
    .filter(({ peers }) => peers.includes(router))
    .map(({ name, asn }) => {
      const { address, peerAddress } = endTo(router, name);
      const ends = { local: address, remote: peerAddress, remoteAsn: asn };
      return { ...nothingSpecial, ...ends, name, role: "collector", preference: preferences.provider };
    });
}

function serverOf({ server, prefix, members }: Lan): Speaker {
  return {
    ...{ name: server.name, asn: server.asn, daemon: server.daemon, kind: "server", announces: [] },
    routerId: hostIn(prefix, 1),
    sessions: members.map(({ router, host }) => ({
      ...({ ...nothingSpecial, name: router, role: "peer", preference: preferences.peer } as const),
      ...{ local: hostIn(prefix, 1), remote: hostIn(prefix, host), remoteAsn: networkOf(router)?.asn ?? 0 },
    })),
  };
}

function collectorOf({ name, asn, daemon, peers }: (typeof collectors)[number]): Speaker {
  return {
    ...{ name, asn, daemon, kind: "collector", routerId: loopback(name), announces: [] },
    sessions: peers.map((peer) => {
      const { address, peerAddress } = endTo(name, peer);
      const ends = { local: address, remote: peerAddress, remoteAsn: networkOf(peer)?.asn ?? 0 };
      return { ...nothingSpecial, ...ends, name: peer, role: "peer", preference: preferences.peer } as const;
    }),
  };
}
