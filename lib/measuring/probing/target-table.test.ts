import { expect, test } from "bun:test";
import { formatAddress } from "../../net/ip/address.ts";
import { parsePrefix, prefixContains } from "../../net/ip/prefix.ts";
import { TargetTable } from "./target-table.ts";

function tableOf(perPrefix: number | null, ...targets: string[]): TargetTable {
  const table = new TargetTable({ perPrefix, seed: 1 });
  for (const target of targets) {
    const prefix = parsePrefix(target);
    expect(prefix && table.add(prefix)).toBeNull();
  }
  return table;
}

function addressesOf(table: TargetTable): Uint8Array[] {
  return Array.from({ length: table.addresses }, (_, i) => {
    const address = new Uint8Array(16).fill(0xaa);
    table.addressInto(i, address);
    return address;
  });
}

test("hosts and whole prefixes are listed in order", () => {
  const table = tableOf(null, "192.0.2.9", "198.51.100.4/30", "2001:db8::fe/127", "192.0.2.8");
  expect(addressesOf(table).map(formatAddress)).toEqual([
    ...["192.0.2.9", "198.51.100.4", "198.51.100.5", "198.51.100.6", "198.51.100.7"],
    ...["2001:db8::fe", "2001:db8::ff", "192.0.2.8"],
  ]);
});

test("a prefix no larger than what is drawn is taken whole", () => {
  expect(addressesOf(tableOf(8, "192.0.2.0/30")).map(formatAddress)).toEqual([
    ...["192.0.2.0", "192.0.2.1", "192.0.2.2", "192.0.2.3"],
  ]);
});

test.each(["10.0.0.0/22", "10.0.0.0/8", "2001:db8::/80", "2001:db8::/48", "2001:db8::/45", "::/0"])(
  "addresses drawn from %s are inside, different, and all over",
  (text) => {
    const prefix = parsePrefix(text);
    const addresses = addressesOf(tableOf(500, "192.0.2.1", text)).slice(1);
    expect(prefix !== null && addresses.every((address) => prefixContains(prefix, address))).toBe(true);
    expect(new Set(addresses.map(formatAddress)).size).toBe(500);
    const hostBits = (prefix?.family === 4 ? 32 : 128) - (prefix?.length ?? 0);
    for (let bit = 0; bit < hostBits; bit++) {
      const ones = addresses.filter((address) => (address[15 - (bit >> 3)] ?? 0) & (1 << (bit & 7))).length;
      expect(Math.abs(ones - 250)).toBeLessThan(80);
    }
  },
);

test("two prefixes do not share their draws", () => {
  const hosts = addressesOf(tableOf(50, "10.0.0.0/16", "10.1.0.0/16")).map((address) =>
    address.slice(14).join(),
  );
  expect(hosts.slice(0, 50)).not.toEqual(hosts.slice(50));
});

test("a thousand targets keep their places when the table grows", () => {
  const table = new TargetTable({ perPrefix: 1, seed: 1 });
  for (let i = 0; i < 3000; i++) {
    const prefix = parsePrefix(`10.0.${i >> 8}.${i & 255}`);
    expect(prefix && table.add(prefix)).toBeNull();
  }
  const addresses = addressesOf(table).map(formatAddress);
  expect([addresses[0], addresses[1500], addresses[2999]]).toEqual(["10.0.0.0", "10.0.5.220", "10.0.11.183"]);
});

test("a prefix that is too large to take whole is refused", () => {
  const table = new TargetTable({ perPrefix: null, seed: 1 });
  const [large, small] = [parsePrefix("2001:db8::/103"), parsePrefix("2001:db8::/104")];
  expect(large && table.add(large)).toContain("--per-prefix");
  expect(small && table.add(small)).toBeNull();
  expect([table.count, table.addresses]).toEqual([1, 2 ** 24]);
});
