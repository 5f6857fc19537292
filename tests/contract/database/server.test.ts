/** A database server as others know it: it goes away, it comes back, several programs start on it at once. */
import { expect, test } from "bun:test";
import { probingSchema } from "../../../apps/probing/gateway/migrations.ts";
import { isFailure } from "../../../lib/base/failure/failure.ts";
import { isOutage } from "../../../lib/base/failure/outage.ts";
import { migrate } from "../../../lib/engines/store/postgres/migrate.ts";
import { openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { embeddedHome } from "../../postgres/embedded.ts";
import { startPostgres } from "../../postgres/postgres.ts";
import { until } from "../../run/until.ts";

const options = { applicationName: "vantage test" };

test("programs that start at once apply each migration once between them", async () => {
  await using server = await startPostgres();
  const address = await server.createDatabase();
  await using owned = new AsyncDisposableStack();
  const programs = await Promise.all([1, 2, 3, 4].map(() => openDatabase(address, options)));
  for (const program of programs) {
    owned.use(program);
  }
  const applied = await Promise.all(programs.map((program) => migrate(program, probingSchema)));
  expect(applied.flat().toSorted((a, b) => a - b)).toEqual(
    probingSchema.migrations.map(({ number }) => number),
  );
});

test("PostgreSQL compiles no statement, whatever it thinks of its cost", async () => {
  await using server = await startPostgres();
  await using database = await openDatabase(await server.createDatabase(), options);
  const plan =
    await database.sql`EXPLAIN SELECT sum(n) FROM generate_series(1, 1000000) AS n, generate_series(1, 1000000)`;
  expect(JSON.stringify(plan)).not.toContain("JIT");
});

test.each(["stop", "kill"] as const)(
  "after a %s questions fail as an outage; when the server is back the same pool goes on",
  async (end) => {
    await using server = await startPostgres();
    await using database = await openDatabase(await server.createDatabase(), options);
    await database.sql`CREATE TABLE kept AS SELECT 7 AS n`;
    const slow = Promise.resolve(database.sql`SELECT pg_sleep(60)`).catch((error: unknown) => error);
    await until(async () => {
      const running = await database.sql`SELECT 1 FROM pg_stat_activity WHERE query LIKE '%sleep(60)'`;
      return running.length > 0;
    });
    await server[end]();
    expect(isOutage(await slow)).toBe(true);
    const refused = await Promise.resolve(database.sql`SELECT 1`).catch((error: unknown) => error);
    expect(isOutage(refused)).toBe(true);
    await server.startAgain();
    expect(await database.sql`SELECT n FROM kept`).toMatchObject([{ n: 7 }]);
    const wrong = await Promise.resolve(database.sql`SELECT nonsense`).catch((error: unknown) => error);
    expect(isOutage(wrong)).toBe(false);
  },
);

test("a transaction gets its connection, however many statements wait for that", async () => {
  await using server = await startPostgres();
  await using database = await openDatabase(await server.createDatabase(), { ...options, connectionsMax: 1 });
  // The client fills a connection with 100 statements, or until its socket takes no more: BEGIN may be the last.
  for (const before of [0, 1, 98, 99, 100, 101, 20_000]) {
    const statements = Array.from({ length: before }, () => database.sql`SELECT 1`.execute());
    const sum = database.sql.begin(async (tx) => {
      await tx`CREATE TEMPORARY TABLE here ON COMMIT DROP AS SELECT 7 AS n`;
      return await tx`SELECT n FROM here`;
    });
    const after = database.sql`SELECT pg_catalog.to_regclass('here') AS there`.execute();
    expect(await sum).toMatchObject([{ n: 7 }]);
    expect(await after).toMatchObject([{ there: null }]);
    await Promise.all(statements);
  }
});

test("an address that cannot work says why and what to do, and never the password", async () => {
  await using server = await startPostgres();
  const withPassword = (port: number, name: string) => `postgres://postgres:hush@127.0.0.1:${port}/${name}`;
  expect(await failure(withPassword(server.port, "absent"))).toBe(
    `Cannot open the database postgres://postgres@127.0.0.1:${server.port}/absent: ` +
      'database "absent" does not exist; make it with createdb, or give another name',
  );
  expect(await failure(withPassword(server.port, "postgres").replace("postgres:", "nobody:"))).toContain(
    "nobody",
  );
  await server.stop();
  expect(await failure(withPassword(server.port, "postgres"))).toContain("check that it runs");
  expect(await failure("mysql://root:hush@host/x")).toContain(
    "give pglite:DIRECTORY or postgres://USER@HOST/NAME",
  );
  expect(await failure("pglite:")).toContain("a directory must follow");
});

test("an embedded directory is one process's own", async () => {
  await using owned = new AsyncDisposableStack();
  const { address } = owned.use(await embeddedHome());
  owned.use(await openDatabase(address, options));
  expect(await failure(address)).toContain("another process runs its database there; stop it");
});

async function failure(address: string): Promise<string> {
  const error = await openDatabase(address, options).catch((reason: unknown) => reason);
  if (!isFailure(error, "database")) {
    throw new Error(`Opened ${address}, or failed otherwise: ${error}`);
  }
  expect(error.message).not.toContain("hush");
  return error.message;
}
