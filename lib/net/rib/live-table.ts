/**
 * The current routes of routers, from the messages that a collector receives, with all peers' paths to a prefix.
 *
 *     const table = new LiveTable({ rejectReasons: new Map([["64500:65520:1", "RPKI invalid"]]) });
 *     table.listen(({ event, isSynthetic }) => …);            // every event, in order
 *     table.apply(router, event, receivedUs);                 // from BmpSession and eventsOfRecord
 *     table.exact(prefix);  table.longest(address);           // lookups: LivePath[], { prefix, paths } | null
 *     table.lessSpecific(prefix);  table.moreSpecific(prefix);
 *     table.rejected(1, 1000);  table.slice(1, 1000, router);  table.peers();  table.gaps;
 *
 * A router's peer has tables (RoutePeer): `in` holds the routes that the peer sent, `in-post-policy` those that the
 * router accepted. A path in these two has a verdict:
 *
 * | verdict    | when                                                                                        |
 * |------------|---------------------------------------------------------------------------------------------|
 * | `accepted` | it is in the post-policy table                                                              |
 * | `rejected` | it is not, and the router sends that table; or it has a large community for that; or the    |
 * |            | router listed it as refused, and the path has not changed since                             |
 * | `unknown`  | otherwise: the router has never sent a post-policy table                                    |
 * | null       | a path of another table                                                                     |
 *
 * When a session ends, its peer's paths are removed, each with a withdrawal marked `isSynthetic`. If a session restarts
 * without having ended, or the router is lost (`lose`), its paths are kept as stale: those that the router does not
 * announce again are withdrawn at the End-of-RIB, or by `sweep`. So after an outage a collector reports only what was
 * withdrawn meanwhile. The outage itself is a gap, recorded by `gap`.
 *
 * Times are microseconds since 1970. Two peers of a router with the same address (in two VRFs) count as one. Do not
 * change the table while iterating over one of its generators.
 */
import type { RouteEvent, RoutePeer } from "../bgp/route-event.ts";
import { type Address, type Family, sameAddress } from "../ip/address.ts";
import type { Prefix } from "../ip/prefix.ts";
import { type LivePath, livePath } from "./live-path.ts";
import { type LivePeer, LivePeers, type Source } from "./live-peers.ts";
import { PathStore } from "./path-store.ts";
import { type Gap, isOpenGap, type ReceivedEvent, synthetic } from "./received-event.ts";
import { Refusals } from "./refusals.ts";
import { Verdicts } from "./verdicts.ts";

interface Listener {
  /** `raw`: the BGP message of the event, valid until this returns; null = none. */
  readonly received: (received: ReceivedEvent, raw: Uint8Array | null) => void;
  readonly gap: (gap: Gap) => void;
}

interface Times {
  readonly timeUs: number;
  readonly receivedUs: number;
}

interface PrefixPaths {
  readonly prefix: Prefix;
  readonly paths: LivePath[];
}

interface Slice {
  readonly found: PrefixPaths[];
  readonly next: number | null;
}

interface LiveTableOptions {
  /** Reasons by large community, `asn:first:second`: a path that has one was rejected. */
  readonly rejectReasons?: ReadonlyMap<string, string>;
}

/** Gaps that are kept: half a day of a router that flaps once a minute. */
const gapsMax = 1000;

export class LiveTable {
  readonly #store = new PathStore();
  readonly #peers = new LivePeers();
  readonly #verdicts: Verdicts;
  /** Refused routes, fetched from routers that do not send their post-policy table. */
  readonly refusals = new Refusals();
  readonly #listeners = new Set<Listener>();
  #gaps: Gap[] = [];

