/** The tables of the column store: made, kept, refused, and what they are to a reader of system.tables. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { insertBlock } from "../../../lib/engines/store/clickhouse/insert-block.ts";
import { checkVersion, migrate } from "../../../lib/engines/store/clickhouse/migrate.ts";
import {
  fromBrokerMigration,
  migrations,
  ownVersion,
  render,
} from "../../../lib/engines/store/clickhouse/migrations.ts";
import { ReplyBlock, replyBlockTable } from "../../../lib/engines/store/clickhouse/reply-block.ts";
import { UpdateBlock } from "../../../lib/engines/store/clickhouse/update-block.ts";
import { replyDataWords, replyPointerWords } from "../../../lib/net/wire/layout.ts";
import { encodeReply } from "../../../lib/net/wire/reply-codec.ts";
import { encodeUpdate } from "../../../lib/net/wire/update-codec.ts";
import { sqlValues, TestStore } from "./processes.ts";
import { nowMs, routeUpdate, sampleReply, withdrawal } from "./samples.ts";

let empty: TestStore;

beforeAll(async () => {
  empty = await TestStore.start("empty");
});

afterAll(async () => {
  await empty[Symbol.asyncDispose]();
});

test("a store without tables is refused to readers, gets all migrations once, and is then of our version", async () => {
  await expect(checkVersion(empty.store)).rejects.toThrow(
    `it has version 0, this program needs ${ownVersion}`,
  );
  const applied = migrations.map(({ version }) => version);
  expect(await migrate(empty.store, sqlValues)).toEqual({
    applied,
    ttlChanged: [],
    historyChanged: [],
    feedChanged: false,
  });
  expect(await migrate(empty.store, sqlValues)).toEqual({
    applied: [],
    ttlChanged: [],
    historyChanged: [],
    feedChanged: false,
  });
  await checkVersion(empty.store);
});

test("replies are kept, parted and ordered as the specification says", async () => {
  const [table] = await empty.rows<Record<string, string>>(
    `SELECT partition_key, sorting_key, engine, engine_full FROM system.tables
    WHERE database = 'measure' AND name = 'replies'`,
  );
  expect(table?.partition_key).toBe("date");
  expect(table?.sorting_key).toBe(
    "time_received_ns, agent_id, probe_protocol, probe_src_addr, probe_dst_addr, " +
      "probe_src_port, probe_dst_port, probe_ttl",
  );
  expect(table?.engine).toBe("MergeTree");
  expect(table?.engine_full).toContain("TTL date + toIntervalDay(7)");
  expect(table?.engine_full).toContain("ttl_only_drop_parts = 1");
  const projections = await empty.rows(
    "SELECT name, sorting_key FROM system.projections WHERE database = 'measure' AND table = 'replies' ORDER BY name",
  );
  expect(projections).toEqual([
    { name: "by_destination", sorting_key: ["probe_dst_addr", "time_received_ns"] },
    { name: "by_measurement", sorting_key: ["measurement_id", "probe_dst_addr", "time_received_ns"] },
    { name: "by_producer", sorting_key: ["producer", "date"] },
  ]);
});

test("the columns of replies are the fields of the message in snake case, and their types", async () => {
  const columns = await empty.rows<{ name: string; type: string }>(
    "SELECT name, type FROM system.columns WHERE database = 'measure' AND table = 'replies' ORDER BY position",
  );
  const fields = await fieldsOfSchema();
  expect(fields.length).toBeGreaterThan(replyDataWords + replyPointerWords);
  const expected = fields.map(({ name, type }) => ({
    name: name === "replyMplsLabel" ? "reply_mpls_labels" : snake(name),
    type: columnTypes[`${name}:${type}`] ?? columnTypes[type] ?? type,
  }));
  const own = [
    ...["date", "time_inserted_ns", "measurement_id", "probe_agent", "probe_instance"],
    ...["producer", "sequence"],
  ];
  expect(columns.filter(({ name }) => !own.includes(name))).toEqual(expected);
  expect(columns.map(({ name }) => name).filter((name) => own.includes(name))).toEqual(own);
});

test("every column of replies and updates says what it holds", async () => {
  const silent = await empty.rows(
    `SELECT name FROM system.columns WHERE comment = ''
      AND (database, table) IN (('measure', 'replies'), ('bmp', 'updates'))`,
  );
  expect(silent).toEqual([]);
});

test("updates of routes are read back as they were written, whatever lists they have", async () => {
  const block = new UpdateBlock();
  const both = Buffer.concat([routeUpdate, withdrawal].map(encodeUpdate));
  expect(block.add(both)).toEqual([]);
  // The second block of a feed begins its lists anew.
  block.clear();
  expect(block.add(both)).toEqual([]);
  await insertBlock(empty.store, { table: "bmp.updates", block: block.toBytes(), token: "updates" });
  const [first, second] = await empty.rows<Record<string, unknown>>(
    `SELECT * REPLACE (toString(date) AS date, toString(toUnixTimestamp64Nano(time_received_ns)) AS time_received_ns,
        toString(toUnixTimestamp64Nano(time_bmp_header_ns)) AS time_bmp_header_ns,
        arrayMap(one -> (one.1, one.2, hex(one.3)), extended_communities) AS extended_communities)
      EXCEPT (time_inserted_ns) FROM bmp.updates ORDER BY announced DESC`,
  );
  expect(first).toEqual({
    ...{
      date: new Date(nowMs).toISOString().slice(0, 10),
      time_received_ns: `${nowMs}456789`,
      time_bmp_header_ns: "5",
    },
    ...{ router_addr: "::ffff:192.0.2.1", router_port: 65_535, peer_addr: "2001:db8::9" },
    ...{ peer_bgp_id: "192.0.2.1", peer_asn: 4_200_000_000, prefix_addr: "::ffff:198.51.100.0" },
    ...{ prefix_len: 24, is_post_policy: true, is_adj_rib_out: false, announced: true, synthetic: false },
    ...{ origin: "INCOMPLETE", as_path: [1, 2, 4_294_967_295], next_hop: "2001:db8::1", multi_exit_disc: 7 },
    ...{ local_preference: 8, only_to_customer: 9, atomic_aggregate: true, aggregator_asn: 10 },
    ...{ aggregator_bgp_id: "0.0.0.11", originator_id: "0.0.0.12", cluster_list: [13] },
    communities: [
      [65_535, 666],
      [1, 2],
    ],
    extended_communities: [
      [128, 6, "010203040506"],
      [0, 2, "090807060504"],
    ],
    large_communities: [
      [64_500, 1, 2],
      [64_501, 3, 4],
    ],
    ...{ mp_reach_afi: 2, mp_reach_safi: 1, mp_unreach_afi: 1, mp_unreach_safi: 2 },
  });
  expect(second).toMatchObject({ announced: false, synthetic: true, as_path: [], large_communities: [] });
});

test("another number of days changes the tables, and only once", async () => {
  const changed = { ...sqlValues, ttlDays: 30 };
  const tables = ["probes", "replies", "replies_rejected"];
  expect((await migrate(empty.store, changed)).ttlChanged).toEqual(tables);
  const kept = await empty.rows<{ full: string }>(
    "SELECT engine_full AS full FROM system.tables WHERE database = 'measure' AND name IN ({tables:Array(String)})",
    { tables },
  );
  expect(kept.map(({ full }) => full.includes("toIntervalDay(30)"))).toEqual([true, true, true]);
  expect((await migrate(empty.store, changed)).ttlChanged).toEqual([]);
  expect((await migrate(empty.store, sqlValues)).ttlChanged).toEqual(tables);
  const history = await migrate(empty.store, { ...sqlValues, historyDays: 90 });
  expect(history).toMatchObject({ ttlChanged: [], historyChanged: ["history", "history_counted"] });
  expect((await migrate(empty.store, sqlValues)).historyChanged).toHaveLength(2);
});

test.each([0, -1, 1.5, 100_000])("%p days are refused", async (ttlDays) => {
  await expect(migrate(empty.store, { ...sqlValues, ttlDays })).rejects.toThrow(
    `Cannot keep results for ${ttlDays} days: give 1 to 3650`,
  );
});

test("a migration that was cut off after its statement, or before it, is finished", async () => {
  await using broken = await TestStore.start("migrated");
  await broken.command(
    "ALTER TABLE measure.migrations DELETE WHERE version >= 5 SETTINGS mutations_sync = 1",
  );
  await broken.command("DROP TABLE measure.probes");
  const untouched = [10, 12, 13, 14, 19, 22, 24, 28, 31, 33, 35, 38, 40, 42, 45, 47];
  const rest = migrations.map(({ version }) => version).filter((version) => version >= 5);
  for (const version of rest.filter((one) => !untouched.includes(one))) {
    await note(broken, version, 0);
  }
  await expect(checkVersion(broken.store)).rejects.toThrow("it has version 4");
  expect((await migrate(broken.store, sqlValues)).applied).toEqual(rest);
  await checkVersion(broken.store);
  expect(await broken.count("probes")).toBe(0);
});

test("a store of a newer program, or of another build, is refused and left as it is", async () => {
  await using other = await TestStore.start("migrated");
  await note(other, ownVersion + 1, 1);
  const newer = `it has version ${ownVersion + 1}, this program knows ${ownVersion}; install a newer Vantage`;
  await expect(migrate(other.store, { ...sqlValues, ttlDays: 3 })).rejects.toThrow(newer);
  await expect(checkVersion(other.store)).rejects.toThrow(newer);
  await other.command(
    `ALTER TABLE measure.migrations DELETE WHERE version IN (3, ${ownVersion + 1}) SETTINGS mutations_sync = 1`,
  );
  await note(other, 3, 1, "another text");
  const differs = "its migration 3 (replies-rejected) is not the one of this program";
  await expect(migrate(other.store, { ...sqlValues, ttlDays: 3 })).rejects.toThrow(differs);
  const [kept] = await other.rows<{ full: string }>(
    "SELECT engine_full AS full FROM system.tables WHERE database = 'measure' AND name = 'replies'",
  );
  expect(kept?.full).toContain("toIntervalDay(7)");
});

/** Values for a server that reads Kafka itself. */
const reading = { ...sqlValues, kafkaBrokers: "broker.example:9092" };

