/** Copies of an embedded database, made between the statements of transactions: each is whole, and of one moment. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyRunning } from "../../../lib/engines/store/postgres/embedded-copy.ts";
import { type Database, openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { until } from "../../exchange/until.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-copy-"));
const home = join(folder, "database");
const accounts = 10;
const copies = 6;
let database: Database;

beforeAll(async () => {
  database = await openDatabase(`pglite:${home}`, { applicationName: "test" });
  await database.sql`CREATE TABLE accounts (id integer PRIMARY KEY, balance integer NOT NULL)`;
  await database.sql`INSERT INTO accounts SELECT n, 100 FROM generate_series(1, ${accounts}::integer) AS n`;
  await database.sql`CREATE TABLE transfers (n integer PRIMARY KEY, note text)`;
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test("of a database that is written to", async () => {
  let [transfers, isOver] = [0, false];
  const writing = (async () => {
    while (!isOver) {
      const n = ++transfers;
      await database.sql.begin(async (tx) => {
        await tx`UPDATE accounts SET balance = balance - 1 WHERE id = ${1 + (n % accounts)}`;
        await tx`INSERT INTO transfers VALUES (${n}, ${"x".repeat(n % 500)})`;
        await tx`UPDATE accounts SET balance = balance + 1 WHERE id = ${1 + ((n + 3) % accounts)}`;
      });
      // Otherwise the files of tables change only rarely, and a copy that takes its time would do, too.
      await (n % 5 === 0 ? database.sql`CHECKPOINT` : undefined);
    }
  })();
  for (let i = 0; i < copies; i++) {
    const target = join(folder, `copy${i}`);
    mkdirSync(target);
    const before = transfers - 1;
    expect(await copyRunning(home, target)).toBe(true);
    await using copy = await openDatabase(`pglite:${target}`, { applicationName: "test" });
    const [sums] = await copy.sql`SELECT sum(balance)::integer AS balance FROM accounts`;
    expect(sums).toEqual({ balance: 100 * accounts });
    const [rows] = await copy.sql`SELECT count(*) AS count, max(n) AS last FROM transfers`;
    expect(rows?.count).toBe(rows?.last ?? 0);
    expect(rows?.count).toBeGreaterThanOrEqual(before);
    const enough = transfers + 20;
    await until("transfers after a copy", () => transfers > enough);
  }
  isOver = true;
  await writing;
  await until("the end of the copies", () => !readdirSync(home).some((name) => /^copy-/.test(name)));
});

test("of one that does not run there is none", async () => {
  const target = join(folder, "none");
  mkdirSync(target);
  expect(await copyRunning(target, join(folder, "other"))).toBe(false);
});
