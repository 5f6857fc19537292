/**
 * A cluster of two shards and its front, in one process of ClickHouse 25.8: each shard is a view of half of the rows,
 * which sees by shardNum() for which of them it is asked. So `Distributed` really asks twice and joins what comes.
 */
import { makeFront } from "../../../../lib/engines/store/clickhouse/front.ts";
import { migrate } from "../../../../lib/engines/store/clickhouse/migrate.ts";
import { sqlValues } from "../processes.ts";
import { OlderStore } from "./older-store.ts";

export const cluster = "vantage";
/** Where the rows are, of both shards. */
export const wholeDatabase = "whole";
export const shardDatabases = { measure: "part", bmp: "part_bmp" };

const shard = "<shard><replica><host>localhost</host><port>9000</port></replica></shard>";
const configuration = `<clickhouse><remote_servers><${cluster}>${shard}${shard}</${cluster}></remote_servers>
<tcp_port>9000</tcp_port></clickhouse>`;

/** Rows go to a shard by chance, as it were: one measurement's are at both. */
const parts = [
  ["replies", "cityHash64(reply_src_addr, probe_dst_addr, probe_ttl, probe_src_port) % 2 = shardNum() - 1"],
  ["probes", "cityHash64(probe_index, probe_dst_addr, agent_id) % 2 = shardNum() - 1"],
  ["history", "cityHash64(measurement_id) % 2 = shardNum() - 1"],
  ["history_counted", "cityHash64(measurement_id) % 2 = shardNum() - 1"],
  ["replies_rejected", "record_offset % 2 = shardNum() - 1"],
  ["migrations", "1"],
] as const;

/** `isFront` false: the shards are there, the front has no tables yet. */
export async function startTwoShards(isFront = true): Promise<OlderStore> {
  const engine = await OlderStore.start("25.8", configuration);
  const command = (query: string) => engine.store.client.command({ query });
  await migrate(engine.store, sqlValues);
  await command(`RENAME DATABASE measure TO ${wholeDatabase}`);
  await command(`RENAME DATABASE bmp TO ${wholeDatabase}_bmp`);
  await command(`CREATE DATABASE ${shardDatabases.measure}`);
  await command(`CREATE DATABASE ${shardDatabases.bmp}`);
  for (const [table, condition] of parts) {
    const rows = `SELECT * FROM ${wholeDatabase}.${table} WHERE ${condition}`;
    await command(`CREATE VIEW ${shardDatabases.measure}.${table} AS ${rows}`);
  }
  const updates = `SELECT * FROM ${wholeDatabase}_bmp.updates WHERE shardNum() = 1`;
  await command(`CREATE VIEW ${shardDatabases.bmp}.updates AS ${updates}`);
  if (isFront) {
    await makeFront(engine.store, { cluster, databases: shardDatabases });
  }
  return engine;
}