test("where the server reads Kafka by itself the engine of from_broker alone differs", () => {
  const differing = migrations.filter((one) => render(one, reading) !== render(one, sqlValues));
  expect(differing.map(({ name }) => name)).toEqual([
    "from-broker",
    "from-broker-rtt-us",
    "from-broker-quoted",
    "from-broker-site",
    fromBrokerMigration,
  ]);
  const fromBroker = differing.at(-1);
  const [server, fed] = [reading, sqlValues].map((values) =>
    fromBroker === undefined ? "" : render(fromBroker, values),
  );
  const columns = (text = "") => text.slice(0, text.indexOf("    rttUs UInt32"));
  expect(columns(server).length).toBeGreaterThan(300);
  expect(columns(server)).toBe(columns(fed));
  expect(server).toContain("kafka_broker_list = 'broker.example:9092'");
  expect(server).toContain("kafka_handle_error_mode = 'stream'");
});

test("a server's SQL is SQL to ClickHouse, with values that would break out of their quotes", async () => {
  const values = { ...sqlValues, kafkaBrokers: "a'b\\'; DROP TABLE x; --:9092" };
  for (const migration of migrations) {
    const sql = render(migration, values);
    const [row] = await empty.rows<{ text: string }>("SELECT formatQuery({sql:String}) AS text", { sql });
    expect(row?.text).toMatch(/^(CREATE|ALTER|DROP TABLE IF EXISTS) /);
  }
});

