/**
 * ClickHouse 24.8 and 25.8, by their addresses as servers: they take every statement of the migrations, and what the
 * ingester puts in comes out as of our own version, column by column. Their views: results.older-stores.test.ts.
 *
 * @tier long: engines of older versions, and the same suite as on the newest
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { storeSource } from "../../../lib/answers/results/store-source.ts";
import { seriesView } from "../../../lib/answers/results/views/series.ts";
import { loadContext } from "../../../lib/engines/store/clickhouse/context-store.ts";
import { countHistory } from "../../../lib/engines/store/clickhouse/count-history.ts";
import { insertBlock } from "../../../lib/engines/store/clickhouse/insert-block.ts";
import { migrate } from "../../../lib/engines/store/clickhouse/migrate.ts";
import { ownVersion } from "../../../lib/engines/store/clickhouse/migrations.ts";
import type { ColumnStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { ProbeBlock } from "../../../lib/engines/store/clickhouse/probe-block.ts";
import { RejectedBlock } from "../../../lib/engines/store/clickhouse/rejected-block.ts";
import { ReplyBlock } from "../../../lib/engines/store/clickhouse/reply-block.ts";
import { countUserRows, eraseUserRows } from "../../../lib/engines/store/clickhouse/user-rows.ts";
import { ContextFolder } from "../../../lib/measuring/context/disk/context-folder.ts";
import { networkRows } from "../../../lib/measuring/context/network-rows.ts";
import { prefixRows } from "../../../lib/measuring/context/set-rows.ts";
import { encodeProbes } from "../../../lib/net/wire/probe-codec.ts";
import { encodeReply } from "../../../lib/net/wire/reply-codec.ts";
import { encodeTargetHeader } from "../../../lib/net/wire/target-header.ts";
import { SampleSets } from "../../enrich/sample-sets.ts";
import { fillStore } from "../results/raw-rows.ts";
import { routedRows } from "../results/routed-rows.ts";
import { hasOlderVersions, OlderStore, olderVersions } from "./older/older-store.ts";
import { sqlValues, TestStore } from "./processes.ts";
import { manySorts, measurement, nowMs, sampleProbe, sampleReply } from "./samples.ts";

/**
 * All that is stored, but for the time of the insert; and but for the table of SQL, which a server gets only with the
 * accounts that these have not.
 */
const questions = [
  "SELECT * EXCEPT time_inserted_ns FROM measure.replies ORDER BY time_received_ns, agent_id, sequence",
  "SELECT * EXCEPT time_submitted FROM measure.probes ORDER BY probe_index",
  "SELECT * EXCEPT time_inserted_ns FROM measure.replies_rejected ORDER BY record_offset",
  `SELECT table, name, type, comment, compression_codec FROM system.columns WHERE database = 'measure'
    AND table != 'readable' ORDER BY table, position`,
  `SELECT name, partition_key, sorting_key FROM system.tables WHERE database = 'measure' AND name != 'readable'
    ORDER BY name`,
  "SELECT version, name, checksum, max(is_done) FROM measure.migrations GROUP BY ALL ORDER BY version",
];

function replyBlock(sequence: number): Uint8Array {
  const block = new ReplyBlock();
  const numbered = {
    measurement_id: measurement,
    probe_agent: "agent-2",
    probe_instance: "7",
    producer: "p",
  };
  for (const reply of manySorts) {
    const headers = { ...numbered, sequence: String(sequence) };
    block.add({ value: encodeReply(reply), headers, partition: 3 }, nowMs);
  }
  block.add({ value: encodeReply(sampleReply(9)), headers: {}, partition: 0 }, nowMs);
  return block.toBytes();
}

/** Rows of every kind; the numbered records twice, as by an agent that did not hear the answer. */
async function fill(store: ColumnStore): Promise<void> {
  const put = (table: string, block: Uint8Array, token: string) =>
    insertBlock(store, { table: `measure.${table}`, block, token });
  await put("from_ingester", replyBlock(5), "first");
  await put("from_ingester", replyBlock(5), "second");
  const probes = new ProbeBlock();
  const header = {
    srcIp: "",
    measurementId: measurement,
    endOfMeasurement: true,
    firstProbe: 0,
    notAfterMs: null,
  };
  probes.add(encodeProbes([0, 1, 2].map(sampleProbe)), { "agent-1": encodeTargetHeader(header) }, nowMs);
  await put("probes", probes.toBytes(), "probes");
  const rejected = new RejectedBlock();
  const position = { topic: "measure-replies", partition: 1, offset: 7n };
  rejected.add({ ...position, reason: "malformed", bytes: Buffer.from("no reply") });
  await put("from_broker", rejected.toBytes(), "rejected");
}

async function answers(store: ColumnStore): Promise<string[]> {
  const asked = questions.map(async (query) => {
    const result = await store.client.query({ query, format: "JSONCompactEachRow" });
    return await result.text();
  });
  return await Promise.all(asked);
}

