import { expect, test } from "bun:test";
import { unitsOf } from "./rounds.ts";
import { UnitTables } from "./unit-tables.ts";

const lengths = { subnet_ipv4: 24, subnet_ipv6: 64 };

test("a table is built once; beyond the limit the least recently used are evicted", async () => {
  const tables = new UnitTables(3 * 17);
  const made: string[] = [];
  const ask = (key: string, text = "192.0.2.0/24") =>
    tables.of(key, () => {
      made.push(key);
      return unitsOf(text, lengths);
    });
  expect(await ask("a")).toBe(await ask("a"));
  await Promise.all([ask("b"), ask("b"), ask("c")]);
  await ask("a");
  await ask("d");
  expect([made, tables.bytes]).toEqual([["a", "b", "c", "d"], 3 * 17]);
  await ask("a");
  await ask("b");
  expect(made).toEqual(["a", "b", "c", "d", "b"]);
});

test("one that could not be made is made again", async () => {
  const tables = new UnitTables();
  await expect(tables.of("a", () => unitsOf("x", lengths))).rejects.toThrow("line 1");
  expect((await tables.of("a", () => unitsOf("192.0.2.0/24", lengths))).size).toBe(1);
});
