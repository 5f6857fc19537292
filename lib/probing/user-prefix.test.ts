import { expect, test } from "bun:test";
import { formatPrefix, parsePrefix } from "../ip/prefix.ts";
import { preferredUserId, userIdMax, userIdMin, userIdOf } from "./user-id.ts";
import { userPrefix } from "./user-prefix.ts";

const testUserHash = "c95b3f800751698e8f935156112885cc49789e687a3bca5def774fcf96f96ea4";

test.each([
  [testUserHash, 0xc95b3f80],
  ["000003e7", 1000 + 999],
  ["000003e8", 1000],
  ["ffffff00", 0xffffff00],
  ["ffffff01", 1000 + (0xffffff01 % (0xffffff00 - 1000))],
])("hash %s prefers number %d", (hash, id) => {
  expect(preferredUserId(hash.padEnd(64, "0"))).toBe(id);
});

test("random bits give every number that users may have, and no other", () => {
  expect([userIdOf(0), userIdOf(userIdMax - userIdMin)]).toEqual([userIdMin, userIdMax]);
  expect(userIdOf(userIdMax - userIdMin + 1)).toBe(userIdMin);
});

test.each<[string, number, string | null]>([
  ["2001:db8:1234::/48", 0xc95b3f80, "2001:db8:1234:c95b:3f80::/80"],
  ["2001:db8::/64", 0xc95b3f80, "2001:db8::c95b:3f80:0:0/96"],
  ["2001:db8:0:8000::/49", 0xffffff00, "2001:db8:0:ffff:ff80::/81"],
  ["2001:db8::/96", 1000, "2001:db8::3e8/128"],
  ["2001:db8::/97", 1000, null],
  ["192.0.2.0/24", 1000, null],
])("in %s user %d has %s", (agentPrefix, userId, expected) => {
  const prefix = parsePrefix(agentPrefix);
  const own = prefix && userPrefix(prefix, userId);
  expect(own && formatPrefix(own)).toBe(expected);
});
