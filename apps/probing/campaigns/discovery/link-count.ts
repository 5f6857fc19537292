/**
 * Counts the links and routers that a discovery has found: exactly up to 16,384 of each; beyond that, the smallest
 * hashes are kept, and the number is estimated from them, to about 1 % (KMV sketch, Bar-Yossef and others, RANDOM
 * 2002).
 */
import type { AskedRow } from "../../../../lib/engines/store/clickhouse/asked-probes.ts";
import { linksCountedMax } from "./limits.ts";

/** Below 2^53. */
export function linkHash(text: string): number {
  return Number(Bun.hash.wyhash(text) >> 11n);
}

export class DistinctCount {
  /** The smallest hashes, all below 2^53; sorted when there are twice as many as are kept. */
  #hashes = new Set<number>();
  #limit = 2 ** 53;

  add(text: string): void {
    const hash = linkHash(text);
    if (hash >= this.#limit) {
      return;
    }
    this.#hashes.add(hash);
    if (this.#hashes.size > 2 * linksCountedMax) {
      const kept = Float64Array.from(this.#hashes).sort().subarray(0, linksCountedMax);
      this.#limit = (kept.at(-1) ?? 0) + 1;
      this.#hashes = new Set(kept);
    }
  }

  get count(): number {
    const { size } = this.#hashes;
    return this.#limit === 2 ** 53 ? size : Math.round(((size - 1) * 2 ** 53) / this.#limit);
  }
}

/** Reads rows in the order of destination, port and TTL: a link is two routers that replied at consecutive TTLs. */
export class LinkReader {
  #before: { readonly row: AskedRow; readonly routers: readonly string[] } | null = null;

  /** Routers of the next row, and links that end there. */
  next(row: AskedRow): { readonly routers: readonly string[]; readonly links: readonly string[] } {
    const { dst, srcPort, ttl, answers } = row;
    const routers = answers.flatMap(([router, end]) => (end === 1 || router === dst ? [] : [router]));
    const near = this.#before;
    this.#before = { row, routers };
    const isNext =
      near !== null && near.row.dst === dst && near.row.srcPort === srcPort && near.row.ttl === ttl - 1;
    const links = isNext ? near.routers.flatMap((router) => routers.map((far) => `${router}${far}`)) : [];
    return { routers, links };
  }
}

/** Counts of rows in that order. */
export class LinkCount {
  readonly #links = new DistinctCount();
  readonly #nodes = new DistinctCount();
  readonly #reader = new LinkReader();

  add(row: AskedRow): void {
    const { routers, links } = this.#reader.next(row);
    for (const router of routers) {
      this.#nodes.add(router);
    }
    for (const link of links) {
      this.#links.add(link);
    }
  }

  get links(): number {
    return this.#links.count;
  }

  get nodes(): number {
    return this.#nodes.count;
  }
}