describe.if(hasOlderVersions)("older versions of ClickHouse", () => {
  let expected: string[];
  beforeAll(async () => {
    await using own = await TestStore.start();
    await fill(own.store);
    expected = await answers(own.store);
    expect(expected.filter((text) => text === "")).toEqual([]);
  });

  test.each(olderVersions)("%s: migrations, and what is stored", async (version) => {
    await using older = await OlderStore.start(version);
    expect((await migrate(older.store, sqlValues)).applied).toHaveLength(ownVersion);
    expect(await migrate(older.store, sqlValues)).toMatchObject({ applied: [], ttlChanged: [] });
    expect((await migrate(older.store, { ...sqlValues, ttlDays: 30 })).ttlChanged).toHaveLength(3);
    await migrate(older.store, sqlValues);
    await fill(older.store);
    expect(await answers(older.store)).toEqual(expected);
  });

  test.each(olderVersions)("%s: the tables of a server that reads Kafka by itself", async (version) => {
    await using older = await OlderStore.start(version);
    const byKafka = { ...sqlValues, kafkaBrokers: "127.0.0.1:1" };
    expect((await migrate(older.store, byKafka)).applied).toHaveLength(ownVersion);
    const [table] = await older.rows<{ engine: string }>(
      "SELECT engine FROM system.tables WHERE database = 'measure' AND name = 'from_broker'",
    );
    expect(table?.engine).toBe("Kafka");
  });

  test.each(olderVersions)(
    "%s: country_asn says what the set says, of IPv6 columns, IPv4 and text",
    async (version) => {
      using sets = new SampleSets();
      await sets.put("2026-11-20", 64501);
      const files = new ContextFolder(sets.path).files("2026-11-20");
      await using older = await OlderStore.start(version);
      await loadContext(older.store, {
        ...{
          day: "2026-11-20",
          prefixes: prefixRows(files),
          networks: networkRows(files),
          lists: files.lists,
        },
      });
      const asked = [
        "toIPv6('::ffff:198.51.100.1')",
        "toIPv4('203.0.113.9')",
        "'2001:db8::1'",
        "'192.0.2.1'",
      ];
      const columns = asked.flatMap((ip, i) => [
        `country_asn(${ip}, 'asn') AS asn${i}`,
        `country_asn_on(${ip}, 'country', toDate('2026-11-21')) AS country${i}`,
      ]);
      const [row] = await older.rows<Record<string, string>>(`SELECT ${columns.join(", ")}`);
      expect(Object.values(row ?? {})).toEqual(["64501", "", "64510", "DE", "64511", "", "", ""]);
    },
  );

  test.each(olderVersions)("%s: the history has the rows of the raw ones", async (version) => {
    await using older = await OlderStore.start(version);
    await migrate(older.store, sqlValues);
    // The last day that is not expired: its rows may begin to expire before the query ends.
    const dayMs = 86_400_000;
    const noonMs = dayMs * (Math.floor(Date.now() / dayMs) - sqlValues.ttlDays + 1.5);
    const backMs = Date.now() - 3_700_000 - noonMs;
    const { probes, replies } = routedRows(measurement, 1);
    await fillStore(older.store, {
      probes: probes.map((probe) => ({ ...probe, timeMs: probe.timeMs - backMs })),
      replies: replies.map((one) => ({ ...one, timeNs: one.timeNs - BigInt(backMs) * 1_000_000n })),
    });
    const shown = async () => {
      const query = { filter: { measurementId: measurement }, limit: null };
      const { texts } = await storeSource(older.store).ask(seriesView, query, "csv");
      return Buffer.concat(await Array.fromAsync(texts)).toString();
    };
    const before = await shown();
    const order = { nowMs: Date.now(), signal: new AbortController().signal };
    expect(await countHistory(older.store, order)).toBe(1);
    await older.store.client.command({ query: "TRUNCATE TABLE measure.replies" });
    await older.store.client.command({ query: "TRUNCATE TABLE measure.probes" });
    expect(await shown()).toBe(before);
    expect(before.split("\n")).toHaveLength(3);
  });

  // The library of 24.8 opens its folder for each statement, and carries out no mutation in between.
  test.each(["25.8"] as const)("%s erases the rows of a user, and of nobody else", async (version) => {
    await using older = await OlderStore.start(version);
    await migrate(older.store, sqlValues);
    await fill(older.store);
    const all = await countUserRows(older.store, { measurementIds: [measurement], sources: [] });
    expect(all.replies).toBeGreaterThan(0);
    expect(all.probes).toBe(3);
    const selection = { measurementIds: [measurement], sources: [] };
    const counted = "SELECT toUInt32(count()) AS count FROM measure.replies";
    const [before] = await older.rows<{ count: number }>(counted);
    await eraseUserRows(older.store, selection);
    expect(await countUserRows(older.store, selection)).toEqual({ replies: 0, probes: 0, history: 0 });
    const [after] = await older.rows<{ count: number }>(counted);
    expect((before?.count ?? 0) - (after?.count ?? 0)).toBe(all.replies);
    expect(after?.count).toBe(2);
  });
});
