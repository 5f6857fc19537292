/** What both engines of the database promise: `pglite:` and `postgres://` behave the same to those who use them. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { probingSchema } from "../../../apps/probing/gateway/migrations.ts";
import { type FailureCodes, isFailure } from "../../../lib/base/failure/failure.ts";
import { migrate, type Schema } from "../../../lib/engines/store/postgres/migrate.ts";
import { type Database, openDatabase, type QueryTime } from "../../../lib/engines/store/postgres/open.ts";
import { type EngineHome, everyEngine, startEngine } from "../../postgres/engines.ts";

const allNumbers = probingSchema.migrations.map(({ number }) => number);

describe.each([...everyEngine])("%s", (engine) => {
  let home: EngineHome;
  beforeAll(async () => {
    home = await startEngine(engine);
  });
  afterAll(() => home[Symbol.asyncDispose]());

  async function open(address?: string, onQuery?: (query: QueryTime) => void): Promise<Database> {
    const options = { applicationName: "vantage test", ...(onQuery === undefined ? {} : { onQuery }) };
    return openDatabase(address ?? (await home.freshDatabase()), options);
  }

  test("the schema of the probing gateway is made once, and is there after opening again", async () => {
    const address = await home.freshDatabase();
    {
      await using first = await open(address);
      expect(await migrate(first, probingSchema)).toEqual(allNumbers);
      expect(await migrate(first, probingSchema)).toEqual([]);
    }
    await using again = await open(address);
    expect(await migrate(again, probingSchema)).toEqual([]);
    expect(await again.sql`SELECT count(*) AS n FROM platform`).toMatchObject([{ n: 1 }]);
  });

  test("a schema with migrations that we do not know is refused", async () => {
    await using database = await open();
    await migrate(database, probingSchema);
    const older = { ...probingSchema, migrations: probingSchema.migrations.slice(0, 2) };
    expect(await codeOf(migrate(database, older))).toBe("newerSchema");
  });

  test("a migration that was changed after it was applied is refused", async () => {
    await using database = await open();
    await migrate(database, schemaOf("CREATE TABLE a (x int)"));
    expect(await codeOf(migrate(database, schemaOf("CREATE TABLE a (x bigint)")))).toBe("changedMigration");
  });

  test("the database of another service is refused", async () => {
    await using database = await open();
    await migrate(database, schemaOf("CREATE TABLE a (x int)"));
    const other = { ...schemaOf("CREATE TABLE a (x int)"), name: "peering" as const };
    expect(await codeOf(migrate(database, other))).toBe("newerSchema");
  });

  test("a migration that fails leaves nothing of itself, and all of those before it", async () => {
    await using database = await open();
    const broken = schemaOf("CREATE TABLE a (x int)", "CREATE TABLE b (x int); SELECT nonsense");
    expect(await codeOf(migrate(database, broken))).toBe("refusedMigration");
    expect(await tables(database)).toEqual(["a", "schema_migrations"]);
    expect(await migrate(database, schemaOf("CREATE TABLE a (x int)", "CREATE TABLE b (x int)"))).toEqual([
      2,
    ]);
  });

  test("values come as the types that our code expects", async () => {
    await using database = await open();
    const [row] = await database.sql`
      SELECT 4294967295::bigint AS number, '2026-02-03'::date AS day, 'a=>1'::text AS text, '\\x00ff'::bytea AS bytes,
        '2026-02-03T04:05:06.789Z'::timestamptz AS at, '{"a":[1]}'::jsonb AS json, ARRAY['b','c'] AS list,
        '2001:db8::/32'::cidr AS prefix`;
    expect({ ...row, bytes: [...(row?.bytes ?? [])] }).toEqual({
      ...{ number: 4294967295, day: "2026-02-03", text: "a=>1", bytes: [0, 255], json: { a: [1] } },
      ...{ at: new Date("2026-02-03T04:05:06.789Z"), list: ["b", "c"], prefix: "2001:db8::/32" },
    });
  });

  test("a bigint that a number cannot hold is an error, not another number", async () => {
    await using database = await open();
    const asked = Promise.resolve(database.sql`SELECT 9007199254740993::bigint AS number`);
    expect(await asked.catch(String)).toContain("9007199254740993");
  });

  test("ranges that must not overlap are kept apart", async () => {
    await using database = await open();
    await migrate(
      database,
      schemaOf(`CREATE EXTENSION btree_gist;
        CREATE TABLE held (prefix cidr, who text, EXCLUDE USING gist (prefix inet_ops WITH &&, who WITH <>))`),
    );
    await database.sql`INSERT INTO held VALUES ('2001:db8::/48', 'a')`;
    const second = Promise.resolve(database.sql`INSERT INTO held VALUES ('2001:db8::/56', 'b')`);
    expect(await second.catch(({ code }) => code)).toBe("23P01");
  });

  test("a named query is measured, also when it fails", async () => {
    const seen: QueryTime[] = [];
    await using database = await open(undefined, (query) => seen.push(query));
    expect(await database.timed("one", () => database.sql`SELECT 1 AS n`)).toMatchObject([{ n: 1 }]);
    await database.timed("two", () => database.sql`SELECT nonsense`).catch(() => {});
    expect(seen).toMatchObject([
      { name: "one", failed: false },
      { name: "two", failed: true },
    ]);
    expect(seen.every(({ elapsedMs }) => elapsedMs > 0)).toBe(true);
  });
});

function schemaOf(...texts: string[]): Schema {
  return {
    name: "probing",
    migrations: texts.map((text, i) => ({ number: i + 1, name: `m${i + 1}`, text })),
  };
}

async function tables({ sql }: Database): Promise<string[]> {
  const rows = await sql`SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`;
  return rows.map(({ tablename }) => tablename);
}

async function codeOf(work: Promise<unknown>): Promise<FailureCodes["database"] | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (isFailure(error, "database")) {
      return error.code;
    }
    throw error;
  }
}
