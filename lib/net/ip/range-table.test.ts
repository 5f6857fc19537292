import { expect, test } from "bun:test";
import fc from "fast-check";
import { address } from "./address.ts";
import { prefixesOfRange } from "./address-range.ts";
import { formatPrefix, parsePrefix } from "./prefix.ts";
import { RangeTable, RangeTableBuilder } from "./range-table.ts";
import {
  addressOfWords,
  compareWords,
  firstWords,
  lastWords,
  mappedBits,
  nextWords,
  type Words,
  wordsOf,
} from "./words.ts";

function tableOf(...rows: readonly (readonly [prefix: string, value: number])[]): RangeTable {
  const builder = new RangeTableBuilder();
  for (const [text, value] of rows) {
    const prefix = parsePrefix(text);
    if (prefix === null) {
      throw new TypeError(text);
    }
    builder.add(wordsOf(prefix.base), mappedBits(prefix), value);
  }
  return builder.build();
}

test("the longest prefix counts, and its end gives way to the one around it", () => {
  const table = tableOf(["10.0.0.0/8", 1], ["10.1.0.0/16", 2], ["2001:db8::/32", 3]);
  const found = ["9.255.255.255", "10.0.255.255", "10.1.0.0", "10.1.255.255", "10.2.0.0", "11.0.0.0"];
  expect(found.map((text) => table.find(address(text)))).toEqual([0, 1, 2, 2, 1, 0]);
  expect(["2001:db7::1", "2001:db8::", "2001:db9::"].map((text) => table.find(address(text)))).toEqual([
    0, 3, 0,
  ]);
});

test("::/0 is not a prefix of IPv4 addresses, and 0.0.0.0/0 is one", () => {
  const table = tableOf(["::/0", 6], ["0.0.0.0/0", 4]);
  expect([table.find(address("192.0.2.1")), table.find(address("ffff::1"))]).toEqual([4, 6]);
  expect(tableOf(["::/0", 6]).find(address("255.255.255.255"))).toBe(0);
});

test("when a prefix comes twice the later value stays; value 0 cuts a hole", () => {
  expect(tableOf(["10.0.0.0/8", 1], ["10.0.0.0/8", 2]).find(address("10.0.0.1"))).toBe(2);
  expect(tableOf(["10.0.0.0/8", 1], ["10.1.0.0/16", 0]).find(address("10.1.0.1"))).toBe(0);
});

test("a table that was written is the same when it is read", () => {
  const builder = new RangeTableBuilder();
  builder.add(wordsOf(address("10.0.0.0")), 104, 7);
  builder.add(wordsOf(address("2001:db8::")), 33, 9);
  const arrays = builder.arrays();
  const again = new RangeTable(arrays);
  expect([again.find(address("10.9.9.9")), again.find(address("2001:db8:7fff::"))]).toEqual([7, 9]);
  const short = arrays.ipv6Starts.subarray(1);
  expect(() => new RangeTable({ ...arrays, ipv6Starts: short })).toThrow("11 words of IPv6 starts");
  expect(() => new RangeTable({ ...arrays, ipv4Values: short })).toThrow("3 IPv4 starts");
});

/** IPv4 or IPv6 with few distinct bits, so that addresses are near one another. */
const near = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.constantFrom(0, 1, 0x80000000, 0xffffffff), { minLength: 4, maxLength: 4 }),
  )
  .map(([isIpv4, [a = 0, b = 0, c = 0, d = 0]]) =>
    isIpv4 ? ([0, 0, 0xffff, d] as const) : ([(a | 0x20000000) >>> 0, b, c, d] as const),
  );

test("one address or many at once, the longest prefix is found as by going through all of them", () => {
  const prefix = fc.tuple(near, fc.integer({ min: 0, max: 128 })).map(([words, bits]) => {
    const isIpv4 = words[2] === 0xffff && words[0] === 0;
    const length = isIpv4 ? 96 + (bits % 33) : bits;
    return { base: firstWords(words, length), bits: length, isIpv4 };
  });
  const property = fc.property(fc.array(prefix, { maxLength: 40 }), fc.array(near), (prefixes, asked) => {
    const builder = new RangeTableBuilder();
    for (const [i, { base, bits }] of prefixes.entries()) {
      builder.add(base, bits, i + 1);
    }
    const table = builder.build();
    const edges = prefixes.flatMap(({ base, bits }) => [base, lastWords(base, bits)]);
    const expected = [...asked, ...edges].map((words) => {
      const isIpv4 = words[0] === 0 && words[1] === 0 && words[2] === 0xffff;
      const holds = prefixes.map(({ base, bits, isIpv4: isSame }, i) => {
        return isSame === isIpv4 && compareWords(firstWords(words, bits), base) === 0
          ? [bits, i + 1]
          : [-1, 0];
      });
      return holds.reduce((best, one) => ((one[0] ?? 0) >= (best[0] ?? 0) ? one : best), [-1, 0])[1] ?? 0;
    });
    const bytes = [...asked, ...edges].map(addressOfWords);
    expect(bytes.map((address) => table.find(address))).toEqual(expected);
    const values = new Uint32Array(bytes.length);
    table.findAll(new Uint8Array(Buffer.concat(bytes)), values);
    expect([...values]).toEqual(expected);
    const isIpv4 = (words: Words) => words[0] === 0 && words[1] === 0 && words[2] === 0xffff;
    const inRanges = [...asked, ...edges].map((words) => {
      const ranges = [...table.ranges()].filter(({ first }) => isIpv4(first) === isIpv4(words));
      return ranges.find(
        ({ first, last }) => compareWords(first, words) <= 0 && compareWords(words, last) <= 0,
      );
    });
    expect(inRanges.map((range) => range?.value ?? 0)).toEqual(expected);
  });
  fc.assert(property, { numRuns: 300 });
});

test("the prefixes of a range are exactly its addresses, in order, and the fewest", () => {
  const property = fc.property(near, near, (x, y) => {
    const isSame = (x[2] === 0xffff && x[0] === 0) === (y[2] === 0xffff && y[0] === 0);
    fc.pre(isSame);
    const [first, last] = compareWords(x, y) <= 0 ? [x, y] : [y, x];
    const prefixes = prefixesOfRange(addressOfWords(first), addressOfWords(last));
    expect(prefixes[0]?.base).toEqual(first);
    for (const [i, { base, bits }] of prefixes.entries()) {
      expect(firstWords(base, bits)).toEqual(base);
      const end = lastWords(base, bits);
      expect(prefixes[i + 1]?.base ?? nextWords(last)).toEqual(nextWords(end));
    }
    expect(prefixes.length).toBeLessThanOrEqual(2 * 128);
  });
  fc.assert(property, { numRuns: 300 });
});

test("a range that is not a prefix becomes several", () => {
  const prefixes = prefixesOfRange(address("192.0.2.1"), address("192.0.2.6"));
  const texts = prefixes.map(({ base, bits }) =>
    formatPrefix({ base: addressOfWords(base), length: bits - 96, family: 4 }),
  );
  expect(texts).toEqual(["192.0.2.1/32", "192.0.2.2/31", "192.0.2.4/31", "192.0.2.6/32"]);
  expect(prefixesOfRange(address("::2"), address("::1"))).toEqual([]);
});
