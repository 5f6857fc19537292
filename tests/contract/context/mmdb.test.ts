/** MaxMind DB files, written by the package mmdb_writer and read by maxminddb, beside what our reader makes of them. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ContextBuilder } from "../../../lib/measuring/context/context-builder.ts";
import { type AddressContext, ContextSet } from "../../../lib/measuring/context/context-set.ts";
import { readSource } from "../../../lib/measuring/context/read-source.ts";
import { buildSet, readSet } from "../../../lib/measuring/context/set-files.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import { pythonFolder } from "../../run/python-folder.ts";
import { randomAddress, run, seeded } from "./tools.ts";

const packages = ["mmdb_writer==0.2.7", "maxminddb==3.2.0", "netaddr==1.3.0"];
const folder = mkdtempSync(join(tmpdir(), "vantage-mmdb-"));

beforeAll(async () => {
  await pythonFolder(...packages);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Nested networks of both families; answers for the addresses as JSON lines. */
const program = `
import json, random, sys
import maxminddb
from mmdb_writer import MMDBWriter
from netaddr import IPNetwork, IPSet

kind, size = sys.argv[1], int(sys.argv[2])
random.seed(7)
writer = MMDBWriter(6, kind, languages=["en"], ipv4_compatible=True, int_type="u32", float_type="f64")
networks = []
for i in range(4000):
    if random.random() < 0.6:
        networks.append(IPNetwork("%d.%d.%d.0/%d" % (random.randrange(20, 24), random.randrange(256),
                                                     random.randrange(256), random.randrange(9, 25))))
    else:
        networks.append(IPNetwork("2a%02x:%x::/%d" % (random.randrange(0, 64), random.randrange(65536),
                                                       random.randrange(16, 49))))
for network in sorted(networks, key=lambda n: n.prefixlen):
    n = random.randrange(1, 3000)
    if kind == "GeoLite2-ASN":
        row = {"autonomous_system_number": n, "autonomous_system_organization": "Net %d \u00e5" % n}
    elif kind == "GeoLite2-City":
        row = {"city": {"names": {"en": "City %d" % n, "no": "By"}},
               "country": {"iso_code": "NO", "names": {"en": "Norway"}},
               "continent": {"code": "EU", "names": {"en": "Europe"}},
               "location": {"latitude": n / 16.0, "longitude": -n / 16.0, "accuracy_radius": n}}
    else:
        row = {"network": str(network), "country": "Norway", "country_code": "NO", "continent": "Europe",
               "continent_code": "EU", "asn": "AS%d" % n, "as_name": "Net %d" % n, "as_domain": "x%d.example" % n}
    writer.insert_network(IPSet([network.cidr]), row)
writer.to_db_file("db.mmdb")
reader = maxminddb.open_database("db.mmdb")
for line in open("addresses"):
    print(json.dumps(reader.get(line.strip())))
`;

test.each(["GeoLite2-ASN", "GeoLite2-City", "ipinfo lite"])(
  "%s: the same answer for each of 5,000 addresses",
  async (kind) => {
    const random = seeded(11);
    const asked = Array.from({ length: 5000 }, () => randomAddress(random));
    await Bun.write(join(folder, "addresses"), asked.map(formatAddress).join("\n"));
    const python = join(await pythonFolder(...packages), "bin/python");
    const theirs = (await run([python, "-c", program, kind, "28"], folder))
      .trim()
      .split("\n")
      .map((line): TheirRow | null => JSON.parse(line));

    const set = await setOf(join(folder, "db.mmdb"));
    const ours = asked.map((address) => {
      const { asn, asName, place } = set.lookup(address);
      return { asn, name: asName?.name ?? null, domain: asName?.domain ?? null, place };
    });
    expect(ours).toEqual(theirs.map(kind === "ipinfo lite" ? fromIpinfo : fromGeolite));
    expect(theirs.filter((row) => row !== null).length).toBeGreaterThan(500);
  },
);

async function setOf(path: string): Promise<ContextSet> {
  const addressContext = new ContextBuilder(true);
  const chunks = async function* () {
    yield new Uint8Array(readFileSync(path));
  };
  expect((await readSource(chunks(), addressContext)).kind).toBe("mmdb");
  const { tables, lists } = buildSet(addressContext);
  return new ContextSet(readSet((name) => tables[name], lists));
}

const noPoint = { city: null, latitude: null, longitude: null, radiusKm: null };
const norway = { country: "NO", countryName: "Norway", continent: "EU", continentName: "Europe" };

interface TheirRow {
  readonly autonomous_system_number?: number;
  readonly autonomous_system_organization?: string;
  readonly city?: { readonly names: { readonly en: string } };
  readonly location?: Readonly<Record<"latitude" | "longitude" | "accuracy_radius", number>>;
  readonly asn?: string;
  readonly as_name?: string;
  readonly as_domain?: string;
}

type Expected = Pick<AddressContext, "asn" | "place"> & {
  readonly name: string | null;
  readonly domain: string | null;
};

function fromGeolite(row: TheirRow | null): Expected {
  const { location, city } = row ?? {};
  const point = location && {
    city: city?.names.en ?? null,
    latitude: location.latitude,
    longitude: location.longitude,
    radiusKm: location.accuracy_radius,
  };
  return {
    asn: row?.autonomous_system_number ?? null,
    name: row?.autonomous_system_organization ?? null,
    domain: null,
    place: point === undefined ? null : { ...norway, ...point },
  };
}

function fromIpinfo(row: TheirRow | null): Expected {
  return {
    asn: row?.asn === undefined ? null : Number(row.asn.slice(2)),
    name: row?.as_name ?? null,
    domain: row?.as_domain ?? null,
    place: row === null ? null : { ...norway, ...noPoint },
  };
}
