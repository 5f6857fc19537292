/**
 * The destination buckets that a measurement has probes for, as stored with it: the numbers of up to 4095 buckets, 2
 * bytes each, little endian; or 8192 bytes with a bit for each bucket, the lowest bit of the first byte first. No list
 * is as long as the bit map, so the length identifies the form.
 */
import { destinationBuckets } from "./destination-bucket.ts";

export const bucketSetBytes = destinationBuckets / 8;
const listedMax = bucketSetBytes / 2 - 1;

export function encodeBuckets(buckets: readonly number[]): Uint8Array {
  if (buckets.length <= listedMax) {
    return Uint8Array.from(buckets.flatMap((bucket) => [bucket & 0xff, bucket >>> 8]));
  }
  const bits = new Uint8Array(bucketSetBytes);
  for (const bucket of buckets) {
    bits[bucket >>> 3] = (bits[bucket >>> 3] ?? 0) | (1 << (bucket & 7));
  }
  return bits;
}

/**
 * Adds the buckets of an encoded set to `bits`; null = all buckets, for a measurement that was not counted.
 */
export function addBuckets(bits: Uint8Array, encoded: Uint8Array | null): void {
  if (encoded === null) {
    bits.fill(0xff);
  } else if (encoded.length === bucketSetBytes) {
    encoded.forEach((byte, at) => {
      bits[at] = (bits[at] ?? 0) | byte;
    });
  } else {
    for (let at = 0; at + 1 < encoded.length; at += 2) {
      const low = encoded[at] ?? 0;
      const place = (((encoded[at + 1] ?? 0) << 8) | low) >>> 3;
      bits[place] = (bits[place] ?? 0) | (1 << (low & 7));
    }
  }
}

/** The buckets of an encoded set, one by one. */
export function* bucketsOf(encoded: Uint8Array): Generator<number> {
  if (encoded.length < bucketSetBytes) {
    for (let at = 0; at + 1 < encoded.length; at += 2) {
      yield ((encoded[at + 1] ?? 0) << 8) | (encoded[at] ?? 0);
    }
    return;
  }
  const bits = encoded;
  for (let bucket = 0; bucket < destinationBuckets; bucket++) {
    if (((bits[bucket >>> 3] ?? 0) >>> (bucket & 7)) & 1) {
      yield bucket;
    }
  }
}
