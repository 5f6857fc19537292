/** One router as birdwatcher's routes see it: its neighbours, its routes piece by piece, and how many each has. */
import { LoopYield } from "../../../../lib/engines/http/loop-yield.ts";
import { type Address, type Family, parseAddress, sameAddress } from "../../../../lib/net/ip/address.ts";
import type { Prefix } from "../../../../lib/net/ip/prefix.ts";
import type { LivePeer } from "../../../../lib/net/rib/live-peers.ts";
import type { LiveTable } from "../../../../lib/net/rib/live-table.ts";
import { sliceNodes } from "./limits.ts";
import { protocolName } from "./route-shape.ts";
import { type RouterRoutes, routerRoutes } from "./router-routes.ts";

export type Table = Pick<LiveTable, "slice" | "exact" | "lessSpecific" | "peers" | "gaps">;

interface Counts {
  imported: number;
  filtered: number;
  preferred: number;
  exported: number;
}

/** By family. */
export type PeerCounts = Readonly<Record<Family, Counts>>;

export class RouterView {
  readonly router: Address;
  readonly table: Table;

  private constructor(table: Table, router: Address) {
    [this.table, this.router] = [table, router];
  }

  /** Null = no router with this address has connected. */
  static of(table: Table, text: string): RouterView | null {
    const router = parseAddress(text);
    const isKnown =
      router !== null &&
      (table.peers().some((peer) => sameAddress(peer.router, router)) ||
        table.gaps.some((gap) => gap.router !== null && sameAddress(gap.router, router)));
    return isKnown ? new RouterView(table, router) : null;
  }

  /** Without the router's own table. */
  neighbors(): LivePeer[] {
    return this.table
      .peers()
      .filter(({ router, isLocalTable }) => !isLocalTable && sameAddress(router, this.router));
  }

  neighborBy(is: (peer: LivePeer) => boolean): LivePeer | null {
    return this.neighbors().find(is) ?? null;
  }

  neighborNamed(name: string): LivePeer | null {
    return this.neighborBy(({ address }) => protocolName(address) === name);
  }

  /** Paths in all tables of the router: no answer has more. */
  get paths(): number {
    return this.neighbors().reduce((sum, { tables }) => sum + pathsIn(tables.values()), 0);
  }

  /** Yields to other requests between two pieces; the table may change meanwhile. */
  async *walk(): AsyncGenerator<readonly RouterRoutes[], void, undefined> {
    const pace = new LoopYield();
    for (let from: number | null = 1; from !== null; ) {
      const { found, next }: ReturnType<Table["slice"]> = this.table.slice(from, sliceNodes, this.router);
      yield found.map(({ paths }) => routerRoutes(paths));
      from = next;
      await pace.next();
    }
  }

  exact(prefix: Prefix): RouterRoutes {
    return routerRoutes(this.#own(this.table.exact(prefix)));
  }

  /** To the longest prefix that holds the address or prefix, and that this router has imported. */
  longest(prefix: Prefix): RouterRoutes | null {
    const around = [
      this.table.exact(prefix),
      ...this.table
        .lessSpecific(prefix)
        .map(({ paths }) => paths)
        .reverse(),
    ];
    const found = around.map((paths) => routerRoutes(this.#own(paths)));
    return found.find(({ imported }) => imported.length > 0) ?? null;
  }

  async counts(): Promise<ReadonlyMap<LivePeer, PeerCounts>> {
    const found = new Map<LivePeer, PeerCounts>(this.neighbors().map((peer) => [peer, noCounts()]));
    for await (const all of this.walk()) {
      for (const { imported, filtered, sent } of all) {
        for (const { path, isPrimary } of imported) {
          add(found, path.peer, path.prefix.family, { imported: 1, preferred: isPrimary ? 1 : 0 });
        }
        for (const { path } of filtered) {
          add(found, path.peer, path.prefix.family, { filtered: 1 });
        }
        for (const { path } of sent) {
          add(found, path.peer, path.prefix.family, { exported: 1 });
        }
      }
    }
    return found;
  }

  #own(paths: ReturnType<Table["exact"]>) {
    return paths.filter(({ router }) => sameAddress(router, this.router));
  }
}

function pathsIn(tables: Iterable<{ readonly paths: number }>): number {
  return [...tables].reduce((sum, { paths }) => sum + paths, 0);
}

function noCounts(): PeerCounts {
  const none = () => ({ imported: 0, filtered: 0, preferred: 0, exported: 0 });
  return { 4: none(), 6: none() };
}

function add(
  all: ReadonlyMap<LivePeer, PeerCounts>,
  peer: LivePeer,
  family: Family,
  more: Partial<Counts>,
): void {
  const counts = all.get(peer)?.[family];
  if (counts !== undefined) {
    counts.imported += more.imported ?? 0;
    counts.filtered += more.filtered ?? 0;
    counts.preferred += more.preferred ?? 0;
    counts.exported += more.exported ?? 0;
  }
}
