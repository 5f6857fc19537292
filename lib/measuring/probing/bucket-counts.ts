/**
 * A submission's packets by destination bucket: a table that is half empty and grows with them, up to 384 KB, because
 * most submissions have few. A count is never too small.
 */
import { destinationBuckets } from "./destination-bucket.ts";

const slotsMin = 32;

export class BucketCounts {
  #slots = slotsMin;
  /** The bucket of each slot that has a count. */
  #buckets = new Uint16Array(slotsMin);
  /** 0 = the slot is free. */
  #counts = new Uint32Array(slotsMin);
  #taken = 0;
  /** The largest count. */
  most = 0;

  /** `packets` > 0. */
  add(bucket: number, packets: number): void {
    const slot = this.#slotOf(bucket);
    const before = this.#counts[slot] ?? 0;
    const count = before + packets;
    this.#counts[slot] = count;
    if (count > this.most) {
      this.most = count;
    }
    if (before === 0) {
      this.#buckets[slot] = bucket;
      this.#taken++;
      if (2 * this.#taken > this.#slots && this.#slots < destinationBuckets) {
        this.#grow();
      }
    }
  }

  /** In ascending order. */
  buckets(): number[] {
    const found: number[] = [];
    for (let slot = 0; slot < this.#slots; slot++) {
      if (this.#counts[slot] !== 0) {
        found.push(this.#buckets[slot] ?? 0);
      }
    }
    return [...Uint16Array.from(found).sort()];
  }

  /** The slot of the bucket, or the free one for it: with as many slots as buckets, each has its own. */
  #slotOf(bucket: number): number {
    const last = this.#slots - 1;
    let slot = bucket & last;
    while (this.#counts[slot] !== 0 && this.#buckets[slot] !== bucket) {
      slot = (slot + 1) & last;
    }
    return slot;
  }

  #grow(): void {
    const [buckets, counts] = [this.#buckets, this.#counts];
    this.#slots *= 2;
    this.#buckets = new Uint16Array(this.#slots);
    this.#counts = new Uint32Array(this.#slots);
    for (let slot = 0; slot < counts.length; slot++) {
      const bucket = buckets[slot] ?? 0;
      const count = counts[slot] ?? 0;
      if (count !== 0) {
        const at = this.#slotOf(bucket);
        this.#buckets[at] = bucket;
        this.#counts[at] = count;
      }
    }
  }
}
