import { expect, test } from "bun:test";
import { address } from "./address.ts";
import { formatPrefix, parsePrefix, prefixContains, prefixOf } from "./prefix.ts";

const contains = (prefix: string, text: string) => {
  const parsed = parsePrefix(prefix);
  return parsed !== null && prefixContains(parsed, address(text));
};

test.each(["192.0.2.0/24", "0.0.0.0/0", "2001:db8::/32", "::/0", "2001:db8::1/128"])(
  "%s is read and written",
  (text) => {
    const prefix = parsePrefix(text);
    expect(prefix && formatPrefix(prefix)).toBe(text);
  },
);

test("a bare address is a host prefix", () => {
  const lengths = ["192.0.2.7", "2001:db8::7"].map((text) => parsePrefix(text)?.length);
  expect(lengths).toEqual([32, 128]);
});

test.each([
  "192.0.2.1/24",
  "192.0.2.0/33",
  "192.0.2.0/-1",
  "192.0.2.0/",
  "2001:db8::1/32",
  "::/129",
  "::/1e1",
  "x/8",
])("%s is refused", (text) => {
  expect(parsePrefix(text)).toBeNull();
});

test("a prefix holds its own addresses, and none of the other family", () => {
  expect(contains("192.0.2.0/25", "192.0.2.127")).toBe(true);
  expect(contains("192.0.2.0/25", "192.0.2.128")).toBe(false);
  expect(contains("2001:db8::/33", "2001:db8:7fff::1")).toBe(true);
  expect(contains("2001:db8::/33", "2001:db8:8000::1")).toBe(false);
  expect(contains("::/0", "192.0.2.1")).toBe(false);
  expect(contains("0.0.0.0/0", "::1")).toBe(false);
});

test("host bits are cut to the length asked for", () => {
  expect(formatPrefix(prefixOf(address("192.0.2.77"), 26))).toBe("192.0.2.64/26");
  expect(formatPrefix(prefixOf(address("2001:db8:1:2::3"), 48))).toBe("2001:db8:1::/48");
});
