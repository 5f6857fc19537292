import { expect, test } from "bun:test";
import { type RibRoute, ribDump } from "../../../tests/contract/context/mrt-dump.ts";
import { setOf } from "../../../tests/contract/context/set-of.ts";
import { address } from "../../net/ip/address.ts";
import { parsePrefix } from "../../net/ip/prefix.ts";
import type { AddressContext } from "./context-set.ts";

async function looked(text: string, ...files: readonly (string | Uint8Array)[]): Promise<AddressContext> {
  return (await setOf(files)).lookup(address(text));
}

function route(text: string, ...origins: readonly number[]): RibRoute {
  const prefix = parsePrefix(text);
  if (prefix === null) {
    throw new TypeError(text);
  }
  return { prefix, paths: origins.map((origin, peer) => ({ peer, segments: [[2, [3356, origin]]] })) };
}

test("the origin that most peers see counts; others that a tenth sees stay beside it", async () => {
  const dump = ribDump(20, [route("192.0.2.0/24", ...Array(15).fill(64500), ...Array(4).fill(64501), 64502)]);
  const { asn, otherAsns, prefix, asnSource } = await looked("192.0.2.77", dump);
  expect({ asn, otherAsns, prefix, asnSource }).toEqual({
    asn: 64500,
    otherAsns: [64501],
    prefix: "192.0.2.0/24",
    asnSource: "bgp",
  });
});

test.each([
  ["default routes", "0.0.0.0/0", 3],
  ["prefixes longer than /24", "192.0.2.0/25", 3],
  ["prefixes longer than /48", "2001:db8::/49", 3],
  ["prefixes that two of many peers see", "192.0.2.0/24", 2],
])("%s are left out", async (_what, prefix, peers) => {
  const dump = ribDump(9, [route(prefix, ...Array(peers).fill(64500)), route("198.51.100.0/24", 1, 1, 1)]);
  expect((await looked(prefix.split("/")[0] ?? "", dump)).asn).toBeNull();
});

test("votes of several collectors add up", async () => {
  const [first, second] = [
    ribDump(2, [route("192.0.2.0/24", 1, 2)]),
    ribDump(2, [route("192.0.2.0/24", 2, 2)]),
  ];
  expect((await looked("192.0.2.1", first, second)).asn).toBe(2);
});

test("bogons and private AS numbers count only where it is asked for", async () => {
  const dump = ribDump(3, [route("192.0.2.0/24", 7, 7, 7), route("8.8.8.0/24", 64512, 64512, 64512)]);
  const set = await setOf([dump], false);
  expect(set.lookup(address("192.0.2.1")).asn).toBeNull();
  // Without its private end the path ends in the provider.
  expect(set.lookup(address("8.8.8.8")).asn).toBe(3356);
});

test("a path through an AS set is ambiguous, one of a single AS is not", async () => {
  const prefix = parsePrefix("192.0.2.0/24");
  const dump = (set: readonly number[]) =>
    ribDump(1, [
      {
        prefix: prefix ?? route("::/0").prefix,
        paths: [
          {
            peer: 0,
            segments: [
              [2, [3356]],
              [1, set],
            ],
          },
        ],
      },
    ]);
  expect((await looked("192.0.2.1", dump([7, 8]))).asn).toBeNull();
  expect((await looked("192.0.2.1", dump([7]))).asn).toBe(7);
});

test("add-path: a peer counts once, by its first path", async () => {
  const prefix = route("192.0.2.0/24").prefix;
  const path = (peer: number, asn: number) => ({ peer, segments: [[2, [asn]]] as const });
  const dump = ribDump(
    3,
    [{ prefix, paths: [path(0, 1), path(0, 2), path(0, 2), path(1, 1), path(2, 2)] }],
    true,
  );
  const { asn, otherAsns } = await looked("192.0.2.1", dump);
  expect([asn, ...otherAsns]).toEqual([1, 2]);
});

