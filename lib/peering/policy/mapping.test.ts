import { expect, test } from "bun:test";
import { readMappings } from "./mapping.ts";

const pool = { start: 65_000, end: 65_999 };
const user_hash = "a".repeat(64);
const good = { user_hash, asn: 65_000, email: null, prefixes: ["2001:db8:1::/48"] };

function read(...mappings: unknown[]) {
  return readMappings({ mappings }, pool);
}

function reasonOf(entry: unknown) {
  return read(entry)?.excluded[0]?.reason;
}

test.each([[null], [[]], ["x"], [{}], [{ mappings: {} }]])("%j is not an answer of a gateway", (answer) => {
  expect(readMappings(answer, pool)).toBeNull();
});

test("without leases, prefixes count as long as they are listed", () => {
  expect(read(good)?.mappings[0]?.leases).toEqual([
    { prefix: "2001:db8:1::/48", endsAtMs: null, endsHereAtMs: null },
  ]);
});

test("leases count, not prefixes; ends are times with an offset", () => {
  const leases = [
    { prefix: "2001:DB8:2::/48", end_time: "2026-01-01T01:00:00.123456789+01:00" },
    { prefix: "2001:db8:0::/48", end_time: "2026-01-02T00:00:00Z" },
  ];
  expect(read({ ...good, leases })?.mappings[0]?.leases).toEqual([
    { prefix: "2001:db8:2::/48", endsAtMs: Date.UTC(2026, 0, 1, 0, 0, 0, 123), endsHereAtMs: null },
    { prefix: "2001:db8::/48", endsAtMs: Date.UTC(2026, 0, 2), endsHereAtMs: null },
  ]);
});

test.each([
  ["ixp-a", Date.UTC(2026, 0, 1)],
  ["ixp-b", 0],
  ["ixp-c", Date.UTC(2026, 0, 3)],
  [null, null],
])(
  "exchange server %s has the end of its own request, or of the one for all others",
  (server, endsHereAtMs) => {
    const [a, all] = ["2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z"];
    const servers = { "ixp-a": a, "ixp-b": "1970-01-01T00:00:00Z", "*": all };
    const leases = [{ prefix: "2001:db8:1::/48", end_time: all, servers }];
    const answer = { mappings: [{ ...good, leases }] };
    expect(readMappings(answer, pool, server)?.mappings[0]?.leases).toEqual([
      { prefix: "2001:db8:1::/48", endsAtMs: Date.UTC(2026, 0, 3), endsHereAtMs },
    ]);
    const bad = {
      mappings: [
        { ...good, leases: [{ prefix: "2001:db8:1::/48", end_time: all, servers: { "*": "soon" } }] },
      ],
    };
    expect(readMappings(bad, pool, "ixp-a")?.excluded[0]?.reason).toBe("badEndTime");
  },
);

test("when a lease has two ends, the earlier one counts", () => {
  const ends = ["2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z"];
  const leases = ends.map((end_time) => ({ prefix: "2001:db8:1::/48", end_time }));
  expect(read({ ...good, leases })?.mappings[0]?.leases).toEqual([
    { prefix: "2001:db8:1::/48", endsAtMs: Date.UTC(2026, 0, 1), endsHereAtMs: null },
  ]);
});

test.each([
  [{ asn: 64_999 }, "badAsn"],
  [{ asn: 66_000 }, "badAsn"],
  [{ asn: 65_000.5 }, "badAsn"],
  [{ asn: "65000" }, "badAsn"],
  [{ asn: null }, "noAsn"],
  [{ prefixes: ["2001:db8:1::/47"] }, "badPrefix"],
  [{ prefixes: ["2001:db8:1::/49"] }, "badPrefix"],
  [{ prefixes: ["2001:db8:1::1/48"] }, "badPrefix"],
  [{ prefixes: ["2001:db8:1::"] }, "badPrefix"],
  [{ prefixes: ["10.0.0.0/8"] }, "badPrefix"],
  [{ leases: [{ prefix: "2001:db8:1::/48", end_time: "tomorrow" }] }, "badEndTime"],
  [{ leases: [{ prefix: "2001:db8:1::/48", end_time: "2026-01-01T00:00:00" }] }, "badEndTime"],
  [{ leases: [{ prefix: "2001:db8:1::/48", end_time: "2026-13-01T00:00:00Z" }] }, "badEndTime"],
  [{ leases: [{ prefix: "2001:db8:1::/48" }] }, "badMapping"],
  [{ leases: "none" }, "badMapping"],
  [{ prefixes: "2001:db8:1::/48" }, "badMapping"],
  [{ user_hash: "A".repeat(64) }, "badMapping"],
] as const)("%j excludes the user: %s", (parts, reason) => {
  expect(reasonOf({ ...good, ...parts })).toBe(reason);
});

test("65 leases are too many", () => {
  expect(reasonOf({ ...good, prefixes: Array(65).fill("2001:db8:1::/48") })).toBe("tooManyLeases");
});

test("an entry that cannot be read leaves the others in", () => {
  const result = read(7, good, { ...good, user_hash: "b".repeat(64), asn: "x" });
  expect(result?.mappings.map(({ userHash }) => userHash)).toEqual([user_hash]);
  expect(result?.excluded.map(({ userHash, reason }) => [userHash, reason])).toEqual([
    [null, "badMapping"],
    ["b".repeat(64), "badAsn"],
  ]);
});
