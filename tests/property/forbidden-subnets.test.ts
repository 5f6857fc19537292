/** The subnets of a discovery that may be probed are those of which every address may be. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { allowedUnits } from "../../apps/probing/campaigns/discovery/allowed-units.ts";
import { allowedCount, allowedSubnets, leftOut } from "../../apps/probing/campaigns/discovery/left-out.ts";
import { leftOutShownMax } from "../../apps/probing/campaigns/discovery/limits.ts";
import { TargetReader } from "../../apps/probing/campaigns/discovery/target-list.ts";
import { addressOfFlow, subnetOf, UnitTable } from "../../apps/probing/campaigns/discovery/units.ts";
import { Destinations } from "../../apps/probing/gateway/safety/destinations.ts";
import { atOnce } from "../../lib/base/list/steps.ts";
import { formatAddress } from "../../lib/net/ip/address.ts";
import { formatPrefix, parsePrefix, prefixOf } from "../../lib/net/ip/prefix.ts";
import { inTier } from "../run/tier.ts";

const ipv4 = fc
  .tuple(
    fc.constantFrom(8, 9, 10),
    fc.constantFrom(0, 1),
    fc.nat(3),
    fc.nat(255),
    fc.integer({ min: 6, max: 32 }),
  )
  .map(([a, b, c, d, length]) =>
    prefixOf(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, a, b, c, d), length),
  );
const ipv6 = fc
  .tuple(
    fc.constantFrom([0x26, 0x20], [0x20, 0x02]),
    fc.uint8Array({ minLength: 6, maxLength: 6 }),
    fc.integer({ min: 3, max: 64 }),
  )
  .map(([head, tail, length]) =>
    prefixOf(Uint8Array.of(...head, ...tail.map((byte) => byte % 3), 0, 0, 0, 0, 0, 0, 0, 0), length),
  );
const list = fc.array(fc.oneof(ipv4, ipv6), { maxLength: 12 });
const rules = fc.record({
  blockReservedRanges: fc.boolean(),
  blocked: list,
  allowed: fc.option(list),
});

async function tableOf(lines: readonly string[], lengths: { ipv4: number; ipv6: number }) {
  const reader = new TargetReader();
  reader.push(new TextEncoder().encode(lines.join("\n")));
  return await UnitTable.of(atOnce(reader.finish()), lengths);
}

test("of IPv4, one by one", async () => {
  const targets = ["8.0.0.0/22", "9.1.3.0/24", "10.0.0.0/25"];
  const [single, four] = [
    await tableOf(targets, { ipv4: 32, ipv6: 64 }),
    await tableOf(targets, { ipv4: 30, ipv6: 64 }),
  ];
  await fc.assert(
    fc.asyncProperty(rules, async (given) => {
      const destinations = new Destinations(given);
      const allowed = await destinations.ranges();
      for (const table of [single, four]) {
        for (let at = 0; at < table.size; at++) {
          const unit = table.at(at);
          const size = 2 ** (128 - unit.subnetLength);
          const expected = Array.from({ length: unit.subnets }, (_, subnet) => subnet).filter((subnet) =>
            Array.from({ length: size }, (_, flow) => addressOfFlow(unit, { subnet, flow }).dst).every(
              (one) => destinations.refusal(one) === null,
            ),
          );
          expect(allowedSubnets(unit, allowed)).toEqual(expected);
          expect(allowedCount(unit, allowed)).toBe(expected.length);
          expect(leftOut(unit, allowed, 1000)).toHaveLength(unit.subnets - expected.length);
        }
      }
    }),
    { numRuns: inTier({ usual: 15, long: 60 }) },
  );
}, 120_000);

test("an IPv6 subnet that is refused at its first address, or holds a listed prefix, is left out", async () => {
  await fc.assert(
    fc.asyncProperty(rules, ipv6, async (given, target) => {
      const base = prefixOf(target.base, 48);
      const table = await tableOf([formatPrefix(base)], { ipv4: 24, ipv6: 56 });
      const destinations = new Destinations(given);
      const allowed = await destinations.ranges();
      const unit = table.at(0);
      const left = new Set(allowedSubnets(unit, allowed));
      for (let subnet = 0; subnet < unit.subnets; subnet++) {
        const first = subnetOf(unit, subnet);
        const holdsListed = given.blocked.some(
          (one) => formatPrefix(prefixOf(one.base, 56)) === `${formatAddress(first)}/56`,
        );
        if (destinations.refusal(first) !== null || holdsListed) {
          expect([formatAddress(first), left.has(subnet)]).toEqual([formatAddress(first), false]);
        }
      }
    }),
  );
});

test("units that are counted by their entries are those that are read one by one", async () => {
  const tables = [
    await tableOf(["8.0.0.0/14", "9.1.0.0/24", "10.0.0.0/23", "10.1.0.0/20"], { ipv4: 24, ipv6: 64 }),
    await tableOf(["8.0.0.0/20", "9.0.0.7/32", "10.1.3.0/24"], { ipv4: 32, ipv6: 64 }),
    await tableOf(["2620::/44", "2002:100::/40"], { ipv4: 32, ipv6: 56 }),
  ];
  await fc.assert(
    fc.asyncProperty(rules, async (given) => {
      const allowed = await new Destinations(given).ranges();
      for (const table of tables) {
        const units = Array.from({ length: table.size }, (_, at) => table.at(at));
        const sizes = units.map((unit) => allowedCount(unit, allowed));
        const { unitsOfSize, leftOutSubnets, reasons } = atOnce(allowedUnits(table, allowed));
        expect(unitsOfSize).toEqual(
          new Map([...Map.groupBy(sizes, (size) => size)].map(([size, all]) => [size, all.length])),
        );
        expect(leftOutSubnets).toBe(table.subnets - sizes.reduce((sum, size) => sum + size, 0));
        const expected: { subnet: string; reason: string }[] = [];
        for (const unit of units) {
          expected.push(...leftOut(unit, allowed, leftOutShownMax - expected.length));
        }
        expect([...reasons]).toEqual(expected);
      }
    }),
    { numRuns: inTier({ usual: 50, long: 200 }) },
  );
});

test("a subnet across two prefixes of an allowlist may be probed; one with a tunnel to a listed address not", async () => {
  const read = (texts: readonly string[]) => texts.flatMap((text) => parsePrefix(text) ?? []);
  const destinations = new Destinations({
    ...{ blockReservedRanges: true, blocked: read(["8.8.8.0/24"]) },
    allowed: read(["8.0.0.0/25", "8.0.0.128/25", "2002::/16"]),
  });
  const allowed = await destinations.ranges();
  const { size, at } = await tableOf(["8.0.0.0/24", "8.0.1.0/24", "2002:808:800::/40"], {
    ipv4: 24,
    ipv6: 48,
  }).then((table) => ({ size: table.size, at: (index: number) => table.at(index) }));
  expect(size).toBe(3);
  expect([allowedCount(at(0), allowed), allowedCount(at(1), allowed)]).toEqual([1, 0]);
  expect(leftOut(at(1), allowed, 5)).toEqual([
    { subnet: "8.0.1.0/24", reason: "it is not among the destinations that this gateway allows" },
  ]);
  expect(leftOut(at(2), allowed, 1)).toMatchObject([{ subnet: "2002:808:800::/48" }]);
});
