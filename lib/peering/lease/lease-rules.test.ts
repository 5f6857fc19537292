import { expect, test } from "bun:test";
import { asnRangesProblem, parseAsnRange } from "./asn-ranges.ts";
import { parseLeasePrefix } from "./lease-prefix.ts";
import { endsSoon, leaseStatus } from "./lease-state.ts";

test.each([
  ["65000-65999", { first: 65000, last: 65999 }],
  ["4294967294", { first: 4294967294, last: 4294967294 }],
  ["0-5", null],
  ["4294967295", null],
  ["65999-65000", null],
  ["65000 - 65999", null],
  ["", null],
])("ASN range %p", (text, expected) => {
  expect(parseAsnRange(text)).toEqual(expected);
});

test("ranges of a pool are apart", () => {
  const range = (first: number, last: number) => ({ first, last });
  expect(asnRangesProblem([range(10, 20), range(1, 9)])).toBeNull();
  expect(asnRangesProblem([range(10, 20), range(1, 10)])).toBe("has 10-20 overlap another range");
  expect(asnRangesProblem([])).toBe("must have 1 to 100 ranges");
});

test.each([
  ["2001:db8:1::/48", "2001:db8:1::/48"],
  ["2001:0DB8:0001:0000::/48", "2001:db8:1::/48"],
  ["2001:db8:1::1/48", null],
  ["2001:db8::/47", null],
  ["2001:db8:1::", null],
  ["192.0.2.0/24", null],
  ["x", null],
])("lease prefix %p", (text, expected) => {
  expect(parseLeasePrefix(text)).toBe(expected);
});

test("a lease is active until its end, unless it was closed", () => {
  const nowMs = 1_000_000;
  const lease = (leftMs: number) => ({ end_time: new Date(nowMs + leftMs), closed_as: null });
  expect(leaseStatus(lease(1), nowMs)).toBe("active");
  expect(leaseStatus(lease(0), nowMs)).toBe("expired");
  expect(leaseStatus({ ...lease(60_000), closed_as: "released" }, nowMs)).toBe("released");
  expect([1, 1000, 1001, 0].map((leftMs) => endsSoon(lease(leftMs), nowMs, 1000))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
