import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Address, address, mapped } from "../../net/ip/address.ts";
import { formatPrefix, type Prefix, parsePrefix, prefixContains, prefixOf } from "../../net/ip/prefix.ts";
import { PrefixSet } from "./prefix-set.ts";

function setOf(...texts: string[]): PrefixSet {
  return new PrefixSet(texts.flatMap((text) => parsePrefix(text) ?? []));
}

function matched(set: PrefixSet, text: string): string | null {
  const prefix = set.match(address(text));
  return prefix && formatPrefix(prefix);
}

test("an empty set holds nothing", () => {
  expect(matched(setOf(), "192.0.2.1")).toBeNull();
});

test("the most specific prefix is named, and the outer one again behind it", () => {
  const set = setOf("10.0.0.0/8", "10.1.0.0/16", "10.1.2.3/32", "10.1.255.0/24");
  const answers = [
    ["9.255.255.255", null],
    ["10.0.0.0", "10.0.0.0/8"],
    ["10.1.2.2", "10.1.0.0/16"],
    ["10.1.2.3", "10.1.2.3/32"],
    ["10.1.2.4", "10.1.0.0/16"],
    ["10.1.255.255", "10.1.255.0/24"],
    ["10.2.0.0", "10.0.0.0/8"],
    ["11.0.0.0", null],
  ] as const;
  expect(answers.map(([text]) => [text, matched(set, text)])).toEqual(answers.map((answer) => [...answer]));
});

test("families do not mix, and the ends of the address space belong to it", () => {
  expect(matched(setOf("0.0.0.0/0"), "255.255.255.255")).toBe("0.0.0.0/0");
  expect(matched(setOf("0.0.0.0/0"), "::1")).toBeNull();
  const last = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff";
  expect(matched(setOf("ff00::/8"), last)).toBe("ff00::/8");
  expect(matched(setOf(last), last)).toBe(`${last}/128`);
});

test("::/0 holds every IPv6 address and no IPv4 one", () => {
  expect(matched(setOf("::/0"), "2001:db8::1")).toBe("::/0");
  expect(matched(setOf("::/0"), "192.0.2.1")).toBeNull();
});

test("a prefix that is given twice counts once", () => {
  expect(setOf("10.0.0.0/8", "10.0.0.0/8", "10.0.0.0/9").size).toBe(2);
});

/** Few distinct bits, so that prefixes nest, touch and repeat. */
const bytes = fc
  .array(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), { minLength: 16, maxLength: 16 })
  .map((list) => Uint8Array.from(list));
const addresses: fc.Arbitrary<Address> = fc.oneof(
  bytes.map((list) => mapped(list)),
  bytes,
);
const prefixes: fc.Arbitrary<Prefix> = fc
  .tuple(addresses, fc.nat(128))
  .map(([base, length]) => prefixOf(base, base[10] === 0xff && base[0] === 0 ? length % 33 : length))
  .filter((prefix) => parsePrefix(formatPrefix(prefix)) !== null);

function plainMatch(all: readonly Prefix[], wanted: Address): Prefix | null {
  const holders = all.filter((prefix) => prefixContains(prefix, wanted));
  return holders.reduce<Prefix | null>(
    (best, next) => (best && best.length >= next.length ? best : next),
    null,
  );
}

test("it answers as a plain search through all prefixes", () => {
  const property = fc.property(fc.array(prefixes, { maxLength: 40 }), fc.array(addresses), (all, others) => {
    const set = new PrefixSet(all);
    for (const wanted of [...others, ...all.map((prefix) => prefix.base)]) {
      const found = set.match(wanted);
      const expected = plainMatch(all, wanted);
      expect(found && formatPrefix(found)).toBe(expected && formatPrefix(expected));
    }
  });
  fc.assert(property, { numRuns: 300 });
});

test("an address is read where it lies", () => {
  const buffer = new Uint8Array(40).fill(0xff);
  buffer.set(address("192.0.2.7"), 13);
  expect(setOf("192.0.2.0/24").match(buffer, 13)).not.toBeNull();
});