test("a dump that ends within a record, or has no RIB, is refused with its place", async () => {
  const dump = ribDump(3, [route("192.0.2.0/24", 1, 1, 1)]);
  await expect(setOf([dump.subarray(0, -1)])).rejects.toThrow(/^byte \d+: the file ends within a record/);
  await expect(setOf([ribDump(3, [])])).rejects.toThrow("no route that counts");
  const broken = Uint8Array.from(dump);
  broken[Buffer.from(dump).indexOf(Buffer.from([24, 192, 0, 2]))] = 99;
  await expect(setOf([broken])).rejects.toThrow(/^byte \d+: the RIB record is not whole/);
});

test("pyasn and prefix2as", async () => {
  expect((await looked("192.0.2.1", "; made by pyasn\n192.0.2.0/24\t64500\n")).asn).toBe(64500);
  const several = await looked("192.0.2.1", "192.0.2.0\t24\t64500_64501\n");
  expect([several.asn, several.otherAsns]).toEqual([64500, [64501]]);
  const set = await looked("192.0.2.1", "192.0.2.0\t24\t64500,64501\n");
  expect([set.asn, set.otherAsns]).toEqual([null, [64500, 64501]]);
});

test("IPinfo as CSV and as JSON: place, name, and the AS of what BGP does not say", async () => {
  const csv = [
    "network,country,country_code,continent,continent_code,asn,as_name,as_domain",
    '192.0.2.0/24,Norway,NO,Europe,EU,AS64500,"Example, ""the"" net",example.net',
  ].join("\r\n");
  const row = {
    ...{ network: "192.0.2.0/24", country: "Norway", country_code: "NO", continent: "Europe" },
    ...{ continent_code: "EU", asn: "AS64500", as_name: 'Example, "the" net', as_domain: "example.net" },
  };
  const found = await looked("192.0.2.1", csv);
  expect(found).toEqual(await looked("192.0.2.1", `${JSON.stringify(row)}\n`));
  expect(found).toMatchObject({ asn: 64500, asnSource: "database", prefix: null });
  expect(found.asName).toEqual({ name: 'Example, "the" net', domain: "example.net" });
  expect(found.place).toMatchObject({ country: "NO", countryName: "Norway", continent: "EU" });
  const asns = new Uint32Array(1);
  (await setOf([csv])).asnsOf(address("192.0.2.1"), asns);
  expect([...asns]).toEqual([64500]);
  const bgp = await looked("192.0.2.1", csv, "192.0.2.0/24\t7\n");
  expect([bgp.asn, bgp.asnSource]).toEqual([7, "bgp"]);
});

const peeringdb = {
  ix: [{ id: 26, name: "EX-IX", city: "Oslo", country: "NO" }],
  ixlan: [{ id: 99, ix_id: 26 }],
  ixpfx: [{ id: 1, ixlan_id: 99, protocol: "IPv4", prefix: "198.51.100.0/24" }],
  netixlan: [{ ixlan_id: 99, ix_id: 26, asn: 64501, ipaddr4: "198.51.100.7", ipaddr6: null, speed: 1000 }],
  net: [{ asn: 64501, name: "Member", info_type: "NSP" }],
};

test("an address on the LAN of an exchange is the member's, never the origin of the LAN", async () => {
  const tables = Object.values(peeringdb).map((data) => JSON.stringify({ data, meta: {} }));
  const leak = "198.51.100.0/24\t666\n";
  const set = await setOf([leak, ...tables]);
  expect(set.lookup(address("198.51.100.7"))).toMatchObject({
    asn: 64501,
    asName: { name: "Member" },
    asnSource: "exchange",
    prefix: null,
    exchange: { id: 26, name: "EX-IX" },
  });
  expect(set.lookup(address("198.51.100.8"))).toMatchObject({ asn: null, exchange: { id: 26 } });
  expect([set.isExchangeMember(64501, 26), set.isExchangeMember(666, 26)]).toEqual([true, false]);
  const both = ["198.51.100.7", "198.51.100.8"].map(address);
  const asns = new Uint32Array(2);
  set.asnsOf(new Uint8Array(Buffer.concat(both)), asns);
  expect([...asns]).toEqual([64501, 0]);
  const inOne = Object.fromEntries(Object.entries(peeringdb).map(([name, data]) => [name, { data }]));
  const same = await setOf([JSON.stringify(inOne)]);
  expect(same.asnOf(address("198.51.100.7"))).toBe(64501);
});