  constructor({ rejectReasons = new Map() }: LiveTableOptions = {}) {
    const [store, peers, refusals] = [this.#store, this.#peers, this.refusals];
    this.#verdicts = new Verdicts({ reasons: rejectReasons, store, peers, refusals });
  }

  get counts() {
    return this.#store.counts;
  }

  /** The latest 1,000, oldest first. */
  get gaps(): readonly Gap[] {
    return this.#gaps;
  }

  peers(): LivePeer[] {
    return [...this.#peers.all()];
  }

  /** Whether the event's peer also has such a table. */
  hasTable(router: Address, given: RoutePeer, table: RoutePeer["table"]): boolean {
    return this.#peers.known(router, given)?.tables.has(table) ?? false;
  }

  /** Calls back with each event and gap, after the table has been updated. Returns a function that unsubscribes. */
  listen(received: Listener["received"], gap: Listener["gap"] = () => {}): () => void {
    const listener = { received, gap };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** `raw`: its BGP message. A synthetic withdrawal of a path that is not in the table has no effect. */
  apply(
    router: Address,
    event: RouteEvent,
    receivedUs: bigint,
    raw: Uint8Array | null = null,
    isSynthetic = false,
  ): void {
    const source = this.#peers.source(router, event.peer);
    const timeUs = Number(event.timeUs ?? receivedUs);
    if (event.kind === "announce") {
      this.#announce(source, event, { timeUs, receivedUs: Number(receivedUs) });
    } else if (event.kind === "withdraw" && !this.#withdraw(source, event, timeUs) && isSynthetic) {
      return;
    }
    this.#notify({ router, event, isSynthetic, receivedUs }, raw);
    if (event.kind === "table-end") {
      this.#endTable(source, event.family, receivedUs);
    } else if (event.kind === "peer-up" || event.kind === "peer-down") {
      this.#session(source.peer, event.kind === "peer-up", timeUs, receivedUs);
    }
  }

  /** The router's session is lost: its paths become stale. */
  lose(router: Address): void {
    this.#store.makeStale(this.#peers.numbersOf((peer) => sameAddress(peer.router, router)));
    for (const peer of this.#peers.all()) {
      if (sameAddress(peer.router, router)) {
        peer.isUp = null;
      }
    }
  }

  /** Withdraws the paths that a router has not announced again since it was lost or a session restarted. */
  sweep(router: Address, receivedUs: bigint): void {
    const sources = this.#peers.numbersOf((peer) => sameAddress(peer.router, router));
    this.#drop(receivedUs, ({ source, isStale }) => isStale && sources.has(source));
  }

  /** Records a gap; it ends an open one of the same router. */
  gap(gap: Gap): void {
    this.#gaps = [...this.#gaps.filter((one) => !isOpenGap(one, gap.router)), gap].slice(-gapsMax);
    for (const listener of this.#listeners) {
      listener.gap(gap);
    }
  }

  /** Paths to exactly this prefix; may be empty. */
  exact(prefix: Prefix): LivePath[] {
    return this.#pathsAt(this.#store.trie.find(prefix)).paths;
  }

  /** The longest prefix that holds the address, with its paths. */
  longest(address: Address): PrefixPaths | null {
    const node = this.#store.trie.longest(address);
    return node === 0 ? null : this.#pathsAt(node);
  }

  /** Shorter prefixes that hold this one: the shortest first. */
  lessSpecific(prefix: Prefix): PrefixPaths[] {
    return this.#store.trie
      .around(prefix)
      .map((node) => this.#pathsAt(node))
      .filter((found) => found.prefix.length < prefix.length);
  }

  /** Longer prefixes within this one, in order of address: there may be hundreds of thousands. */
  *moreSpecific(prefix: Prefix): Generator<PrefixPaths> {
    for (const node of this.#store.trie.within(prefix)) {
      const found = this.#pathsAt(node);
      if (found.prefix.length > prefix.length) {
        yield found;
      }
    }
  }

  /** All paths, or those of one router, in no order. */
  *all(router: Address | null = null): Generator<LivePath> {
    for (let node = 1; node <= this.#store.trie.last; node++) {
      if (this.#store.trie.valueOf(node) !== 0) {
        const { paths } = this.#pathsAt(node);
        yield* paths.filter((path) => router === null || sameAddress(path.router, router));
      }
    }
  }

  /** Rejected paths, each once: as sent by the peer, where that is known. Sliced as by `slice`. */
  rejected(from: number, nodesMax: number): { readonly paths: LivePath[]; readonly next: number | null } {
    const { found, next } = this.slice(from, nodesMax);
    return { paths: found.flatMap(({ paths }) => paths.filter(isRejected)), next };
  }

  /**
   * All paths, or those of one router, in no order, in slices. Visits at most `nodesMax` nodes of the tree from number
   * `from`, which is 1 or the previous `next`; the table may change between calls. Null = done.
   */
  slice(from: number, nodesMax: number, router: Address | null = null): Slice {
    const { trie } = this.#store;
    const only = router && this.#peers.numbersOf((peer) => sameAddress(peer.router, router));
    const end = Math.min(trie.last + 1, from + nodesMax);
    const found: PrefixPaths[] = [];
    for (let node = from; node < end; node++) {
      const at = trie.valueOf(node) === 0 ? null : this.#pathsAt(node, only);
      if (at !== null && at.paths.length > 0) {
        found.push(at);
      }
    }
    return { found, next: end > trie.last ? null : end };
  }

  #announce({ id, state }: Source, { route, attributes }: RouteEvent, times: Times): void {
    if (route !== null) {
      const put = this.#store.put({ route, attributes, source: id, timeUs: times.timeUs });
      state.announced({ family: route.prefix.family, put, ...times });
    }
  }

  #withdraw(source: Source, { route }: RouteEvent, timeUs: number): boolean {
    const isThere = route !== null && this.#store.take(route, source.id);
    source.state.withdrawn(isThere, timeUs);
    return isThere;
  }

  #session(peer: LivePeer, isUp: boolean, timeUs: number, receivedUs: bigint): void {
    peer.isUp = isUp;
    peer.sinceUs = timeUs;
    for (const state of peer.tables.values()) {
      state.restart();
    }
    const sources = this.#peers.numbersOf((one) => one === peer);
    if (isUp) {
      this.#store.makeStale(sources);
    } else {
      this.#drop(receivedUs, ({ source }) => sources.has(source), BigInt(timeUs));
    }
  }

  #endTable(source: Source, family: Family | null, receivedUs: bigint): void {
    if (family !== null) {
      source.state.complete.add(family);
    }
    this.#drop(receivedUs, ({ source: id, isStale, route }) => {
      return isStale && id === source.id && (family === null || route().prefix.family === family);
    });
  }

  /** Withdraws the paths that `is` selects, with synthetic events; `timeUs`: when the router lost them. */
  #drop(receivedUs: bigint, is: Parameters<PathStore["drop"]>[0], timeUs = receivedUs): void {
    this.#store.drop(is, (id, route) => {
      const source = this.#peers.at(id);
      if (source !== null) {
        source.state.withdrawn(true, Number(receivedUs));
        this.#notify(synthetic(source, route, { receivedUs, timeUs }), null);
      }
    });
  }

  #notify(received: ReceivedEvent, raw: Uint8Array | null): void {
    for (const listener of this.#listeners) {
      listener.received(received, raw);
    }
  }

  /** `only`: sources; null = all. */
  #pathsAt(node: number, only: ReadonlySet<number> | null = null): PrefixPaths {
    const prefix = this.#store.trie.prefixAt(node);
    const rows = this.#store.pathsAt(node);
    const paths = rows.flatMap((row) => {
      const source = only?.has(row.source) === false ? null : this.#peers.at(row.source);
      if (source === null) {
        return [];
      }
      const attributes = this.#store.attributesOf(row);
      return [
        livePath({
          prefix,
          row,
          source,
          attributes,
          ...this.#verdicts.of(source, row, { prefix, all: rows }),
        }),
      ];
    });
    return { prefix, paths };
  }
}

function isRejected({ verdict, table, peer }: LivePath): boolean {
  return verdict === "rejected" && (table === "in" || !peer.tables.has("in"));
}
