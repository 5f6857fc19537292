/** Where SQL stays shut: at an engine that does not keep readers to their rows, without an account, by the operator. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { GatewayHome } from "../probing-gateway/gateway-home.ts";
import { hasOlderVersions, OlderStore } from "../store/older/older-store.ts";

let database: EngineHome;

beforeAll(async () => {
  database = await startEngine();
});
afterAll(() => database?.[Symbol.asyncDispose]());

async function answered(yaml: string, query = "") {
  await using home = await GatewayHome.start({ databaseAddress: await database.freshDatabase(), yaml });
  const user = query === "" ? "ann" : null;
  const response = await home.ask(user, `/api/sql${query}`, { method: "POST", body: "SELECT 1" });
  return [
    response.status,
    response.headers.get("x-clickhouse-exception-code"),
    await response.text(),
  ] as const;
}

test("without a store, and where the operator has not opened it", async () => {
  const [status, code, text] = await answered("");
  expect([status, code]).toEqual([404, "497"]);
  expect(text).toContain("This gateway has no column store");
  expect((await answered("sql: { enabled: false }"))[2]).toContain("sql.enabled");
});

test("a server needs an account of its own; the public reader needs the operator's consent", async () => {
  const server = 'store: { address: "http://127.0.0.1:9" }';
  expect((await answered(server))[2]).toContain("its operator sets sql.address");
  const [status, code] = await answered(server, "?user=read&password=read");
  expect([status, code]).toEqual([401, "516"]);
});

test("a store that does not answer is unavailable, not open", async () => {
  const address = "http://vantage_sql:x@127.0.0.1:9";
  const [status] = await answered(`store: { address: "http://127.0.0.1:9" }\nsql: { address: "${address}" }`);
  expect(status).toBe(503);
});

test.skipIf(!hasOlderVersions)(
  "an engine whose account for readers has more rights is not used",
  async () => {
    await using older = await OlderStore.start("25.8");
    const yaml = `store: { address: "${older.address}" }\nsql: { address: "${older.address}" }`;
    const [, , none] = await answered(yaml);
    expect(none).toContain("SQL is not open at this column store: its views for readers do not answer");
    for (const query of [
      "CREATE DATABASE vantage",
      "CREATE VIEW vantage.replies AS SELECT 1 AS a WHERE 0",
      "CREATE DATABASE measure",
      "CREATE TABLE measure.replies (a UInt8) ENGINE = Memory",
    ]) {
      await older.store.client.command({ query });
    }
    const [status, , text] = await answered(yaml);
    expect(status).toBe(503);
    expect(text).toContain("its account of readers reads rows of all users");
  },
);
