/**
 * A front of a cluster: a ClickHouse server that holds no rows of its own. Its tables are `Distributed`, so
 * readers query it like any store, and it queries the shards: servers set up by `migrate`, each fed by its
 * own ingester.
 */
import { Failure } from "../../../base/failure/failure.ts";
import { readEngines, readTables } from "./cluster-of.ts";
import { checkVersion, createBookkeeping, note } from "./migrate.ts";
import { migrations, ownVersion } from "./migrations.ts";
import type { ColumnStore } from "./open.ts";
import { rowsOf } from "./rows.ts";
import { textLiteral } from "./sql-literals.ts";

type Database = (typeof readTables)[number][0];

interface FrontOptions {
  /** As `remote_servers` of the front's configuration names it. */
  readonly cluster: string;
  /** Databases of the shards; absent = the same names. */
  readonly databases?: Readonly<Record<Database, string>>;
}

/**
 * Creates or renews the tables of a front. Resolves to the number of shards. Rejects with Failure `store`:
 * `version` when a shard has another version, `refused` when the server holds rows itself, or does not know
 * the cluster.
 */
export async function makeFront(store: ColumnStore, { cluster, databases }: FrontOptions): Promise<number> {
  const { measure, bmp } = databases ?? { measure: "measure", bmp: "bmp" };
  const before = await readEngines(store);
  if (before.some(({ engine }) => engine !== "Distributed")) {
    throw new Failure(
      "store",
      "refused",
      `Cannot make ${store.address} the front of ${cluster}: it holds results itself; give a server without tables`,
    );
  }
  const shards = await checkShards(store, cluster, measure);
  await createBookkeeping(store);
  await store.client.command({ query: "CREATE DATABASE IF NOT EXISTS bmp" });
  for (const [database, table] of readTables) {
    const place = [cluster, database === "measure" ? measure : bmp, table].map(textLiteral).join(", ");
    // Its columns are those of the shards. It holds no rows, so it is recreated after an upgrade.
    await store.client.command({
      query: `CREATE OR REPLACE TABLE ${database}.${table} ENGINE = Distributed(${place})`,
    });
  }
  for (const migration of migrations) {
    await note(store, migration, 1);
  }
  await checkVersion(store);
  return shards;
}

interface ShardRow {
  readonly shard: number;
  readonly version: number;
}

async function checkShards(store: ColumnStore, cluster: string, database: string): Promise<number> {
  const known = await store.client.query({
    query:
      "SELECT toUInt32(uniqExact(shard_num)) AS shards FROM system.clusters WHERE cluster = {cluster:String}",
    query_params: { cluster },
    format: "JSONEachRow",
  });
  const [{ shards } = { shards: 0 }] = await known.json<{ shards: number }>();
  if (shards === 0) {
    throw new Failure(
      "store",
      "refused",
      `Cannot make ${store.address} a front: it knows no cluster ${cluster}; ` +
        "name it in remote_servers of its configuration",
    );
  }
  const place = [cluster, database, "migrations"].map(textLiteral).join(", ");
  const sql = `SELECT _shard_num AS shard, toUInt32(uniqExactIf(version, is_done = 1)) AS version
    FROM cluster(${place}) GROUP BY shard ORDER BY shard`;
  const rows = await Array.fromAsync(rowsOf<ShardRow>(store, { sql, params: {} }));
  const behind = rows.find(({ version }) => version !== ownVersion);
  if (behind !== undefined || rows.length < shards) {
    const which =
      behind === undefined ? "a shard has no migrations" : `shard ${behind.shard} has ${behind.version}`;
    throw new Failure(
      "store",
      "version",
      `Cannot make ${store.address} the front of ${cluster}: this program needs version ${ownVersion} at each shard, ` +
        `${which}; run vantage stack migrate with its address first`,
    );
  }
  return shards;
}
