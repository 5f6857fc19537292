import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EmbeddedBroker } from "./embedded-broker.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-log-"));
afterAll(() => rmSync(folder, { recursive: true }));

const record = { key: "k", value: new Uint8Array([1]), headers: {} };
const topicOf = (name: string) => ({ name, partitions: 1, retentionMs: 3_600_000 });

describe("a file that is not a log", () => {
  test("is refused when it holds something else", async () => {
    writeFileSync(join(folder, "text.log"), "2026-01-01 00:00:00 something happened\n".repeat(500));
    await using broker = new EmbeddedBroker(folder, {});
    const refusal = { code: "refused", message: expect.stringContaining("its file is damaged or not a log") };
    await expect(broker.publish("text", [record])).rejects.toMatchObject(refusal);
    await expect(broker.ensureTopic(topicOf("text"))).rejects.toMatchObject(refusal);
  });

  test("is refused when a later program has made it", async () => {
    await using broker = new EmbeddedBroker(folder, {});
    await broker.ensureTopic(topicOf("later"));
    const database = new Database(join(folder, "later.log"));
    database.run("PRAGMA user_version = 3");
    database.close();
    await expect(broker.publish("later", [record])).rejects.toMatchObject({
      code: "refused",
      message: expect.stringContaining("later.log: it has log version 3, this program knows up to 2"),
    });
  });

  test("is completed when its making was broken off", async () => {
    writeFileSync(join(folder, "empty.log"), "");
    await using broker = new EmbeddedBroker(folder, {});
    await expect(broker.publish("empty", [record])).rejects.toMatchObject({
      code: "refused",
      message: 'Cannot use topic "empty": it has not been created',
    });
    await broker.ensureTopic(topicOf("empty"));
    expect(await broker.publish("empty", [record])).toEqual([{ partition: 0, offset: 0n }]);
  });
});

test("several make one topic at once: all succeed, and it is one topic", async () => {
  const brokers = Array.from({ length: 8 }, () => new EmbeddedBroker(folder, {}));
  await Promise.all(brokers.map((broker) => broker.ensureTopic(topicOf("together"))));
  await Promise.all(brokers.map((broker) => broker.publish("together", [record])));
  expect((await brokers[0]?.positions("g", "together"))?.[0]?.end).toBe(8n);
  await Promise.all(brokers.map((broker) => broker[Symbol.asyncDispose]()));
});

test("a group may have any name, in a file of its own", async () => {
  await using broker = new EmbeddedBroker(folder, {});
  await broker.ensureTopic(topicOf("named"));
  await using first = await broker.subscribe("../a b/ü", ["named"]);
  await using second = await broker.subscribe("..", ["named"]);
  expect([first, second].length).toBe(2);
  const locks = readdirSync(folder).filter((name) => name.endsWith(".group"));
  expect(locks.sort()).toEqual(["named...%2Fa%20b%2F%C3%BC.group", "named....group"]);
  await expect(broker.subscribe("", ["named"])).rejects.toMatchObject({ code: "refused" });
});

test("a log of version 1 keeps its records, and takes more", async () => {
  {
    await using broker = new EmbeddedBroker(folder, {});
    await broker.ensureTopic(topicOf("former"));
    await broker.publish("former", [record]);
  }
  const database = new Database(join(folder, "former.log"));
  database.run("ALTER TABLE pack DROP COLUMN records");
  database.run("ALTER TABLE pack RENAME TO record");
  database.run("PRAGMA user_version = 1");
  database.close();
  await using broker = new EmbeddedBroker(folder, {});
  const places = await broker.publish("former", [record, record]);
  expect(places.map(({ offset }) => offset)).toEqual([1n, 2n]);
  await using subscription = await broker.subscribe("g", ["former"]);
  const read = await subscription.next({ recordsMax: 10, waitMs: 0 });
  expect(read.map(({ offset, value }) => [offset, value])).toEqual(
    [0n, 1n, 2n].map((at) => [at, record.value]),
  );
});