test("the views take to a table that the engine of a server reads", async () => {
  await using server = await TestStore.start("empty");
  await server.command("CREATE DATABASE measure");
  const kafkaBrokers = "127.0.0.1:1";
  for (const migration of migrations.filter(({ name }) => !name.startsWith("probes"))) {
    // The one thing that the embedded ClickHouse lacks is the format.
    const sql = render(migration, { ...sqlValues, kafkaBrokers })
      .replace("kafka_format = 'CapnProto'", "kafka_format = 'JSONEachRow'")
      .replace("kafka_schema = 'reply:Reply',", "");
    await server.command(sql);
  }
  const made = await server.rows(
    "SELECT name, engine FROM system.tables WHERE database = 'measure' ORDER BY name",
  );
  expect(made).toEqual([
    { name: "from_broker", engine: "Kafka" },
    { name: "from_broker_mv", engine: "MaterializedView" },
    { name: "from_ingester", engine: "Null" },
    { name: "from_ingester_mv", engine: "MaterializedView" },
    { name: "history", engine: "ReplacingMergeTree" },
    { name: "history_counted", engine: "ReplacingMergeTree" },
    { name: "replies", engine: "MergeTree" },
    { name: "replies_rejected", engine: "MergeTree" },
    { name: "replies_rejected_mv", engine: "MaterializedView" },
  ]);
  // Told to be fed, it is, and the views go on.
  await server.command(
    `CREATE TABLE measure.migrations (version UInt32, name String, checksum String, is_done UInt8,
        at DateTime64(3, 'UTC') DEFAULT now64(3)) ENGINE = MergeTree ORDER BY (version, is_done)`,
  );
  for (const { version, name } of migrations) {
    await note(server, version, name.startsWith("probes") ? 0 : 1);
  }
  expect(await migrate(server.store, sqlValues)).toMatchObject({ applied: [6, 48], feedChanged: true });
  expect(await migrate(server.store, sqlValues)).toMatchObject({ applied: [], feedChanged: false });
  const block = new ReplyBlock();
  block.add({ value: encodeReply(sampleReply(0)), headers: {}, partition: 0 }, Date.now());
  await insertBlock(server.store, { table: replyBlockTable, block: block.toBytes(), token: "one" });
  expect(await server.count("replies")).toBe(1);
});

