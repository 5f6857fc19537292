/** Connection poolers before PostgreSQL: those in session mode are used, others are named instead of used. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { probingSchema } from "../../../apps/probing/gateway/migrations.ts";
import { isFailure } from "../../../lib/base/failure/failure.ts";
import { migrate } from "../../../lib/engines/store/postgres/migrate.ts";
import { openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { PgBouncer } from "../../postgres/pgbouncer.ts";
import { startPostgres } from "../../postgres/postgres.ts";
import type { PostgresProcess } from "../../postgres/postgres-process.ts";
import { until } from "../../run/until.ts";

const options = { applicationName: "vantage test" };
let server: PostgresProcess;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

test("a session pooler is used like the server", async () => {
  await using pooler = await PgBouncer.before(server, "session");
  const name = (await server.createDatabase()).split("/").at(-1);
  await using database = await openDatabase(pooler.address(name), options);
  await migrate(database, probingSchema);
  await database.checkReady();
  const asked = Array.from({ length: 100 }, (_, n) => database.sql`SELECT ${n}::int AS n`);
  expect((await Promise.all(asked)).flatMap((rows) => [...rows])).toEqual(asked.map((_, n) => ({ n })));
});

test("a session pooler without a free session is used, and waited for", async () => {
  await using pooler = await PgBouncer.before(server, "session", { default_pool_size: 1 });
  await using database = await openDatabase(pooler.address(), { ...options, connectionsMax: 1 });
  await database.checkReady();
});

test.each([
  ["transaction", {}],
  ["transaction", { server_round_robin: 1, min_pool_size: 5 }],
  ["transaction", { default_pool_size: 1 }],
  ["statement", {}],
] as const)("a pooler in %s mode with %o is refused at the start", async (mode, settings) => {
  await using pooler = await PgBouncer.before(server, mode, settings);
  expect(await failureOf(pooler.address())).toEqual([
    "sharedSessions",
    `Cannot use the database ${pooler.address()}: a connection pooler there gives each transaction another session ` +
      "(pool_mode transaction or statement of PgBouncer); give the address of PostgreSQL itself, or of a pooler " +
      "with pool_mode session",
  ]);
});

test("a pooler that refuses what a session sets is named", async () => {
  await using pooler = await PgBouncer.before(server, "session", { ignore_startup_parameters: "" });
  expect(await failureOf(pooler.address())).toEqual([
    "badAddress",
    `Cannot open the database ${pooler.address()}: unsupported startup parameter: statement_timeout; a connection ` +
      "pooler answers there: give the address of PostgreSQL itself, or see docs/reference/http.md for poolers",
  ]);
});

test("a pooler that changes to transactions while it is used is not ready", async () => {
  await using pooler = await PgBouncer.before(server, "session");
  await using database = await openDatabase(pooler.address(), options);
  await database.checkReady();
  await pooler.change("transaction");
  await until(async () => {
    // Several at a time, so that sessions change hands.
    const settled = await Promise.allSettled([1, 2, 3, 4].map(() => database.checkReady()));
    return settled.some(
      (each) => each.status === "rejected" && isFailure(each.reason, "database", "sharedSessions"),
    );
  });
});

async function failureOf(address: string): Promise<readonly [string, string]> {
  const error = await openDatabase(address, options).catch((reason: unknown) => reason);
  if (!isFailure(error, "database")) {
    throw new Error(`Opened ${address}, or failed otherwise: ${error}`);
  }
  return [error.code, error.message];
}
