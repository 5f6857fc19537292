/** The loopback endpoint of the embedded store: what it answers, to whom, and one process a directory. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { readEndpoint } from "../../../lib/engines/store/clickhouse/endpoint-file.ts";
import { checkVersion } from "../../../lib/engines/store/clickhouse/migrate.ts";
import { openStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { Part, TestStore } from "./processes.ts";

let store: TestStore;

beforeAll(async () => {
  store = await TestStore.start("empty");
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

function endpoint() {
  const found = readEndpoint(store.below("store"));
  if (found === null) {
    throw new Error("The store has no endpoint");
  }
  return found;
}

function post(sql: string, { password = endpoint().token, search = "" } = {}): Promise<Response> {
  const headers = { authorization: `Basic ${btoa(`anybody:${password}`)}` };
  return fetch(`${endpoint().url}/?${search}`, { method: "POST", headers, body: sql });
}

test("the client's ping, parameters, formats and settings work", async () => {
  const { client } = store.store;
  expect((await client.ping()).success).toBe(true);
  const text = 'it\'s "quoted"\n\t\\ ä';
  const rows = await store.rows<object>(
    "SELECT {text:String} AS text, {list:Array(UInt8)} AS list, {none:Nullable(String)} AS none",
    { text, list: [1, 2], none: null },
  );
  expect(rows).toEqual([{ text, list: [1, 2], none: null }]);
  const set = await client.query({
    query: "SELECT getSetting('max_result_rows') AS most",
    clickhouse_settings: { max_result_rows: "77" },
    format: "JSON",
  });
  expect((await set.json<{ most: number }>()).data).toEqual([{ most: 77 }]);
  // It lasted for that statement alone.
  expect(await store.rows<object>("SELECT toUInt8(getSetting('max_result_rows') = 77) AS most")).toEqual([
    { most: 0 },
  ]);
});

test("a result that is not read to its end leaves nothing behind on its thread", async () => {
  const [before] = await store.rows<object>("SELECT toUInt32(getSetting('max_block_size')) AS size");
  for (let i = 0; i < 6; i++) {
    const result = await store.store.client.query({
      query: "SELECT number FROM numbers(1000000)",
      clickhouse_settings: { max_block_size: "1000" },
      format: "JSONEachRow",
    });
    for await (const _ of result.stream()) {
      break;
    }
  }
  await mustBeOnAllThreads({ ...before, slept: 0 });
});

test("nor does one that fails, at once or between blocks", async () => {
  const [before] = await store.rows<object>("SELECT toUInt32(getSetting('max_block_size')) AS size");
  for (const failing of ["SELECT nothing", "SELECT throwIf(number = 900000) FROM numbers(1000000)"]) {
    for (let i = 0; i < 6; i++) {
      const query = { query: failing, clickhouse_settings: { max_block_size: "1000" } } as const;
      const read = async () => (await store.store.client.query({ ...query, format: "JSONEachRow" })).json();
      await expect(read()).rejects.toThrow();
    }
  }
  await mustBeOnAllThreads({ ...before, slept: 0 });
});

/** All threads at once, so that each is asked. */
async function mustBeOnAllThreads(expected: object): Promise<void> {
  const sizes = Array.from({ length: 3 }, () =>
    store.rows<object>("SELECT toUInt32(getSetting('max_block_size')) AS size, sleep(0.3) AS slept"),
  );
  for (const [size] of await Promise.all(sizes)) {
    expect(size).toEqual(expected);
  }
}

test("rows go in as objects, and come out", async () => {
  await store.command("CREATE TABLE people (name String, age UInt8) ENGINE = MergeTree ORDER BY name");
  const values = [
    { name: 'A "B"\n', age: 1 },
    { name: "C", age: 2 },
  ];
  await store.store.client.insert({ table: "people", values, format: "JSONEachRow" });
  expect(await store.rows<object>("SELECT * FROM people ORDER BY name")).toEqual(values);
});

