/** Context in SQL: what the dictionaries of a real store say of addresses, beside the set that they were made of. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { update } from "../../../apps/user/context/update.ts";
import { loadContext } from "../../../lib/engines/store/clickhouse/context-store.ts";
import { ContextFolder } from "../../../lib/measuring/context/disk/context-folder.ts";
import { networkRows } from "../../../lib/measuring/context/network-rows.ts";
import { prefixRows } from "../../../lib/measuring/context/set-rows.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import { runToEnd } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { ribDump } from "../context/mrt-dump.ts";
import { randomRib } from "../context/random-rib.ts";
import { randomAddress, seeded } from "../context/tools.ts";
import { TestStore } from "./processes.ts";

let store: TestStore;
let folder: ContextFolder;

beforeAll(async () => {
  store = await TestStore.start("empty");
  mkdirSync(store.below("data"));
  folder = new ContextFolder(store.below("sets"));
});

afterAll(() => store?.[Symbol.asyncDispose]());

async function makeSet(date: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  const paths = Object.keys(files).map((name) => store.below(`data/${name}`));
  for (const [name, content] of Object.entries(files)) {
    await Bun.write(store.below(`data/${name}`), content);
  }
  await update({ dir: folder.path, date, keepPrivate: true, files: paths, note: () => {} });
}

/** As the command does it, in this process. */
async function loaded(day: string, daysMax?: number): Promise<string[]> {
  const files = folder.files(day);
  const rows = { day, prefixes: prefixRows(files), networks: networkRows(files), lists: files.lists };
  return loadContext(store.store, rows, daysMax);
}

async function loadByCommand(date: string) {
  const args = ["context", "load", "--dir", folder.path, "--date", date, "--store", store.address];
  const { stdout: out, stderr: err, exitCode } = await runToEnd([...vantageCommand, ...args]);
  expect(err).toBe("");
  expect(exitCode).toBe(0);
  return out;
}

const ipinfo = (asn: string, country: string, name: string) =>
  [
    "network,country,country_code,continent,continent_code,asn,as_name,as_domain",
    `192.0.2.0/24,${name},${country},Europe,EU,${asn},"O'Net \\",onet.example`,
    `2001:db8::/33,${name},${country},Europe,EU,${asn},"O'Net \\",onet.example`,
  ].join("\n");

const exchange = JSON.stringify({
  ix: { data: [{ id: 26, name: "EX-IX", city: "Oslo", country: "NO" }] },
  ixlan: { data: [{ id: 99, ix_id: 26 }] },
  ixpfx: { data: [{ ixlan_id: 99, protocol: "IPv4", prefix: "198.51.100.0/24" }] },
  netixlan: { data: [{ ixlan_id: 99, ix_id: 26, asn: 7, ipaddr4: "198.51.100.7", ipaddr6: null }] },
});

test("existing queries run: country_asn by text and by column, ipinfo.asn_to_name; exchanges come before BGP", async () => {
  await makeSet("2026-11-20", {
    "ipinfo.csv": ipinfo("AS64500", "NO", "Norway"),
    "leak.dat": "198.51.100.0/24\t666\n203.0.113.0/24\t64501\n",
    "peeringdb.json": exchange,
  });
  expect(await loadByCommand("2026-11-21")).toContain("set of 2026-11-20 in chdb:");
  const [row] = await store.rows(`WITH toIPv6('192.0.2.9') AS ip SELECT
      country_asn(ip, 'asn') AS asn, country_asn(ip, 'as_name') AS as_name, country_asn(ip, 'as_domain') AS as_domain,
      country_asn(ip, 'country') AS country, country_asn(ip, 'country_name') AS country_name,
      country_asn(ip, 'continent') AS continent, country_asn(ip, 'continent_name') AS continent_name`);
  expect(row).toEqual({
    ...{ asn: "64500", as_name: "O'Net \\", as_domain: "onet.example", country: "NO" },
    ...{ country_name: "Norway", continent: "EU", continent_name: "Europe" },
  });
  const [direct] = await store.rows(`WITH
      dictGetUInt64('ipinfo.country_asn_net', 'pointer', tuple(toIPv6('192.0.2.9'))) AS pointer
    SELECT dictGet('ipinfo.country_asn_val', ('asn', 'as_name', 'country', 'continent_name'), pointer) AS found`);
  expect(direct).toEqual({
    found: { asn: "AS64500", as_name: "O'Net \\", country: "NO", continent_name: "Europe" },
  });
  const names = await store.rows<{ name: string }>(
    "SELECT dictGet('ipinfo.asn_to_name', 'as_name', arrayJoin([toUInt32(64500), 1])) AS name",
  );
  expect(names.map(({ name }) => name)).toEqual(["O'Net \\", ""]);
  const asked = ["198.51.100.7", "198.51.100.8", "203.0.113.1", "2001:db8::1", "9.9.9.9"];
  const found = await store.rows<{ asn: string; exchange: string }>(
    `SELECT country_asn(ip, 'asn') AS asn, country_asn(ip, 'exchange') AS exchange
        FROM (SELECT toIPv6(arrayJoin({asked:Array(String)})) AS ip)`,
    { asked },
  );
  expect(found.map(({ asn, exchange: at }) => [asn, at])).toEqual([
    ["7", "EX-IX"],
    ["", "EX-IX"],
    ["64501", ""],
    ["64500", ""],
    ["", ""],
  ]);
});

