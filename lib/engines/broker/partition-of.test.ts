import { expect, test } from "bun:test";
import { murmur2, partitionOf } from "./partition-of.ts";

// From Apache Kafka's own test of Utils.murmur2.
test.each([
  ["21", -973932308],
  ["foobar", -790332482],
  ["a-little-bit-long-string", -985981536],
  ["a-little-bit-longer-string", -1486304829],
  ["lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58897971],
  ["abc", 479470107],
])("murmur2 of %p is that of Kafka", (text, hash) => {
  expect(murmur2(new TextEncoder().encode(text))).toBe(hash);
});

test("keys spread over all partitions, also those whose hash is negative", () => {
  const partitions = Array.from({ length: 500 }, (_, index) => partitionOf(`measurement ${index}`, 16));
  expect(new Set(partitions)).toEqual(new Set(Array.from({ length: 16 }, (_, index) => index)));
});