test("a refused statement has ClickHouse's number, also between blocks; the store lives on", async () => {
  await expect(store.rows("SELECT nothing")).rejects.toMatchObject({ code: "47" });
  await expect(store.rows("SELEC 1")).rejects.toMatchObject({ code: "62" });
  await expect(store.command("DROP TABLE nothing")).rejects.toMatchObject({ code: "60" });
  const late = store.rows(
    "SELECT throwIf(number = 900000) FROM numbers(1000000) SETTINGS max_block_size = 1000",
  );
  await expect(late).rejects.toThrow();
  expect(await store.rows<object>("SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

test.each(["", "wrong", "x".repeat(64)])("the wrong secret %p opens nothing", async (password) => {
  const answer = await post("SELECT 1", { password });
  expect([answer.status, await answer.text()]).toEqual([
    403,
    "Code: 516. DB::Exception: Wrong secret. (AUTHENTICATION_FAILED)",
  ]);
});

test("a setting's name is no way to SQL", async () => {
  const answer = await post("SELECT 1", { search: "max_threads%3D1%2Cmax_rows%3D2=3" });
  expect(answer.status).toBe(200);
  const value = await post("SELECT 1", { search: "max_threads=1%27%2C%20max_result_rows%3D%271" });
  expect(value.status).toBe(500);
});

test("the secret is the owner's alone, and listens on the loopback alone", () => {
  expect(statSync(store.below("store/endpoint.json")).mode & 0o777).toBe(0o600);
  expect(endpoint().url).toStartWith("http://127.0.0.1:");
  expect(endpoint().token).toMatch(/^[0-9a-f]{64}$/);
});

test("a directory has one store: a second process says so and ends", async () => {
  await using second = new Part(["store", "--dir", store.below("store")]);
  expect(await second.ended()).toBe(1);
  expect(second.said).toEqual([
    `vantage stack store: Cannot use ${store.below("store")}: another process runs a store there; ` +
      "stop it, or choose another directory",
  ]);
  expect(await store.rows<object>("SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

test("a directory without a process, or a missing one, is reported in one line", async () => {
  const nothing = `chdb:${store.below("nothing")}`;
  await expect(openStore(nothing)).rejects.toMatchObject({
    code: "unavailable",
    message: `Cannot open the column store ${nothing}: nothing runs it; start it with vantage stack`,
  });
  await expect(openStore("chdb:")).rejects.toMatchObject({ code: "badAddress" });
  await expect(openStore("clickhouse.example")).rejects.toMatchObject({
    code: "badAddress",
    message: 'Cannot open the column store "clickhouse.example": give chdb:DIR or http(s)://HOST:PORT',
  });
  await expect(openStore("http://user:secret@127.0.0.1:1")).rejects.toMatchObject({
    code: "unavailable",
    message: expect.not.stringContaining("secret"),
  });
  await expect(checkVersion(store.store)).rejects.toMatchObject({ code: "version" });
});

test("killed and started again, the store has all that it had acknowledged", async () => {
  await store.command("CREATE TABLE kept (i UInt32) ENGINE = MergeTree ORDER BY i");
  let acknowledged = 0;
  const values = Array.from({ length: 500 }, (_, i) => ({ i }));
  const inserting = (async () => {
    for (;;) {
      await store.store.client.insert({ table: "kept", values, format: "JSONEachRow" });
      acknowledged++;
    }
  })().catch((error: unknown) => error);
  while (acknowledged < 5) {
    await Bun.sleep(5);
  }
  await store.kill();
  expect(await inserting).toBeInstanceOf(Error);
  await store.restart();
  const [row] = await store.rows<{ n: number }>("SELECT toUInt32(count()) AS n FROM kept");
  const batches = (row?.n ?? 0) / values.length;
  expect(batches).toBeGreaterThanOrEqual(acknowledged);
  expect(batches).toBeLessThanOrEqual(acknowledged + 1);
  expect(Number.isInteger(batches)).toBe(true);
});

test("told to stop, it ends by itself with 0, and takes its endpoint with it", async () => {
  store.part.process.kill("SIGTERM");
  expect(await store.part.ended()).toBe(0);
  expect(readEndpoint(store.below("store"))).toBeNull();
});
