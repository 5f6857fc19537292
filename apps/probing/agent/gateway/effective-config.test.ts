import { expect, test } from "bun:test";
import { formatPrefix, parsePrefix } from "../../../../lib/net/ip/prefix.ts";
import type { Instance } from "../instances.ts";
import { effectiveConfig } from "./effective-config.ts";

function instance(name: string, ...prefixes: string[]): Instance {
  return {
    name,
    instanceId: 0,
    interfaceName: "eth0",
    prefixes: prefixes.flatMap((text) => parsePrefix(text) ?? []),
    rateProbesPerSec: 100,
    pacing: "sleep",
    backEnd: "packet",
    batchProbesMax: 100,
    packets: 1,
    minTtl: 1,
    maxTtl: 255,
    dryRun: false,
  };
}

const file = [instance("any", "192.0.2.0/24", "2001:db8::/48"), instance("uni", "198.51.100.0/24")];

function inForce(desired: Record<string, Record<string, unknown>>) {
  const { instances, refused } = effectiveConfig(file, desired);
  return {
    refused,
    instances: instances.map(({ rateProbesPerSec, prefixes, isPaused }) => [
      rateProbesPerSec,
      prefixes.map(formatPrefix).join(" "),
      isPaused,
    ]),
  };
}

test("without changes at the gateway, the file applies", () => {
  expect(inForce({})).toEqual({
    refused: [],
    instances: [
      [100, "192.0.2.0/24 2001:db8::/48", false],
      [100, "198.51.100.0/24", false],
    ],
  });
});

test("a change at the gateway applies to the key and instance that it names", () => {
  const { instances, refused } = inForce({
    any: { probing_rate: 7, src_ipv6_prefix: "2001:db8:1::/48" },
    uni: { src_ipv4_prefix: null, paused: true },
  });
  expect(refused).toEqual([]);
  expect(instances).toEqual([
    [7, "192.0.2.0/24 2001:db8:1::/48", false],
    [100, "", true],
  ]);
});

test.each([
  ["probing_rate", 20_000_001, "must be at most 20000000 packets/s"],
  ["probing_rate", 0, "must be a whole number from 1 to"],
  ["src_ipv4_prefix", "2001:db8::/48", "must be an IPv4 prefix"],
  ["paused", "yes", "Expected boolean"],
  ["interface", "eth1", "this version of the agent does not support it"],
])("%s = %p is refused with the reason, and hides no other change", (key, value, reason) => {
  const { instances, refused } = inForce({ any: { [key]: value }, uni: { probing_rate: 9 } });
  expect(refused).toEqual([{ instance: "any", key, reason: expect.stringContaining(reason) }]);
  expect(instances).toEqual([
    [100, "192.0.2.0/24 2001:db8::/48", false],
    [9, "198.51.100.0/24", false],
  ]);
});

test("a change of an instance that does not exist is refused", () => {
  expect(inForce({ gone: { probing_rate: 1 } }).refused).toEqual([
    { instance: "gone", key: "name", reason: "this agent has no instance of that name" },
  ]);
});
