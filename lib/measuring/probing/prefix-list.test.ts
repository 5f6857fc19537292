import { expect, test } from "bun:test";
import { address } from "../../net/ip/address.ts";
import { formatPrefix } from "../../net/ip/prefix.ts";
import { readPrefixList } from "./prefix-list.ts";
import { PrefixSet } from "./prefix-set.ts";
import { reservedRanges } from "./reserved-ranges.ts";

test("prefixes and addresses are read, comments and blank lines are not", () => {
  const result = readPrefixList("# asked for\n192.0.2.0/24 # by its owner\r\n\n  2001:db8::1\n");
  expect(result.ok && result.prefixes.map(formatPrefix)).toEqual(["192.0.2.0/24", "2001:db8::1/128"]);
});

test("an empty file is an empty list", () => {
  expect(readPrefixList("")).toEqual({ ok: true, prefixes: [] });
});

test("bad lines are named with their numbers, the first five of them", () => {
  const result = readPrefixList(["192.0.2.1/24", "10.0.0.0/8", ...Array(9).fill("what, this?")].join("\n"));
  expect(result.ok).toBe(false);
  expect(!result.ok && result.problems).toHaveLength(5);
  expect(!result.ok && result.problems[0]).toBe('line 1: "192.0.2.1/24" is not a prefix, or has host bits');
  expect(!result.ok && result.problems[1]).toStartWith("line 3: ");
});

const reserved = new PrefixSet(reservedRanges.map(({ prefix }) => prefix));

test.each([
  ...[
    "0.0.0.1",
    "10.255.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "169.254.169.254",
    "172.31.255.255",
    "192.0.0.9",
  ],
  ...[
    "192.0.2.1",
    "192.168.1.1",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.1",
    "224.0.0.1",
    "255.255.255.255",
  ],
  ...[
    "::",
    "::1",
    "64:ff9b::a00:1",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:2::1",
    "2001:db8::1",
    "3fff::1",
  ],
  ...["5f00::1", "fc00::1", "fdff::1", "fe80::1", "fec0::1", "ff02::1"],
])("%s is reserved", (text) => {
  expect(reserved.match(address(text))).not.toBeNull();
});

test.each([
  ...["1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.0.1", "172.32.0.1"],
  ...[
    "192.0.1.1",
    "198.17.0.1",
    "198.20.0.1",
    "223.255.255.255",
    "2001:4860::8888",
    "2001:7f8::1",
    "2a00::1",
  ],
])("%s is not", (text) => {
  expect(reserved.match(address(text))).toBeNull();
});