async function note(to: TestStore, version: number, isDone: 0 | 1, text?: string): Promise<void> {
  const known = migrations[version - 1];
  const checksum = text ?? known?.checksum ?? "of the future";
  await to.store.client.insert({
    table: "measure.migrations",
    values: [{ version, name: known?.name ?? "future", checksum, is_done: isDone }],
    format: "JSONEachRow",
  });
}

const columnTypes: Readonly<Record<string, string>> = {
  "timeReceivedNs:UInt64": "DateTime64(9, 'UTC')",
  Text: "LowCardinality(String)",
  Data: "IPv6",
  "List(Mpls)": "Array(Tuple(UInt32, UInt8, UInt8, UInt8))",
};

/** Fields of the Reply in reply.capnp, in the order of their ordinals. */
async function fieldsOfSchema(): Promise<{ name: string; type: string }[]> {
  const text = await Bun.file(`${import.meta.dirname}/../../../lib/net/wire/reply.capnp`).text();
  const struct = text.slice(text.indexOf("struct Reply"));
  return [...struct.matchAll(/^ {2}(\w+) @(\d+) :([\w()]+);/gm)]
    .map(([, name = "", ordinal = "", type = ""]) => ({ name, ordinal: Number(ordinal), type }))
    .sort((a, b) => a.ordinal - b.ordinal)
    .map(({ name, type }) => ({ name, type }));
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
