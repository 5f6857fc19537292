import { expect, test } from "bun:test";
import { address } from "../../net/ip/address.ts";
import { BucketCounts } from "./bucket-counts.ts";
import { addBuckets, bucketSetBytes, bucketsOf, encodeBuckets } from "./bucket-set.ts";
import { addressHash, bucketOf, destinationBuckets, networkHash } from "./destination-bucket.ts";

test.each([0, 1, 300, 4095, 4096, destinationBuckets])(
  "a set of %d buckets is read as it was written",
  (count) => {
    const step = Math.floor(destinationBuckets / Math.max(1, count));
    const buckets = Array.from({ length: count }, (_, i) => i * step);
    const encoded = encodeBuckets(buckets);
    expect(encoded.length).toBe(count < 4096 ? 2 * count : bucketSetBytes);
    expect([...bucketsOf(encoded)]).toEqual(buckets);
  },
);

test("sets are added up, and one that is not known is all of them", () => {
  const bits = new Uint8Array(bucketSetBytes);
  addBuckets(bits, encodeBuckets([3]));
  addBuckets(bits, encodeBuckets([65_535, 3]));
  expect([...bucketsOf(bits)]).toEqual([3, 65_535]);
  addBuckets(bits, null);
  expect(bits.every((byte) => byte === 0xff)).toBe(true);
});

test.each([1, 16, 17, 3000, destinationBuckets])("%d buckets have the counts of a map", (count) => {
  const counts = new BucketCounts();
  const expected = new Map<number, number>();
  for (let i = 0; i < 3 * count; i++) {
    // Many meet in one place of a small table.
    const bucket = (1024 * (i % count) + (((i % count) / 64) | 0)) % destinationBuckets;
    counts.add(bucket, 1 + (i % 2));
    expected.set(bucket, (expected.get(bucket) ?? 0) + 1 + (i % 2));
  }
  expect(counts.most).toBe(Math.max(...expected.values()));
  expect(counts.buckets()).toEqual([...expected.keys()].sort((a, b) => a - b));
});

test("a network is one bucket, its addresses are many, and networks are spread", () => {
  const inside = Array.from({ length: 256 }, (_, i) => address(`198.51.100.${i}`));
  expect(new Set(inside.map((one) => networkHash(one))).size).toBe(1);
  expect(new Set(inside.map((one) => bucketOf(addressHash(one)))).size).toBeGreaterThan(250);
  expect(networkHash(address("2001:db8:1:ffff::1"))).toBe(networkHash(address("2001:db8:1::9")));
  const networks = Array.from({ length: 65_536 }, (_, i) => address(`10.${i >> 8}.${i & 255}.1`));
  const used = new Set(networks.map((one) => bucketOf(networkHash(one))));
  expect(used.size / destinationBuckets).toBeGreaterThan(0.6);
});
