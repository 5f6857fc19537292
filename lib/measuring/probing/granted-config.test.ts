import { expect, test } from "bun:test";
import * as v from "valibot";
import { parsePrefix } from "../../net/ip/prefix.ts";
import { agentConfigSchema } from "./agent-config.ts";
import { desiredPrefixes, grantedConfig, ungrantedChoice } from "./granted-config.ts";

const claims = (...prefixes: string[]) =>
  v.parse(
    agentConfigSchema,
    prefixes.map((prefix) =>
      prefix.includes(":") ? { src_ipv6_prefix: prefix } : { src_ipv4_prefix: prefix },
    ),
  );
const granted = (claimed: string[], grants: string[]) => {
  const { config, pending } = grantedConfig(
    claims(...claimed),
    grants.flatMap((text) => parsePrefix(text) ?? []),
  );
  return {
    prefixes: config.map(({ src_ipv4_prefix, src_ipv6_prefix }) => src_ipv4_prefix ?? src_ipv6_prefix),
    pending,
  };
};

test.each([
  ["what is granted stays as it was written", ["2001:db8::1/48"], ["2001:db8::/32"], ["2001:db8::1/48"], []],
  ["without a grant nothing is left", ["192.0.2.0/24"], [], [null], ["192.0.2.0/24"]],
  [
    "the world is not granted",
    ["0.0.0.0/0", "::/0"],
    ["192.0.2.0/24"],
    ["192.0.2.0/24", null],
    ["0.0.0.0/0", "::/0"],
  ],
  ["::/0 holds no IPv4 address", ["192.0.2.0/24"], ["::/0"], [null], ["192.0.2.0/24"]],
  [
    "of a claim around a grant the grant is left",
    ["2001:db8::/32"],
    ["2001:db8:7::/48"],
    ["2001:db8:7::/48"],
    ["2001:db8::/32"],
  ],
  ["a neighbouring prefix is not granted", ["192.0.3.0/24"], ["192.0.2.0/24"], [null], ["192.0.3.0/24"]],
  [
    "a claim that several instances have is pending once",
    ["192.0.3.1/24", "192.0.3.0/24"],
    [],
    [null, null],
    ["192.0.3.0/24"],
  ],
])("%s", (_, claimed, grants, prefixes, pending) => {
  expect(granted(claimed, grants)).toEqual({ prefixes, pending });
});

test("what an operator wants an instance to send from is granted with it", () => {
  const desired = { main: { src_ipv6_prefix: "2001:db8:7::/48", src_ipv4_prefix: null }, other: {} };
  expect(desiredPrefixes(desired).map(({ length }) => length)).toEqual([48]);
});

test("an agent chooses from the first prefix of a family: that has to be granted in whole", () => {
  const claimed = claims("192.0.2.0/24", "2001:db8::/32");
  expect(ungrantedChoice(claimed, claimed)).toBeNull();
  expect(ungrantedChoice(claimed, claims("192.0.2.0/24", "2001:db8:7::/48"))).toBe("2001:db8::/32");
  expect(ungrantedChoice(claims("10.0.0.0/8", "10.0.0.0/8"), claims())).toBe("10.0.0.0/8");
  expect(ungrantedChoice(claims(), claims())).toBeNull();
});