test.each([
  ["AS64500", 64500],
  ["64500", 64500],
])("VRPs with asn %p: valid, invalid by AS or by length, unknown", async (_form, _asn) => {
  const roas = [{ asn: _form, prefix: "192.0.0.0/20", maxLength: 22, ta: "test" }];
  const routes = ["192.0.0.0/22\t64500", "192.0.4.0/22\t64501", "192.0.8.0/23\t64500", "192.1.0.0/16\t64500"];
  const set = await setOf([JSON.stringify({ metadata: {}, roas }), `${routes.join("\n")}\n`]);
  const states = ["192.0.0.1", "192.0.4.1", "192.0.8.1", "192.1.0.1", "9.9.9.9"];
  expect(states.map((text) => set.lookup(address(text)).rpki)).toEqual([
    "valid",
    "invalid",
    "invalid",
    "unknown",
    null,
  ]);
});

test("delegated-extended: counts of IPv4 addresses that are not a power of two, too", async () => {
  const file = [
    "2|ripencc|1700000000|3|19830705|20231114|+0100",
    "ripencc|*|ipv4|*|1|summary",
    "ripencc|NO|ipv4|192.0.2.0|384|20100101|allocated|x",
    "ripencc|SE|ipv6|2001:db8::|32|20100101|assigned|x",
  ].join("\n");
  expect((await looked("192.0.3.127", file)).registration).toEqual({
    registry: "ripencc",
    country: "NO",
    status: "allocated",
  });
  expect((await looked("192.0.3.128", file)).registration).toBeNull();
  expect((await looked("2001:db8:ffff::1", file)).registration?.country).toBe("SE");
});

test.each([
  ["no prefix\t2\n1.2.3.4/8\t1\n", 'line 1: "no prefix" is not a prefix'],
  ["192.0.2.1/24\t1\n192.0.2.2/24\t1\n", 'line 1: "192.0.2.1/24" is not a prefix'],
  ["; pyasn\n192.0.2.0/24\tASX\n", 'line 2: "ASX" is not an AS number'],
  ["192.0.2.1\t24\t1\n", 'line 1: "192.0.2.1/24" is not a prefix'],
  ["network,asn\n192.0.2.0/24,AS1,more\n", "line 2: 3 values, where the head line names 2 columns"],
  ['{"network":"192.0.2.0/24"\n{"network":\n', "line 1: not JSON"],
  ["ripencc|NO|ipv4|192.0.2.0|0|20100101|allocated|x\n", 'line 1: "192.0.2.0|0" is not a block of ipv4'],
  ['{"roas":[{"asn":1,"prefix":"192.0.2.0/24","maxLength":20}]}', "roas[0]: a maxLength of 20"],
  ['{"data":[{"ixlan_id":1,"protocol":"IPv4","prefix":"x"}]}', 'data[0]: "x" is not a prefix'],
  ['{"roas":[{"asn":1,"prefix":"192.0.2.0/24","maxLength":24}', "the JSON cannot be read, is it whole?"],
  ["start_ip,end_ip\n8.8.8.0,2001:db8::\n", 'line 2: "8.8.8.0 - 2001:db8::" is not a network'],
  ["hello", "the whole file: not of a kind that is known"],
  ["x".repeat(3_000_000), "the whole file: not of a kind that is known"],
])("%p, of which nothing can be read, is refused: %s", async (file, message) => {
  await expect(setOf([file])).rejects.toThrow(message);
});
