import { expect, test } from "bun:test";
import { address, familyOf, formatAddress, parseAddress } from "./address.ts";

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["0.0.0.0", "0.0.0.0"],
  ["2001:DB8:0:0::1", "2001:db8::1"],
  ["::", "::"],
])("%s is read, and written as %s", (text, expected) => {
  expect(formatAddress(address(text))).toBe(expected);
});

test.each([
  "",
  "192.0.2",
  "192.0.2.256",
  "0xc0.0.2.1",
  "3221225985",
  "::ffff:192.0.2.1",
  "fe80::1%eth0",
  "2001:db8",
  "x",
])("%p is not an address", (text) => {
  expect(parseAddress(text)).toBeNull();
});

test("an address with an IPv4 part is mapped only where it says so", () => {
  expect([...address("::192.0.2.1")]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 192, 0, 2, 1]);
  expect([familyOf(address("::192.0.2.1")), parseAddress("::ffff:192.0.2.1")]).toEqual([6, null]);
});

test("both families are 16 bytes, IPv4 mapped", () => {
  expect([...address("192.0.2.1")]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 192, 0, 2, 1]);
  expect([familyOf(address("192.0.2.1")), familyOf(address("2001:db8::1"))]).toEqual([4, 6]);
});
