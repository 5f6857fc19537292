import { expect, test } from "bun:test";
import { aspaDelta, aspaParts, aspasAfter } from "./aspa.ts";

const origin = 64_500;
const of = (customer: number, ...providers: number[]) => ({ customer, providers });
const ours = (customer: number) => of(customer, origin);
const rights = { held: [{ first: 64_500, last: 65_009 }], pool: [{ first: 65_000, last: 65_999 }] };
const nothing = { delta: { set: [], removed: [] }, notHeld: [] };

test("what is missing or otherwise is set; of the pool's customers the others are removed", () => {
  const there = [ours(65_000), of(65_001, origin, 64_501), ours(65_003), of(64_500, 64_499)];
  expect(aspaDelta([65_000, 65_001, 65_002].map(ours), there, rights)).toEqual({
    delta: { set: [ours(65_001), ours(65_002)], removed: [65_003] },
    notHeld: [],
  });
});

test("the order of providers makes no difference, their number does", () => {
  const there = [of(65_000, 64_500, 64_501)];
  expect(aspaDelta([of(65_000, 64_501, 64_500)], there, rights)).toEqual(nothing);
  expect(aspaDelta([of(65_000, 64_500)], there, rights).delta.set).toEqual([of(65_000, 64_500)]);
});

test("a customer that the CA does not hold is named and not set; what it has left there goes", () => {
  expect(aspaDelta([65_009, 65_010].map(ours), [ours(65_011)], rights)).toEqual({
    delta: { set: [ours(65_009)], removed: [65_011] },
    notHeld: [65_010],
  });
});

test("a customer outside the pool is kept while a user has it, and else is not ours", () => {
  expect(aspaDelta([ours(64_600)], [ours(64_601)], rights)).toEqual({
    delta: { set: [ours(64_600)], removed: [] },
    notHeld: [],
  });
});

test("after the difference, in parts, there is none", () => {
  const wanted = [65_000, 65_001, 65_002].map(ours);
  const there = [of(65_002, 64_501), ours(65_003), ours(64_700)];
  const parts = aspaParts(aspaDelta(wanted, there, rights).delta, { set: 2, removed: 1000 });
  expect(parts.map(({ set, removed }) => [set.length, removed.length])).toEqual([
    [0, 1],
    [2, 0],
    [1, 0],
  ]);
  const after = parts.reduce<ReturnType<typeof aspasAfter>>(aspasAfter, there);
  expect(after.map(({ customer }) => customer).sort()).toEqual([64_700, 65_000, 65_001, 65_002]);
  expect(aspaDelta(wanted, after, rights)).toEqual(nothing);
});
