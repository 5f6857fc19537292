/**
 * The accounts of `deploy/make-secrets.sh` at ClickHouse, each held to its grants by the real engine while its service
 * does all that it does there, and what else is refused.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { storeSource } from "../../../lib/answers/results/store-source.ts";
import { viewNames, viewOf } from "../../../lib/answers/results/views.ts";
import type { OutgoingRecord } from "../../../lib/engines/broker/broker.ts";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { countReplies } from "../../../lib/engines/store/clickhouse/count-rows.ts";
import { migrate } from "../../../lib/engines/store/clickhouse/migrate.ts";
import { freshnessOf } from "../../../lib/engines/store/clickhouse/table-freshness.ts";
import { countUserRows, eraseUserRows, userLines } from "../../../lib/engines/store/clickhouse/user-rows.ts";
import { encodeProbes } from "../../../lib/net/wire/probe-codec.ts";
import { encodeReply } from "../../../lib/net/wire/reply-codec.ts";
import {
  encodeTargetHeader,
  probesTopic,
  repliesTopic,
  updatesTopic,
} from "../../../lib/net/wire/target-header.ts";
import { encodeUpdate } from "../../../lib/net/wire/update-codec.ts";
import { addressContextsIn } from "../../enrich/sample-sets.ts";
import { until } from "../../run/until.ts";
import { AccountStore, AccountsFolder } from "./account-store.ts";
import { Part, sqlValues } from "./processes.ts";
import { measurement, routeUpdate, sampleProbe, sampleReply } from "./samples.ts";

const selection = { measurementIds: [measurement], sources: [] };
const dashboard = join(import.meta.dirname, "../../../deploy/grafana/vantage-results.json");
let folder: AccountsFolder;

beforeAll(async () => {
  folder = await AccountsFolder.make();
  await using owner = await AccountStore.start(folder, "vantage");
  expect((await migrate(owner.store, sqlValues)).applied.length).toBeGreaterThan(0);
});
afterAll(() => folder[Symbol.dispose]());

const header = encodeTargetHeader({
  ...{ srcIp: "", measurementId: measurement, endOfMeasurement: true, firstProbe: 0, notAfterMs: null },
});
const headers = { measurement_id: measurement, probe_agent: "agent-1", probe_instance: "0" };
const records: Readonly<Record<string, OutgoingRecord[]>> = {
  [repliesTopic]: [
    { key: "k", value: encodeReply(sampleReply(1)), headers },
    { key: "k", value: new TextEncoder().encode("this is not a reply"), headers },
  ],
  [probesTopic]: [{ key: "k", value: encodeProbes([sampleProbe(0)]), headers: { "agent-1": header } }],
  [updatesTopic]: [{ key: "k", value: encodeUpdate(routeUpdate), headers: {} }],
};

test("the ingester stores replies, bad messages, probes and routes, and may erase and create nothing", async () => {
  await using broker = await openBroker(`embedded:${folder.below("broker")}`);
  await using ingester = await AccountStore.start(folder, "vantage_ingester");
  const program = ["ingest", "--broker", `embedded:${folder.below("broker")}`, "--store", folder.address];
  await using _part = await Part.start(...program, "--dir", folder.below("ingest"), "--child");
  for (const [topic, own] of Object.entries(records)) {
    await broker.publish(topic, own);
  }
  for (const table of ["measure.replies", "measure.replies_rejected", "measure.probes", "bmp.updates"]) {
    await until(async () => {
      const query = `SELECT count() > 0 AS is_there FROM ${table}`;
      const found = await ingester.store.client.query({ query, format: "JSONEachRow" });
      return (await found.text()).includes("1");
    });
  }
  expect(await ingester.tries("ALTER TABLE measure.replies DELETE WHERE 1")).toBe("ACCESS_DENIED");
  expect(await ingester.tries("TRUNCATE TABLE bmp.updates")).toBe("ACCESS_DENIED");
  expect(await ingester.tries("CREATE TABLE measure.mine (a UInt8) ENGINE = Null")).toBe("ACCESS_DENIED");
});

test("the gateway answers every view, counts, exports and erases rows, and may write and create none", async () => {
  await using gateway = await AccountStore.start(folder, "vantage_gateway");
  const { store } = gateway;
  const source = storeSource(store, addressContextsIn(folder.below("context")));
  for (const name of viewNames) {
    const query = { limit: null, filter: { measurementId: measurement } };
    const { texts } = await source.ask(viewOf(name), query, "ndjson");
    await Array.fromAsync(texts);
  }
  for (const feed of ["replies", "probes", "updates"] as const) {
    expect(await freshnessOf(store, feed)).toMatchObject({ rows_last_minute: expect.any(Number) });
  }
  expect(await countReplies(store, { measurementId: measurement })).toBe(1);
  expect((await Array.fromAsync(userLines(store, "replies", selection))).length).toBeGreaterThan(0);
  const refused = [
    "INSERT INTO measure.probes SELECT * FROM measure.probes",
    "DROP TABLE measure.replies",
    "ALTER TABLE measure.replies UPDATE agent_id = 'x' WHERE 1",
    "ALTER TABLE bmp.updates DELETE WHERE 1",
    "SELECT * FROM system.users",
    "SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a String')",
    "SELECT * FROM file('/etc/passwd', 'LineAsString')",
    "CREATE USER mine",
  ];
  const answers = await Promise.all(refused.map(async (query) => [query, await gateway.tries(query)]));
  expect(answers).toEqual(refused.map((query) => [query, "ACCESS_DENIED"]));
  await eraseUserRows(store, selection);
  expect(await countUserRows(store, selection)).toEqual({ replies: 0, probes: 0, history: 0 });
});

test("Grafana reads results, and nothing else", async () => {
  await using grafana = await AccountStore.start(folder, "grafana");
  const tables = new Set(readFileSync(dashboard, "utf8").match(/\b(measure|bmp)\.\w+/g));
  expect(tables.size).toBeGreaterThan(0);
  for (const table of tables) {
    expect(await grafana.tries(`SELECT * FROM ${table} LIMIT 1 FORMAT Null`)).toBe("done");
  }
  expect(await grafana.tries("INSERT INTO measure.probes SELECT * FROM measure.probes")).toBe(
    "ACCESS_DENIED",
  );
  expect(await grafana.tries("ALTER TABLE measure.replies DELETE WHERE 1")).toBe("ACCESS_DENIED");
  expect(await grafana.tries("SELECT * FROM file('/etc/passwd', 'LineAsString')")).toBe("ACCESS_DENIED");
});
