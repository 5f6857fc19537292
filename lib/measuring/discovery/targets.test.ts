import { describe, expect, test } from "bun:test";
import { type AddressRange, aliasTargets, ipv6Targets, judgeAlias, subnetsOf } from "./targets.ts";

const documentation: AddressRange = { bits: 128, first: 0x20010db8n << 96n, length: 32 };

describe("subnets", () => {
  test("a /22 of IPv4 is four /24s, a /28 is itself", () => {
    const first = 0xc6336400n;
    const subnets = [...subnetsOf({ bits: 32, first, length: 22 })];
    expect(subnets.map((subnet) => subnet.first - first)).toEqual([0n, 256n, 512n, 768n]);
    expect([...subnetsOf({ bits: 32, first, length: 28 })]).toEqual([{ bits: 32, first, length: 28 }]);
  });

  test("an IPv6 prefix by a given length, one at a time however many there are", () => {
    expect([...subnetsOf(documentation, 36)].length).toBe(16);
    const second = subnetsOf(documentation).drop(1).next().value;
    expect(second).toEqual({ bits: 128, first: documentation.first + (1n << 64n), length: 64 });
  });

  test.each([
    [{ bits: 32, first: 1n, length: 24 }, 24, "host bits"],
    [{ bits: 32, first: 0n, length: 33 }, 24, "length is 33"],
    [{ bits: 32, first: 0n, length: 8 }, 64, "length is 64"],
  ] as const)("%p into /%p is refused", (prefix, length, message) => {
    expect(() => [...subnetsOf(prefix, length)]).toThrow(message);
  });
});

test("IPv6 targets: ::1, low bytes, or random ones, each once and inside of the subnet", () => {
  const subnet = { ...documentation, length: 64 };
  expect(ipv6Targets(subnet, "one", 9, 1)).toEqual([subnet.first + 1n]);
  expect(ipv6Targets(subnet, "low-bytes", 3, 1)).toEqual([1n, 2n, 3n].map((low) => subnet.first + low));
  const random = ipv6Targets(subnet, "random", 50, 1);
  expect(new Set(random).size).toBe(50);
  expect(random.every((address) => address >> 64n === subnet.first >> 64n)).toBe(true);
  expect(ipv6Targets(subnet, "random", 50, 1)).toEqual(random);
  expect(ipv6Targets(subnet, "random", 50, 2)).not.toEqual(random);
  expect(ipv6Targets({ ...subnet, length: 126 }, "random", 50, 1).length).toBe(4);
});

test("an aliased prefix answers in each of its sixteen parts", () => {
  const targets = aliasTargets(documentation, 1);
  expect(targets.map((address) => (address >> 92n) & 15n)).toEqual(
    targets.map((_, nibble) => BigInt(nibble)),
  );
  expect(targets.every((address) => address >> 96n === 0x20010db8n)).toBe(true);
  const [yes, once, thrice] = [
    { asked: 1, hasAnswered: true },
    { asked: 1, hasAnswered: false },
    { asked: 3, hasAnswered: false },
  ];
  const all = targets.map(() => yes);
  expect(judgeAlias(all)).toBe("aliased");
  expect(judgeAlias(all.with(3, once))).toBe("open");
  expect(judgeAlias(all.with(3, thrice))).toBe("not-aliased");
  expect(() => aliasTargets({ ...documentation, length: 125 }, 1)).toThrow("/124");
});
