/** The front of a cluster: what it needs of its shards, what it shows of them, and what it leaves to them. */
import { expect, test } from "bun:test";
import { makeFront } from "../../../lib/engines/store/clickhouse/front.ts";
import { splitFilter } from "../../../lib/engines/store/clickhouse/history-filter.ts";
import { checkVersion, migrate } from "../../../lib/engines/store/clickhouse/migrate.ts";
import { ownVersion } from "../../../lib/engines/store/clickhouse/migrations.ts";
import { countUserRows, eraseUserRows } from "../../../lib/engines/store/clickhouse/user-rows.ts";
import { hasOlderVersions } from "./older/older-store.ts";
import { cluster, shardDatabases, startTwoShards, wholeDatabase } from "./older/two-shards.ts";
import { Folder, Part, sqlValues, TestStore } from "./processes.ts";
import { measurement } from "./samples.ts";

const withEngine = test.skipIf(!hasOlderVersions);

withEngine("it is made of shards of this version only, and again after an upgrade of theirs", async () => {
  await using engine = await startTwoShards(false);
  const { client } = engine.store;
  const make = (name: string) => makeFront(engine.store, { cluster: name, databases: shardDatabases });
  await expect(make("nowhere")).rejects.toThrow("it knows no cluster nowhere; name it in remote_servers");
  const setMigrations = (condition: string) =>
    client.command({
      query: `CREATE OR REPLACE VIEW ${shardDatabases.measure}.migrations AS
        SELECT * FROM ${wholeDatabase}.migrations WHERE ${condition}`,
    });
  await setMigrations(`version < ${ownVersion} OR shardNum() = 1`);
  await expect(make(cluster)).rejects.toThrow(`shard 2 has ${ownVersion - 1}; run vantage stack migrate`);
  await setMigrations("shardNum() = 2");
  await expect(make(cluster)).rejects.toThrow("a shard has no migrations; run vantage stack migrate");
  await setMigrations("1");
  expect(await make(cluster)).toBe(2);
  await checkVersion(engine.store);
  const more = `ALTER TABLE ${wholeDatabase}.probes ADD COLUMN new_one UInt8`;
  await client.command({ query: more });
  const view = `${shardDatabases.measure}.probes`;
  await client.command({ query: `CREATE OR REPLACE VIEW ${view} AS SELECT * FROM ${wholeDatabase}.probes` });
  expect(await make(cluster)).toBe(2);
  const columns = "SELECT name FROM system.columns WHERE database = 'measure' AND name = 'new_one'";
  expect(await engine.rows(columns)).toEqual([{ name: "new_one" }]);
});

withEngine(
  "each row of each shard is read once; erasing, migrating and filling are the shards'",
  async () => {
    await using engine = await startTwoShards();
    const rows = Array.from({ length: 200 }, (_, n) => `('${measurement}', 'west', ${n}, now())`).join();
    await engine.store.client.command({
      query: `INSERT INTO ${wholeDatabase}.probes (measurement_id, agent_id, probe_index, date) VALUES ${rows}`,
    });
    const count = "SELECT toUInt32(count()) AS rows, toUInt32(uniqExact(probe_index)) AS each";
    expect(await engine.rows(`${count} FROM measure.probes`)).toEqual([{ rows: 200, each: 200 }]);
    const perShard = await engine.rows<{ rows: number }>(
      `SELECT toUInt32(count()) AS rows FROM measure.probes GROUP BY _shard_num`,
    );
    expect(perShard).toHaveLength(2);
    expect(perShard.every(({ rows: some }) => some > 50)).toBe(true);
    const own = { measurementIds: [measurement], sources: [] };
    expect(await countUserRows(engine.store, own)).toEqual({ replies: 0, probes: 200, history: 0 });
    // A shard's history counts the rows of that shard alone, so a front reads raw rows.
    await engine.store.client.command({
      query: `INSERT INTO ${wholeDatabase}.history_counted (measurement_id, date) VALUES
        ('${measurement}', today() - 30)`,
    });
    const filter = { measurementId: measurement };
    expect(await splitFilter(engine.store, filter, Date.now())).toEqual({ raw: filter, history: null });
    await expect(eraseUserRows(engine.store, own)).rejects.toMatchObject({ code: "refused" });
    await expect(migrate(engine.store, sqlValues)).rejects.toThrow(`with --cluster ${cluster}`);
    using folder = new Folder();
    const places = ["--broker", `embedded:${folder.below("broker")}`, "--dir", folder.below("ingest")];
    const ingester = new Part(["ingest", ...places, "--store", engine.address]);
    expect(await ingester.ended()).not.toBe(0);
    expect(ingester.said.join("\n")).toContain(`it is the front of ${cluster}; give each ingester a shard`);
  },
);

test("a store with results of its own is not made a front", async () => {
  await using store = await TestStore.start();
  await expect(makeFront(store.store, { cluster })).rejects.toThrow("it holds results itself");
});