test("a row gets the context of its day, whatever is loaded later, and after a restart of the store", async () => {
  await store.command("CREATE TABLE rows (address IPv6, date Date) ENGINE = MergeTree ORDER BY date");
  await store.command(
    `INSERT INTO rows SELECT toIPv6('192.0.2.1'), toDate('2026-11-18') + number FROM numbers(6)`,
  );
  await makeSet("2026-11-22", { "later.csv": ipinfo("AS64999", "SE", "Sweden") });
  expect(await loaded("2026-11-22")).toEqual(["2026-11-20", "2026-11-22"]);
  const query = `SELECT country_asn_on(address, 'asn', date) AS asn, country_asn(address, 'asn') AS newest,
      country_asn_on(address, 'country', date) AS country FROM rows ORDER BY date`;
  const expected = [...Array(4).fill(["64500", "64999", "NO"]), ...Array(2).fill(["64999", "64999", "SE"])];
  const rows = async () => (await store.rows<object>(query)).map((row) => Object.values(row));
  expect(await rows()).toEqual(expected);
  await store.restart();
  expect(await rows()).toEqual(expected);
});

test("the store and the set agree on 20,000 addresses among nested routes; a day loaded again is replaced", async () => {
  const random = seeded(5);
  await makeSet("2026-11-22", { rib: ribDump(12, randomRib(5000, random).routes) });
  await loaded("2026-11-22");
  const asked = Array.from({ length: 20_000 }, () => randomAddress(random));
  const texts = asked.map(formatAddress).join("\n");
  await store.command("CREATE TABLE asked (n UInt32, address String) ENGINE = MergeTree ORDER BY n");
  const values = texts.split("\n").map((address, n) => ({ n, address }));
  await store.store.client.insert({ table: "asked", values, format: "JSONEachRow" });
  const found = await store.rows<{ asn: string }>(
    "SELECT country_asn(address, 'asn') AS asn FROM asked ORDER BY n",
  );
  const set = folder.open("2026-11-22");
  expect(found.map(({ asn }) => Number(asn))).toEqual(asked.map((address) => set.asnOf(address)));
  expect(found.filter(({ asn }) => asn !== "").length).toBeGreaterThan(5000);
  const pointed = await store.rows<{ asn: string }>(
    `SELECT dictGetString('ipinfo.country_asn_val', 'asn', dictGetUInt64('ipinfo.country_asn_net', 'pointer',
      tuple(toIPv6(address)))) AS asn FROM asked ORDER BY n`,
  );
  expect(pointed.map(({ asn }) => asn)).toEqual(found.map(({ asn }) => (asn === "" ? "" : `AS${asn}`)));
  const [gone] = await store.rows("SELECT country_asn('192.0.2.1', 'country') AS country");
  expect(gone).toEqual({ country: "" });
});

test("days before the last ones that are kept are taken out", async () => {
  const days = ["2026-12-01", "2026-12-02"];
  for (const day of days) {
    await makeSet(day, { "one.dat": "192.0.2.0/24\t1\n" });
    await loaded(day, days.length);
  }
  const tables = await store.rows<{ name: string }>(
    "SELECT name FROM system.dictionaries WHERE database = 'context' AND name LIKE 'origin%' ORDER BY name",
  );
  expect(tables.map(({ name }) => name)).toEqual(["origin_20261201", "origin_20261202"]);
  const [first] = await store.rows("SELECT country_asn_on('192.0.2.1', 'asn', toDate('2026-11-20')) AS asn");
  expect(first).toEqual({ asn: "1" });
  expect(await loaded("2026-11-22", days.length)).toEqual(days);
  const [rows] = await store.rows("SELECT toUInt32(uniqExact(day)) AS days FROM context.prefixes");
  expect(rows).toEqual({ days: 2 });
});
