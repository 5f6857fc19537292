/**
 * How many links and routers a discovery has found. Up to 16,384 of each they are counted one by one; of more, the
 * smallest hashes are kept, and their number is estimated by how small they are, to 1 % or so (KMV sketch,
 * Bar-Yossef and others, RANDOM 2002).
 */
import type { AskedRow } from "../../../lib/store/clickhouse/asked-probes.ts";
import { linksCountedMax } from "./limits.ts";

export class DistinctCount {
  /** The smallest of all hashes, which are below 2^53; sorted when there are twice as many as are kept. */
  #hashes = new Set<number>();
  #limit = 2 ** 53;

  add(text: string): void {
    const hash = Number(Bun.hash.wyhash(text) >> 11n);
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

/** Counts of rows in the order of destination, port and TTL: a link are two routers that answered TTLs in a row. */
export class LinkCount {
  readonly #links = new DistinctCount();
  readonly #nodes = new DistinctCount();
  #before: { readonly row: AskedRow; readonly routers: readonly string[] } | null = null;

  add(row: AskedRow): void {
    const { dst, srcPort, ttl, answers } = row;
    const routers = answers.flatMap(([router, end]) => (end === 1 || router === dst ? [] : [router]));
    for (const router of routers) {
      this.#nodes.add(router);
    }
    const near = this.#before;
    if (near !== null && near.row.dst === dst && near.row.srcPort === srcPort && near.row.ttl === ttl - 1) {
      for (const router of near.routers) {
        for (const far of routers) {
          this.#links.add(`${router}${far}`);
        }
      }
    }
    this.#before = { row, routers };
  }

  get links(): number {
    return this.#links.count;
  }

  get nodes(): number {
    return this.#nodes.count;
  }
}
