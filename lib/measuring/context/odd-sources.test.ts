/** What is passed over in data files: other tables, unused rows, damaged records; and whose votes count. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { made } from "../../../tests/contract/context/made-set.ts";
import { type RibRoute, ribDump } from "../../../tests/contract/context/mrt-dump.ts";
import { address } from "../../net/ip/address.ts";
import { parsePrefix } from "../../net/ip/prefix.ts";

const api = (...data: readonly object[]) => ({ meta: { generated: 1 }, data });
const ok = { status: "ok" };
const ix = {
  ...{ ...ok, id: 1, org_id: 2, name: "Example-IX", name_long: "", city: "Oslo", country: "NO" },
  region_continent: "Europe",
};
const ixlan = { ...ok, id: 1, ix_id: 1, name: "", mtu: 9000 };
const ixpfx = { ...ok, id: 2, ixlan_id: 1, protocol: "IPv4", prefix: "198.51.100.0/24", in_dfz: false };
const member = (asn: number, last: number, status = "ok") => ({
  ...{ id: asn, net_id: 20, ix_id: 1, name: "Example-IX", ixlan_id: 1, speed: 1000, asn, status },
  ...{ ipaddr4: `198.51.100.${last}`, ipaddr6: null, is_rs_peer: false, operational: true },
});
const tables = [api(ix), api(ixlan), api(ixpfx)];

test.each([
  ["org", { id: 1, name: "Holding", city: "Denver", country: "US" }],
  ["org", { id: 1, name: "Holding", name_long: "", address1: "1 Street", city: "Denver", country: "US" }],
  ["fac", { id: 1, org_id: 2, org_name: "Colo", name: "Colo 1", city: "Oslo", country: "NO" }],
  [
    "fac",
    { ...{ id: 1, org_id: 2, org_name: "Colo", name: "Colo 1", clli: "" }, city: "Oslo", country: "NO" },
  ],
  ["ixfac", { id: 1, name: "Colo 1", city: "Oslo", country: "NO", ix_id: 1, fac_id: 1 }],
  [
    "netfac",
    { ...{ id: 1, name: "Colo 1", city: "Oslo", country: "NO" }, net_id: 1, fac_id: 1, local_asn: 7 },
  ],
  ["poc", { id: 1, net_id: 1, role: "NOC", visible: "Public", name: "", email: "" }],
  ["carrier", { id: 1, org_id: 2, org_name: "Colo", name: "Wire", aka: "" }],
  ["carrierfac", { id: 1, name: "Colo 1", carrier_id: 1, fac_id: 1 }],
  [
    "campus",
    { ...{ id: 1, org_id: 2, org_name: "Colo", name: "Park" }, city: "Oslo", country: "NO", fac_set: [1] },
  ],
])("the table %s of PeeringDB is passed over by name", async (name, row) => {
  const alone = await made(...tables, api({ ...row, ...ok }));
  const reason = `1 skipped: table ${name} of PeeringDB, which is not used`;
  expect(alone.lines).toEqual([`${reason} (first: file3, data)`]);
  expect([alone.counts, alone.hasDamage]).toEqual([[1, 1, 1, 0], false]);
  expect(alone.set.lookup(address("198.51.100.9")).exchange).toMatchObject({ name: "Example-IX" });
  const together = await made({
    ix: tables[0],
    ixlan: tables[1],
    ixpfx: tables[2],
    [name]: api({ ...row, ...ok }),
  });
  expect(together.lines).toEqual([`${reason} (first: file0, ${name}.data)`]);
});

test("tables of unknown names beside known ones are passed over by name", async () => {
  const { lines, counts, hasDamage } = await made({ ix: tables[0], later: api({ id: 1 }), api: "x" });
  expect([counts, hasDamage]).toEqual([[1], false]);
  expect(lines).toEqual([
    "1 skipped: table later of PeeringDB, which is not used (first: file0, later.data)",
  ]);
});

test("rows that are deleted or pending are left out, and counted by status", async () => {
  const rows = [
    member(1299, 10),
    member(174, 10, "deleted"),
    member(7, 11, "pending"),
    member(8, 12, "deleted"),
  ];
  const { set, lines, counts, hasDamage } = await made(...tables, api(...rows));
  expect(set.lookup(address("198.51.100.10")).asn).toBe(1299);
  expect(set.lookup(address("198.51.100.11")).asn).toBeNull();
  expect([counts[3], hasDamage, lines]).toEqual([
    1,
    false,
    [
      '2 left out: row of netixlan with the status "deleted" (first: file3, data[1])',
      '1 left out: row of netixlan with the status "pending" (first: file3, data[2])',
    ],
  ]);
});

test("an empty list has no rows; a row that cannot be read costs itself alone", async () => {
  expect((await made(api())).counts).toEqual([0]);
  expect((await made({ ix: api(), netixlan: api() })).counts).toEqual([0]);
  const { set, counts, hasDamage, lines } = await made(...tables, api({ id: 1 }, member(8, 10)));
  expect([counts[3], hasDamage, lines.length]).toEqual([1, true, 1]);
  expect(lines[0]).toStartWith("1 skipped: row of netixlan that cannot be read (first: file3, data[0]: ");
  expect(set.lookup(address("198.51.100.10")).asn).toBe(8);
});

function route(text: string, ...paths: readonly (readonly [peer: number, origin: number])[]): RibRoute {
  const prefix = parsePrefix(text);
  if (prefix === null) {
    throw new TypeError(text);
  }
  return { prefix, paths: paths.map(([peer, asn]) => ({ peer, segments: [[2, [asn]]] })) };
}

test("a dump of a real BIRD: its two tables have the same two peers, and the index lists itself", async () => {
  const file = join(
    import.meta.dirname,
    "../../../tests/contract/context/captured/bird-2.0.12-two-sessions.mrt",
  );
  const { set, counts } = await made(await Bun.file(file).bytes());
  expect(counts).toEqual([3]);
  const found = ["8.8.8.8", "8.8.4.4", "2001:4860::1"].map((text) => set.lookup(address(text)).asn);
  expect(found).toEqual([15_169, 15_169, 15_169]);
});

test("peers count when they occur, also in several indexes; without them a leak is left out", async () => {
  // The index lists nine, of which two have routes.
  const two = await made(ribDump(9, [route("192.0.2.0/24", [0, 7], [4, 7])]));
  expect(two.set.lookup(address("192.0.2.1")).asn).toBe(7);
  const routes = [route("192.0.2.0/24", [0, 7], [1, 7]), route("198.51.100.0/24", [0, 8], [1, 8], [2, 8])];
  const three = await made(ribDump(9, routes));
  expect(three.set.lookup(address("192.0.2.1")).asn).toBeNull();
  expect(three.set.lookup(address("198.51.100.1")).asn).toBe(8);
});

test("add-path: one vote for each peer, also where its paths do not lie side by side", async () => {
  const paths = [
    [0, 1],
    [1, 2],
    [0, 3],
    [2, 2],
    [0, 3],
    [0, 3],
  ] as const;
  const { set } = await made(ribDump(3, [route("192.0.2.0/24", ...paths)], true));
  const { asn, otherAsns } = set.lookup(address("192.0.2.1"));
  expect([asn, ...otherAsns]).toEqual([2, 1]);
});

test("a RIB entry that cannot be read costs itself; the peers beside it count", async () => {
  const routes = [
    route("192.0.2.0/24", [0, 7], [1, 7], [2, 7]),
    route("198.51.100.0/24", [0, 8], [1, 8], [2, 8]),
  ];
  const dump = Buffer.from(ribDump(3, routes));
  // The length of the first AS_PATH.
  const at = dump.indexOf(Buffer.from([0x50, 2, 0, 6]));
  dump[at + 3] = 200;
  const { set, lines, hasDamage } = await made(dump);
  expect(hasDamage).toBe(true);
  expect(lines[0]).toMatch(
    /^1 skipped: entry of a RIB record that cannot be read \(first: file0, byte \d+: /,
  );
  expect(set.lookup(address("198.51.100.1")).asn).toBe(8);
  // Two of three peers: too few.
  expect(set.lookup(address("192.0.2.1")).asn).toBeNull();
});

test("a RIB entry of a peer that the index does not have costs itself", async () => {
  const routes = [
    route("192.0.2.0/24", [0, 7], [1, 7], [9, 7]),
    route("198.51.100.0/24", [0, 8], [1, 8], [2, 8]),
  ];
  const { set, lines, hasDamage } = await made(ribDump(3, routes));
  expect(hasDamage).toBe(true);
  expect(lines[0]).toMatch(/^1 skipped: entry of a RIB record .*: peer 9, which the index of peers does not/);
  expect(set.lookup(address("198.51.100.1")).asn).toBe(8);
  expect(set.lookup(address("192.0.2.1")).asn).toBeNull();
});

test("a RIB record that is not whole costs itself", async () => {
  const dump = Buffer.from(ribDump(1, [route("192.0.2.0/24", [0, 7]), route("198.51.100.0/24", [0, 8])]));
  dump[dump.indexOf(Buffer.from([24, 192, 0, 2]))] = 99;
  const { set, lines } = await made(dump);
  expect(lines[0]).toMatch(
    /^1 skipped: RIB record that is not whole \(first: file0, byte \d+: a prefix of 99/,
  );
  expect(set.lookup(address("198.51.100.1")).asn).toBe(8);
});

test("a member whose address cannot be read costs its row", async () => {
  const { counts, lines } = await made(
    ...tables,
    api({ ...member(7, 9), ipaddr4: "198.51.100.999" }, member(8, 10)),
  );
  expect([counts[3], lines]).toEqual([
    1,
    [expect.stringContaining('data[0]: "198.51.100.999" is not an address')],
  ]);
});

test("MRT: a length that cannot be costs its record; a cut dump is read up to there", async () => {
  const dump = Buffer.from(
    ribDump(1, [
      route("192.0.2.0/24", [0, 7]),
      route("198.51.100.0/24", [0, 8]),
      route("203.0.113.0/24", [0, 9]),
    ]),
  );
  const second = dump.indexOf(Buffer.from([24, 198, 51])) - 16;
  const wrong = Buffer.from(dump);
  wrong.writeUInt32BE(0xfffffff0, second + 8);
  const one = await made(wrong);
  expect([one.counts, one.hasDamage, one.lines.length]).toEqual([[2], true, 1]);
  expect(one.lines[0]).toStartWith(
    `1 skipped: record of MRT that is cut, or whose head is damaged (first: file0, byte ${second}: `,
  );
  expect(one.set.lookup(address("203.0.113.1")).asn).toBe(9);
  const cut = await made(dump.subarray(0, -1));
  expect([cut.counts, cut.lines.length, cut.hasDamage]).toEqual([[2], 1, true]);
});
