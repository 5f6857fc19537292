import { expect, test } from "bun:test";
import { noAttributes } from "../../../../lib/net/bgp/path-attributes.ts";
import { address } from "../../../../lib/net/ip/address.ts";
import { formatPrefix, type Prefix, prefixContains, prefixOf } from "../../../../lib/net/ip/prefix.ts";
import { type Change, type RouteFilter, wants } from "./route-filter.ts";

const [router, peer] = [address("192.0.2.1"), address("192.0.2.9")];
const any: RouteFilter = { prefix: null, more: false, less: false, router: null, peer: null };

function announced(prefix: Prefix | null): Change {
  const from = { table: "in" as const, address: peer, asn: 64_500, routerId: null };
  const route = prefix && { prefix, pathId: null };
  const kind = route === null ? "peer-down" : "announce";
  const event = { timeUs: null, peer: from, kind, family: null, route, attributes: noAttributes() } as const;
  return { kind: "event", received: { router, event, isSynthetic: false, receivedUs: 1n } };
}

const lengths4 = [0, 1, 7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 32];
const prefixes = [
  ...["198.51.100.0", "198.51.101.129", "203.0.113.7"].flatMap((text) =>
    lengths4.map((length) => prefixOf(address(text), length)),
  ),
  ...["2001:db8:51::1", "2001:db8:8051::2", "::c633:6400"].flatMap((text) =>
    [0, 1, 32, 33, 47, 48, 49, 96, 127, 128].map((length) => prefixOf(address(text), length)),
  ),
];

test("prefixes are let through as the plain definition of longer and shorter ones says", () => {
  for (const prefix of prefixes) {
    for (const other of prefixes) {
      const isSame = formatPrefix(prefix) === formatPrefix(other);
      const isMore = other.length > prefix.length && prefixContains(prefix, other.base);
      const isLess = other.length < prefix.length && prefixContains(other, prefix.base);
      for (const [more, less] of [
        [false, false],
        [true, false],
        [false, true],
        [true, true],
      ] as const) {
        expect(wants({ ...any, prefix, more, less }, announced(other))).toBe(
          isSame || (more && isMore) || (less && isLess),
        );
      }
    }
  }
});

test("sessions go by router and peer, whatever the prefix; a gap by its router", () => {
  const [prefix] = prefixes;
  const filter = { ...any, prefix: prefix ?? null };
  const other = address("192.0.2.8");
  expect(wants(filter, announced(null))).toBe(true);
  expect(wants({ ...filter, router, peer }, announced(null))).toBe(true);
  expect(wants({ ...filter, peer: other }, announced(null))).toBe(false);
  expect(wants({ ...any, router: other }, announced(prefixes[3] ?? null))).toBe(false);
  const gap = { fromUs: 1n, toUs: null, reason: "" };
  expect(wants({ ...any, router }, { kind: "gap", gap: { ...gap, router } })).toBe(true);
  expect(wants({ ...any, router: other }, { kind: "gap", gap: { ...gap, router } })).toBe(false);
  expect(wants({ ...any, router: other }, { kind: "gap", gap: { ...gap, router: null } })).toBe(true);
});
