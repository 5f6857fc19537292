import { expect, test } from "bun:test";
import { ConfigError } from "../../../lib/engines/config/config-error.ts";
import { readUser } from "./user-environment.ts";

const good = { USER_ASN: "65001" };

function reasonsOf(environment: Record<string, string>): string[] {
  try {
    readUser(environment);
    return [];
  } catch (error) {
    return error instanceof ConfigError
      ? error.problems.map(({ place, reason }) => `${place}: ${reason}`)
      : [];
  }
}

test.each([
  ["nothing", undefined, []],
  ["blank", "  ", []],
  ["none", "none", []],
  ["one", "2001:db8:1::/48", ["2001:db8:1::/48"]],
  ["a list, sorted", " 2001:db8:2::/48 , 2001:db8:1::/48", ["2001:db8:1::/48", "2001:db8:2::/48"]],
])("USER_PREFIXES with %s is read", (_name, text, prefixes) => {
  const environment = text === undefined ? good : { ...good, USER_PREFIXES: text };
  expect(readUser(environment)).toEqual({ asn: 65_001, prefixes });
});

test.each([
  ["AS65001", "is not an ASN"],
  ["0", "is not an ASN"],
  ["065001", "is not an ASN"],
  ["4294967295", "is not an ASN"],
  ["65001; protocol bgp x {}", "is not an ASN"],
  ["6.5e4", "is not an ASN"],
  ["65001\n", ""],
])("USER_ASN %j: %s", (text, reason) => {
  const reasons = reasonsOf({ USER_ASN: text });
  expect(reasons.length).toBe(reason === "" ? 0 : 1);
  expect(reasons.join()).toContain(reason);
});

test.each([
  ["2001:db8:1::/47", "is not a prefix without host bits"],
  ["2001:db8::/32", "is not an IPv6 /48"],
  ["2001:db8:1::/49", "is not an IPv6 /48"],
  ["192.0.2.0/24", "is not an IPv6 /48"],
  ["2001:db8:1::1/48", "is not a prefix without host bits"],
  ["2001:DB8:1::/48", "write 2001:db8:1::/48"],
  ["2001:db8:0001::/48", "write 2001:db8:1::/48"],
  ["fd00:1:2::/48", "outside 2000::/3"],
  ["2001:db8:1::/48,", "the extra comma"],
  ["2001:db8:1::/48,2001:db8:1::/48", "is there twice"],
  ["2001:db8:1::/48 accept;", "is not a prefix"],
  ["2001:db8:1::/48]\n{}", "is not a prefix"],
  ["x".repeat(5000), "is longer than 4096"],
  [Array.from({ length: 65 }, (_, n) => `2001:db8:${n + 1}::/48`).join(","), "give at most 64"],
])("USER_PREFIXES %j is refused: %s", (text, reason) => {
  expect(reasonsOf({ ...good, USER_PREFIXES: text })).toEqual([
    expect.stringContaining(`environment USER_PREFIXES: `),
  ]);
  expect(reasonsOf({ ...good, USER_PREFIXES: text }).join()).toContain(reason);
});

test("what is not set, or empty, is left to the gateway; with an ASN alone nothing is announced", () => {
  expect(readUser({})).toEqual({ asn: null, prefixes: null });
  expect(readUser({ USER_ASN: "", USER_PREFIXES: " " })).toEqual({ asn: null, prefixes: null });
  expect(readUser({ USER_PREFIXES: "none" })).toEqual({ asn: null, prefixes: [] });
  expect(readUser({ ...good, USER_PREFIXES: "" })).toEqual({ asn: 65_001, prefixes: [] });
});

test("every mistake is reported at once, and values are shown without terminal control characters", () => {
  const reasons = reasonsOf({ USER_ASN: "x", USER_PREFIXES: "\u001b[31m,2001:db8::/32" });
  expect(reasons.length).toBe(3);
  expect(reasons.join()).not.toContain("\u001b");
});
