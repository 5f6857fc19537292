/** The paths of a collector's peers to one prefix, which it then forgets for the next: there are millions. */
import { ambiguousAsn, readAsPath } from "./as-path.ts";

export class PeerPaths {
  readonly #counts = new Map<number, number>();
  /** All paths behind one another: path i begins at `#starts[i]`, and ends where the next one begins. */
  readonly #asns: number[] = [];
  readonly #starts: number[] = [];
  readonly #tally = new Map<number, number>();

  constructor(private readonly keepPrivate: boolean) {}

  clear(): void {
    this.#counts.clear();
    this.#asns.length = 0;
    this.#starts.length = 0;
  }

  /** @param attribute the value of AS_PATH; one without an AS that counts is skipped */
  add(attribute: Uint8Array): void {
    const start = this.#asns.length;
    readAsPath(attribute, this.keepPrivate, this.#asns);
    const origin = this.#asns.at(-1);
    if (origin !== undefined && this.#asns.length > start) {
      this.#starts.push(start);
      this.#counts.set(origin, (this.#counts.get(origin) ?? 0) + 1);
    }
  }

  /** Origins (0 = ambiguous), and how many peers see each. */
  get counts(): ReadonlyMap<number, number> {
    return this.#counts;
  }

  /**
   * The path to `origin` that most peers see, from a peer of the collector to the origin.
   *
   * Peers' paths join on their way to the origin. From the origin outwards, the path goes at each AS to the neighbour
   * that most peers come through; the lower AS number when two are even. Empty for an ambiguous origin.
   */
  pathTo(origin: number): number[] {
    const path: number[] = [];
    let indexes = origin === ambiguousAsn ? [] : [...this.#starts.keys()];
    for (let next: number | null = origin; next !== null && indexes.length > 0; ) {
      const asn: number = next;
      const depth = path.length;
      indexes = indexes.filter((index) => this.#asnAt(index, depth) === asn);
      path.push(asn);
      next = this.#mostCommon(indexes, depth + 1);
    }
    return path.reverse();
  }

  /** The AS at this distance from the origin on most of the paths; null = all have ended. */
  #mostCommon(indexes: readonly number[], depth: number): number | null {
    const tally = this.#tally;
    tally.clear();
    for (const index of indexes) {
      const asn = this.#asnAt(index, depth);
      if (asn !== null) {
        tally.set(asn, (tally.get(asn) ?? 0) + 1);
      }
    }
    let best: number | null = null;
    let most = 0;
    for (const [asn, count] of tally) {
      if (count > most || (count === most && asn < (best ?? 0))) {
        best = asn;
        most = count;
      }
    }
    return best;
  }

  /** Null: the path is shorter, or has an AS_SET there. */
  #asnAt(index: number, depth: number): number | null {
    const at = (this.#starts[index + 1] ?? this.#asns.length) - 1 - depth;
    const asn = at < (this.#starts[index] ?? 0) ? ambiguousAsn : this.#asns[at];
    return asn === undefined || asn === ambiguousAsn ? null : asn;
  }
}
