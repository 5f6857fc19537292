/**
 * Packets by bucket of their destination, as one submission has them: a list while there are few, because most have
 * few, and a table of 256 KB then. A count is never too small.
 */
import { destinationBuckets } from "./destination-bucket.ts";

const listedMax = 1024;

export class BucketCounts {
  readonly #list = new Map<number, number>();
  #table: Uint32Array | null = null;
  /** The largest count. */
  most = 0;

  add(bucket: number, packets: number): void {
    const count =
      (this.#table === null ? (this.#list.get(bucket) ?? 0) : (this.#table[bucket] ?? 0)) + packets;
    this.most = Math.max(this.most, count);
    if (this.#table !== null) {
      this.#table[bucket] = count;
      return;
    }
    this.#list.set(bucket, count);
    if (this.#list.size > listedMax) {
      this.#table = new Uint32Array(destinationBuckets);
      for (const [known, listed] of this.#list) {
        this.#table[known] = listed;
      }
      this.#list.clear();
    }
  }

  /** In ascending order. */
  buckets(): number[] {
    if (this.#table === null) {
      return [...this.#list.keys()].sort((a, b) => a - b);
    }
    return [...this.#table.entries()].flatMap(([bucket, count]) => (count > 0 ? [bucket] : []));
  }
}
