/**
 * The routers of a live table, their peers, and each peer's tables, which are numbered as sources of paths.
 */
import type { RoutePeer } from "../bgp/route-event.ts";
import { type Address, formatAddress } from "../ip/address.ts";
import { TableState } from "./table-state.ts";

/** A peer of a router; the router's own table is a peer too, with an address of zeros. */
export interface LivePeer {
  readonly router: Address;
  readonly address: Address;
  readonly isLocalTable: boolean;
  asn: number;
  routerId: string | null;
  /** Null = unknown: only its routes were seen, no session event. */
  isUp: boolean | null;
  /** When it came up or went down; microseconds since 1970. */
  sinceUs: number | null;
  readonly tables: Map<RoutePeer["table"], TableState>;
}

export interface Source {
  readonly id: number;
  readonly peer: LivePeer;
  readonly table: RoutePeer["table"];
  readonly state: TableState;
}

export class LivePeers {
  readonly #peers = new Map<string, LivePeer>();
  /** From 1. */
  readonly #sources: Source[] = [];
  readonly #ids = new Map<LivePeer, Map<RoutePeer["table"], Source>>();
  readonly #postPolicyRouters = new Set<string>();
  /** Cache by object: a session uses one object for all events of a peer's table. */
  readonly #given = new WeakMap<RoutePeer, { readonly router: Address; readonly source: Source }>();

  all(): Iterable<LivePeer> {
    return this.#peers.values();
  }

  /** The source of this event's peer and table; created if new. */
  source(router: Address, given: RoutePeer): Source {
    const known = this.#given.get(given);
    if (known !== undefined && known.router === router) {
      known.source.peer.asn = given.asn;
      known.source.peer.routerId = given.routerId ?? known.source.peer.routerId;
      return known.source;
    }
    const peer = this.#peer(router, given);
    const source = this.sourceOf(peer, given.table) ?? this.#newSource(peer, given.table);
    this.#given.set(given, { router, source });
    return source;
  }

  /** The peer of this event; null before its first event. */
  known(router: Address, given: RoutePeer): LivePeer | null {
    const known = this.#given.get(given);
    return known?.router === router ? known.source.peer : (this.#peers.get(keyOf(router, given)) ?? null);
  }

  sourceOf(peer: LivePeer, table: RoutePeer["table"]): Source | null {
    return this.#ids.get(peer)?.get(table) ?? null;
  }

  at(id: number): Source | null {
    return this.#sources[id - 1] ?? null;
  }

  /** The sources of a peer, or of all peers of a router. */
  numbersOf(is: (peer: LivePeer) => boolean): Set<number> {
    return new Set(this.#sources.filter(({ peer }) => is(peer)).map(({ id }) => id));
  }

  /** Whether a router has ever sent a post-policy table. */
  hasPostPolicy(router: Address): boolean {
    return this.#postPolicyRouters.has(formatAddress(router));
  }

  #peer(router: Address, given: RoutePeer): LivePeer {
    const { address, asn, routerId } = given;
    const isLocalTable = given.table === "local";
    const key = keyOf(router, given);
    const known = this.#peers.get(key);
    if (known !== undefined) {
      known.asn = asn;
      known.routerId = routerId ?? known.routerId;
      return known;
    }
    const peer: LivePeer = {
      ...{ router, address, isLocalTable, asn, routerId },
      ...{ isUp: null, sinceUs: null, tables: new Map() },
    };
    this.#peers.set(key, peer);
    return peer;
  }

  #newSource(peer: LivePeer, table: RoutePeer["table"]): Source {
    const state = new TableState();
    const source = { id: this.#sources.length + 1, peer, table, state };
    this.#sources.push(source);
    peer.tables.set(table, state);
    const tables = this.#ids.get(peer) ?? new Map<RoutePeer["table"], Source>();
    this.#ids.set(peer, tables.set(table, source));
    if (table === "in-post-policy") {
      this.#postPolicyRouters.add(formatAddress(peer.router));
    }
    return source;
  }
}

function keyOf(router: Address, { address, table }: RoutePeer): string {
  return `${formatAddress(router)} ${table === "local" ? "local" : formatAddress(address)}`;
}
