import { expect, test } from "bun:test";
import * as v from "valibot";
import { address } from "../../net/ip/address.ts";
import { formatPrefix } from "../../net/ip/prefix.ts";
import { agentInstanceSchema } from "./agent-config.ts";
import { agentPrefixes, mayUseSource } from "./source-check.ts";

const instances = [
  { name: "any", src_ipv6_prefix: "2001:db8:1::/48", src_ipv4_prefix: "192.0.2.64/26" },
  { name: "uni", src_ipv6_prefix: "2001:db8:2::1/64" },
  { name: "twin", src_ipv6_prefix: "2001:db8:1::/48" },
].map((instance) => v.parse(agentInstanceSchema, instance));

const userId = 0xc95b3f80;

test.each<[string, boolean]>([
  ["2001:db8:1:c95b:3f80::1", true],
  ["2001:db8:2::c95b:3f80:0:1", true],
  // Another user's, the operator's, and one that belongs to no agent.
  ["2001:db8:1:c95b:3f81::1", false],
  ["2001:db8:1::1", false],
  ["2001:db8:9:c95b:3f80::1", false],
  ["192.0.2.64", true],
  ["192.0.2.128", false],
])("source %s: %p", (source, allowed) => {
  expect(mayUseSource(address(source), instances, userId)).toBe(allowed);
});

test("nothing may be used of an agent without prefixes", () => {
  expect(mayUseSource(address("192.0.2.1"), [], userId)).toBe(false);
});

test("a prefix of two instances is one", () => {
  expect(agentPrefixes(instances).map(formatPrefix)).toEqual([
    "192.0.2.64/26",
    "2001:db8:1::/48",
    "2001:db8:2::/64",
  ]);
});
