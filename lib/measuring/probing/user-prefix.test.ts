import { expect, test } from "bun:test";
import { formatPrefix, parsePrefix } from "../../net/ip/prefix.ts";
import { userIdMax, userIdMin, userIdOf } from "./user-id.ts";
import { userPrefix } from "./user-prefix.ts";

test("random bits give the numbers that users may have, each as often as another, and no other", () => {
  expect([userIdOf(userIdMin), userIdOf(userIdMax)]).toEqual([userIdMin, userIdMax]);
  expect([0, userIdMin - 1, userIdMax + 1, 0xffff_ffff].map(userIdOf)).toEqual([null, null, null, null]);
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
