/** A statement that fails takes nothing from those before and after it on its connection, and leaves them nothing. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Database, openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { type EngineHome, everyEngine, startEngine } from "../../postgres/engines.ts";

describe.each([...everyEngine])("%s", (engine) => {
  let home: EngineHome;
  let database: Database;
  beforeAll(async () => {
    home = await startEngine(engine);
    const options = { applicationName: "vantage test", connectionsMax: 1 };
    database = await openDatabase(await home.freshDatabase(), options);
  });
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  });

  const failsAfter = (rows: number) =>
    database.sql`SELECT 1 / (${rows + 1}::int - i), repeat('x', 1000) FROM generate_series(1, 5000) AS i`;

  test.each([0, 1, 2, 4000])("an error after %d rows leaves none to the next statement", async (rows) => {
    const { sql } = database;
    // Prepared for the first time, then prepared before.
    for (const _ of [1, 2]) {
      expect(await messageOf(failsAfter(rows))).toBe("division by zero");
      expect([...(await sql`SELECT i FROM generate_series(1, 3) AS i`)]).toEqual(
        [1, 2, 3].map((i) => ({ i })),
      );
    }
    const [failed, next, simple] = await Promise.all([
      messageOf(failsAfter(rows)),
      sql`SELECT 7 AS n`,
      sql.unsafe("SELECT 8 AS n; SELECT 9 AS n"),
    ]);
    expect(failed).toBe("division by zero");
    expect([...next]).toEqual([{ n: 7 }]);
    expect(simple).toMatchObject([[{ n: 8 }], [{ n: 9 }]]);
  });

  test("a value that cannot be sent fails its own statement only", async () => {
    const { sql } = database;
    const ask = (day: Date) => sql`SELECT ${day}::timestamptz AS at`;
    const never = new Date(Number.NaN);
    const epoch = new Date(0);
    // Before the statement is prepared, and after it.
    for (const _ of [1, 2]) {
      const asked = [ask(epoch), ask(never), sql`SELECT 7 AS n`, ask(never), ask(epoch), sql`SELECT 8 AS n`];
      const settled = await Promise.allSettled(asked);
      const values = settled.map((each) => (each.status === "fulfilled" ? [...each.value] : "refused"));
      expect(values).toEqual([
        [{ at: epoch }],
        "refused",
        [{ n: 7 }],
        "refused",
        [{ at: epoch }],
        [{ n: 8 }],
      ]);
    }
    expect(await messageOf(ask(never))).toContain("Invalid");
    expect([...(await sql`SELECT 9 AS n`)]).toEqual([{ n: 9 }]);
  });

  test("what a transaction asks after its end is refused, as its connection is others'", async () => {
    const { sql } = database;
    await sql`CREATE TEMPORARY TABLE kept (n int)`;
    const late = Promise.withResolvers<string>();
    const failed = sql.begin(async (tx) => {
      const goes = async () => {
        await tx`SELECT pg_sleep(0.01)`;
        await late.promise.catch(() => {});
        return tx`INSERT INTO kept VALUES (1)`;
      };
      const inserted = goes();
      outlived = messageOf(inserted);
      throw new Error("changed my mind");
    });
    let outlived = Promise.resolve("");
    expect(await messageOf(failed)).toBe("changed my mind");
    late.resolve("now");
    expect(await outlived).toContain("transaction has ended");
    expect([...(await sql`SELECT n FROM kept`)]).toEqual([]);
  });
});

function messageOf(asked: PromiseLike<unknown>): Promise<string> {
  return Promise.resolve(asked).then(
    () => "",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}
