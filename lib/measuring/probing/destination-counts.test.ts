import { expect, test } from "bun:test";
import fc from "fast-check";
import { address, mapped } from "../../net/ip/address.ts";
import { DestinationCounts, networkOf } from "./destination-counts.ts";

const net = (text: string) => networkOf(address(text));

test("addresses of one /24, or one /48, count as one destination", () => {
  const counts = new DestinationCounts();
  counts.add(net("192.0.2.1"));
  expect(counts.add(net("192.0.2.255"))).toBe(2);
  expect(counts.add(net("192.0.3.1"))).toBe(1);
  counts.add(net("2001:db8:1::1"));
  expect(counts.add(net("2001:db8:1:ffff::1"))).toBe(2);
  expect(counts.add(net("2001:db8:2::1"))).toBe(1);
});

test("an IPv4 network is not taken for an IPv6 one with the same bits", () => {
  const counts = new DestinationCounts();
  counts.add(net("1.2.3.4"));
  expect(counts.add(net("0:1:203::1"))).toBe(1);
  expect(counts.add(net("::102:3:0:0:0:1"))).toBe(1);
});

test("counts that were added as a whole can be removed again", () => {
  const [day, own] = [new DestinationCounts(), new DestinationCounts()];
  day.add(net("192.0.2.1"), 10);
  own.add(net("192.0.2.1"), 5);
  own.add(net("198.51.100.1"), 12);
  expect(day.peakWith(own, 2)).toBe(24);
  day.addAll(own, 2);
  expect(day.count(net("192.0.2.9"))).toBe(20);
  day.addAll(own, -2);
  expect(day.count(net("192.0.2.9"))).toBe(10);
});

test("the peak leaves out networks that are busy already and get nothing more", () => {
  const [day, own] = [new DestinationCounts(), new DestinationCounts()];
  day.add(net("203.0.113.1"), 1000);
  own.add(net("192.0.2.1"), 3);
  expect(day.peakWith(own, 1)).toBe(3);
});

const networks = fc.array(fc.integer({ min: 0, max: 0xffffff }), { minLength: 1, maxLength: 2000 });

test("counts are never too small, and seldom too large", () => {
  const property = fc.property(networks, (drawn) => {
    const counts = new DestinationCounts();
    const plain = new Map<number, number>();
    for (const network of drawn) {
      counts.add(networkOf(mapped([network >> 16, network >> 8, network, 1].map((byte) => byte & 0xff))));
      plain.set(network, (plain.get(network) ?? 0) + 1);
    }
    const errors = [...plain].map(([network, count]) => {
      const bytes = [network >> 16, network >> 8, network, 2].map((byte) => byte & 0xff);
      return counts.count(networkOf(mapped(bytes))) - count;
    });
    expect(Math.min(...errors)).toBe(0);
    expect(errors.filter((error) => error > 0).length).toBeLessThanOrEqual(0.05 * drawn.length + 1);
  });
  fc.assert(property, { numRuns: 50 });
});
