/**
 * Queries in the forms that exist for platforms of this kind (docs, notebooks, a command line), each with its right
 * answer: the tables `bmp.updates`, `saimiris.replies` and `flows.records`, addresses by `country_asn` and by its
 * dictionaries.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { update } from "../../../apps/user/context/update.ts";
import { loadContext } from "../../../lib/engines/store/clickhouse/context-store.ts";
import { ContextFolder } from "../../../lib/measuring/context/disk/context-folder.ts";
import { networkRows } from "../../../lib/measuring/context/network-rows.ts";
import { prefixRows } from "../../../lib/measuring/context/set-rows.ts";
import { SqlHome } from "../../attacks/sql/sql-home.ts";

const day = "2026-11-20";
const database = [
  "network,country,country_code,continent,continent_code,asn,as_name,as_domain",
  "198.51.100.0/24,Norway,NO,Europe,EU,AS64500,Example Net,example.net",
  "2001:db8:a::/48,Sweden,SE,Europe,EU,AS64510,Other Net,other.example",
].join("\n");

const path = (peer: number, ...rest: number[]) => ({
  peer_asn: peer,
  as_path: [peer, ...rest],
  origin: "IGP",
});
const six = {
  prefix_addr: "2001:db8:a::",
  prefix_len: 48,
  router_addr: "2001:db8::1",
  peer_addr: "2001:db8::2",
};
const four = { ...six, prefix_addr: "::ffff:192.0.2.0", prefix_len: 24 };
const updates = [
  { ...six, ...path(64500, 64501, 64510), announced: true, communities: [[64500, 100]] },
  { ...six, peer_asn: 64500, announced: false },
  { ...six, ...path(64502, 64510), announced: true },
  { ...four, ...path(64500, 64999), announced: true },
  { ...four, peer_asn: 64500, announced: false, synthetic: true },
];

let home: SqlHome;
const owned = new AsyncDisposableStack();

beforeAll(async () => {
  home = owned.use(await SqlHome.start());
  const folder = mkdtempSync(join(tmpdir(), "vantage-sql-context-"));
  owned.defer(() => rmSync(folder, { recursive: true }));
  await Bun.write(join(folder, "database.csv"), database);
  const dir = join(folder, "sets");
  await update({ dir, date: day, keepPrivate: true, files: [join(folder, "database.csv")], note: () => {} });
  const files = new ContextFolder(dir).files(day);
  const { store } = home.home.store;
  const rows = { day, prefixes: prefixRows(files), networks: networkRows(files), lists: files.lists };
  await loadContext(store, rows);
  const nowNs = BigInt(Date.now() - 120_000) * 1_000_000n;
  const values = updates.map((one, i) => ({
    date: new Date().toISOString().slice(0, 10),
    time_received_ns: String(nowNs + BigInt(i) * 1_000_000_000n),
    time_bmp_header_ns: String(nowNs),
    ...one,
  }));
  await store.client.insert({ table: "bmp.updates", values, format: "JSONEachRow" });
});
afterAll(() => owned.disposeAsync());

const hour = "time_received_ns >= now() - INTERVAL 1 HOUR";
const hop = "toIPv6('198.51.100.1')";
const pointer = (address: string) => `dictGetUInt64('ipinfo.country_asn_net', 'pointer', tuple(${address}))`;
const values = "ipinfo.country_asn_val";

/** A user with two replies of their own, and one public: what they get, lines joined by `/`. */
const cases: readonly (readonly [sql: string, answer: string])[] = [
  ["SELECT count() FROM bmp.updates", "5"],
  [`SELECT count() FROM bmp.updates WHERE ${hour}`, "5"],
  ["SELECT countIf(announced), countIf(NOT announced) FROM bmp.updates", "3 2"],
  ["SELECT countIf(synthetic) FROM bmp.updates WHERE announced = false", "1"],
  ["SELECT uniqExact(prefix_addr, prefix_len) FROM bmp.updates", "2"],
  ["SELECT uniqExact(tuple(peer_asn, prefix_addr)) FROM bmp.updates", "3"],
  ["SELECT peer_asn, count() AS n FROM bmp.updates GROUP BY peer_asn ORDER BY n DESC", "64500 4/64502 1"],
  ["SELECT count() FROM bmp.updates WHERE has(as_path, 64510)", "2"],
  ["SELECT count() FROM bmp.updates WHERE hasAll(as_path, [64500, 64510])", "1"],
  [
    "SELECT as_path[-1] AS o, count() FROM bmp.updates WHERE announced GROUP BY o ORDER BY o",
    "64510 2/64999 1",
  ],
  ["SELECT round(avg(length(as_path)), 2) FROM bmp.updates WHERE announced", "2.33"],
  ["SELECT max(length(as_path)), sum(prefix_len) FROM bmp.updates", "3 192"],
  [
    "SELECT DISTINCT concat(toString(prefix_addr), '/', toString(prefix_len)) AS p FROM bmp.updates ORDER BY p",
    "2001:db8:a::/48/::ffff:192.0.2.0/24",
  ],
  ["SELECT count() FROM bmp.updates WHERE prefix_addr = toIPv6('2001:db8:a::') AND prefix_len = 48", "3"],
  ["SELECT count() FROM bmp.updates WHERE isIPAddressInRange(toString(prefix_addr), '2001:db8::/32')", "3"],
  ["SELECT count() FROM bmp.updates WHERE isIPAddressInRange('2001:db8:a::1', '2001:db8:a::/48')", "5"],
  ["SELECT arrayJoin(communities) AS c, count() FROM bmp.updates GROUP BY c", "(64500,100) 1"],
  [
    "SELECT sum(n) FROM (SELECT toStartOfMinute(time_received_ns) AS t, count() AS n FROM bmp.updates GROUP BY t)",
    "5",
  ],
  [
    "SELECT sum(n) FROM (SELECT toStartOfFiveMinutes(time_received_ns) AS t, count() AS n FROM bmp.updates GROUP BY t)",
    "5",
  ],
  ["SELECT count() FROM bmp.updates WHERE toDateTime(time_received_ns) <= now()", "5"],
  ["SELECT count() FROM bmp.updates WHERE fromUnixTimestamp64Nano(toInt64(1)) < time_received_ns", "5"],
  [
    `SELECT max(n) FROM (SELECT row_number() OVER (PARTITION BY prefix_addr ORDER BY time_received_ns) AS n
      FROM bmp.updates)`,
    "3",
  ],
  [
    `SELECT countIf(announced != before) FROM (SELECT announced, lagInFrame(announced, 1, announced) OVER
      (PARTITION BY prefix_addr, peer_asn ORDER BY time_received_ns) AS before FROM bmp.updates)`,
    "2",
  ],
  [
    `SELECT argMax(announced, time_received_ns) FROM bmp.updates GROUP BY prefix_addr, peer_asn
      ORDER BY prefix_addr, peer_asn`,
    "false/false/true",
  ],
  ["SELECT DISTINCT router_addr, peer_addr FROM bmp.updates", "2001:db8::1 2001:db8::2"],
  [
    "SELECT country_asn(prefix_addr, 'as_name') AS n, count() FROM bmp.updates WHERE prefix_len = 48 GROUP BY n",
    "Other Net 3",
  ],
  ["SELECT count() FROM saimiris.replies", "3"],
  [`SELECT count() FROM saimiris.replies WHERE ${hour}`, "3"],
  [
    `SELECT agent_id, probe_src_addr, probe_dst_addr, probe_ttl, reply_src_addr, rtt FROM saimiris.replies
      WHERE probe_src_addr = toIPv6('::ffff:192.0.2.1') AND ${hour} AND probe_ttl = 2`,
    "west ::ffff:192.0.2.1 ::ffff:203.0.113.9 2 ::ffff:198.51.100.2 20",
  ],
  [
    "SELECT probe_ttl, count(), round(avg(rtt) / 10, 1) FROM saimiris.replies GROUP BY probe_ttl ORDER BY 1",
    "1 2 1/2 1 2",
  ],
  ["SELECT uniqExact(reply_src_addr), max(rtt) FROM saimiris.replies", "2 20"],
  ["SELECT agent_id, uniqExact(probe_dst_addr) FROM saimiris.replies GROUP BY agent_id", "west 2"],
  ["SELECT count() FROM saimiris.replies WHERE reply_icmp_type = 11 AND probe_protocol = 17", "3"],
  [
    `SELECT groupArray(toString(h)) FROM (SELECT reply_src_addr AS h FROM saimiris.replies
      WHERE probe_dst_addr = toIPv6('::ffff:203.0.113.9') ORDER BY probe_ttl)`,
    "['::ffff:198.51.100.1','::ffff:198.51.100.2']",
  ],
  ["SELECT DISTINCT country_asn(reply_src_addr, 'asn') FROM saimiris.replies", "64500"],
  ["SELECT DISTINCT country_asn(reply_src_addr, 'as_domain') FROM saimiris.replies", "example.net"],
  [`SELECT country_asn(${hop}, 'country'), country_asn(${hop}, 'country_name')`, "NO Norway"],
  [`SELECT country_asn(${hop}, 'continent'), country_asn(${hop}, 'continent_name')`, "EU Europe"],
  [`SELECT dictGetString('${values}', 'asn', ${pointer(hop)})`, "AS64500"],
  [
    `SELECT dictGet('${values}', 'as_name', ${pointer("reply_src_addr")}) AS n, count()
      FROM saimiris.replies GROUP BY n`,
    "Example Net 3",
  ],
  [`SELECT dictGet('${values}', 'country_name', ${pointer("toIPv6('2001:db8:a::1')")})`, "Sweden"],
  ["SELECT dictGetString('ipinfo.asn_to_name', 'as_name', toUInt64(64510))", "Other Net"],
  ["SELECT count() FROM flows.records", "0"],
  ["SELECT sum(bytes * sampling_rate), sum(packets) FROM flows.records WHERE proto = 6", "0 0"],
  [
    `SELECT toStartOfMinute(time_received_ns) AS t, sum(bytes) FROM flows.records WHERE ${hour} GROUP BY t`,
    "",
  ],
  [
    "SELECT src_as, dst_as, sum(bytes) AS b FROM flows.records GROUP BY src_as, dst_as ORDER BY b DESC LIMIT 10",
    "",
  ],
];

test.each(cases)("%s", async (sql, answer) => {
  const { status, text } = await home.ask("mallory", sql);
  expect([status, text.trimEnd().replaceAll("\t", " ").replaceAll("\n", "/")]).toEqual([200, answer]);
});

test("the command line's list of replies: JSON lines, for the public reader what is public", async () => {
  const sql = `SELECT agent_id, probe_src_addr, probe_dst_addr, probe_ttl, reply_src_addr, rtt FROM saimiris.replies
    WHERE ${hour} ORDER BY time_received_ns DESC LIMIT 10 FORMAT JSONEachRow`;
  const { text } = await home.ask(null, sql, "?user=read&password=read");
  const rows = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(rows).toEqual([
    {
      ...{ agent_id: "west", probe_src_addr: "::ffff:192.0.2.1", probe_dst_addr: "::ffff:203.0.113.5" },
      ...{ probe_ttl: 1, reply_src_addr: "::ffff:198.51.100.1", rtt: 10 },
    },
  ]);
});
