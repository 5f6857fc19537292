/**
 * A server that ends sessions, stops and starts under load: each call settles, none has rows of another, a transaction
 * is done or undone, and the whole pool works again afterwards.
 *
 * @alone: it waits for most of its time
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { isOutage } from "../../../lib/base/failure/outage.ts";
import { type Database, openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { startPostgres } from "../../postgres/postgres.ts";
import type { PostgresProcess } from "../../postgres/postgres-process.ts";
import { until } from "../../run/until.ts";

const workers = 8;
const connectionsMax = 10;
const options = { applicationName: "vantage test", connectionsMax };

let server: PostgresProcess;
let database: Database;
let operator: Database;
beforeAll(async () => {
  server = await startPostgres();
  const address = await server.createDatabase();
  database = await openDatabase(address, options);
  operator = await openDatabase(server.address(), { applicationName: "operator", connectionsMax: 1 });
  await database.sql`CREATE TABLE kept (call int, part int)`;
});
afterAll(async () => {
  await operator[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** Ends the sessions of the pool, or of those at a statement like this one. */
async function terminate(statement = "%"): Promise<number> {
  const ended = await operator.sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = ${options.applicationName} AND query LIKE ${statement}`;
  return ended.length;
}

test("sessions that are ended in transactions and statements, 40 times", async () => {
  await using load = new Load(database);
  for (let round = 0; round < 40; round++) {
    const before = load.done;
    await until(async () => load.done > before + workers, 1);
    await terminate();
  }
  await load.end();
  await isWhole(database);
});

test.each(["stop", "kill"] as const)("a server that starts again after a %s, under load", async (end) => {
  await using load = new Load(database);
  for (let round = 0; round < 3; round++) {
    const before = load.done;
    await until(() => load.done > before + workers);
    await server[end]();
    const lost = load.lost;
    await until(() => load.lost > lost + workers);
    await server.startAgain();
  }
  await load.end();
  await isWhole(database);
});

test("while nothing answers, what waits for a connection fails as what has tried one", async () => {
  await server.stop();
  const asked = Array.from({ length: 2000 }, (_, n) => database.sql`SELECT ${n}::int AS n`);
  const settled = await Promise.allSettled(asked);
  await server.startAgain();
  const reasons = settled.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  expect(reasons.length).toBe(asked.length);
  expect(reasons.filter((error) => !isOutage(error))).toEqual([]);
  await isWhole(database);
});

test("a session that is ended between the statements of a transaction", async () => {
  const rest = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  const late: Promise<unknown>[] = [];
  const lost = database.sql.begin(async (tx) => {
    await tx`SELECT 'held' AS mark`;
    isHeld.resolve();
    await rest.promise;
    // Its connection serves others by now.
    late.push(...[1, 2].map((part) => failureOf(tx`INSERT INTO kept VALUES (-1, ${part})`)));
  });
  const failed = failureOf(lost);
  await isHeld.promise;
  expect(await terminate("%'held'%")).toBe(1);
  expect(isOutage(await failed)).toBe(true);
  await isWhole(database);
  rest.resolve();
  await until(() => late.length === 2);
  expect((await Promise.all(late)).every(isOutage)).toBe(true);
  expect([...(await database.sql`SELECT FROM kept WHERE call = -1`)]).toEqual([]);
});

test("a session that is ended while somebody has reserved it", async () => {
  const reserved = await database.sql.reserve();
  await reserved`SELECT 'reserved' AS mark`;
  expect(await terminate("%'reserved'%")).toBe(1);
  await until(async () => isOutage(await failureOf(reserved`SELECT 1`)));
  await isWhole(database);
  expect(isOutage(await failureOf(reserved`SELECT 1`))).toBe(true);
  reserved.release();
  await isWhole(database);
});

test("a session that hangs is given up, and its statements fail as an outage", async () => {
  await using impatient = await openDatabase(server.address(), { ...options, answerSecMax: 1 });
  // Slower than it may be silent, where that is allowed.
  const slow = impatient.patiently(() => Promise.resolve(impatient.sql`SELECT 7 AS n, pg_sleep(2)`));
  expect(await slow).toMatchObject([{ n: 7 }]);
  const [row] = await impatient.sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  const pid = row?.pid ?? 0;
  process.kill(pid, "SIGSTOP");
  try {
    // One of them gets the session that hangs.
    const asked = Array.from({ length: 200 }, (_, n) => failureOf(impatient.sql`SELECT ${n}::int AS n`));
    const failures = (await Promise.all(asked)).filter((error) => error !== null);
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.filter((error) => !isOutage(error))).toEqual([]);
    await isWhole(impatient);
  } finally {
    process.kill(pid, "SIGCONT");
  }
});

test("a listener whose session is ended, with and without its server, hears each message once", async () => {
  const heard: string[] = [];
  const times = { listening: 0 };
  const { unlisten } = await database.sql.listen(
    "news",
    (text) => heard.push(text),
    () => times.listening++,
  );
  for (let round = 1; round <= 5; round++) {
    if (round === 3) {
      await server.stop();
      await server.startAgain();
      await isWhole(operator, 1);
    } else {
      expect(await terminate('listen "news"%')).toBe(1);
    }
    await until(() => times.listening === round + 1);
    await database.sql.notify("news", String(round));
    await until(() => heard.includes(String(round)));
  }
  expect(heard).toEqual(["1", "2", "3", "4", "5"]);
  await unlisten();
  const listeners = await operator.sql`SELECT query FROM pg_stat_activity WHERE query LIKE 'listen%'`;
  expect([...listeners]).toEqual([]);
});

/** Workers that ask and write until they are ended. What they get must be their own, or an outage. */
class Load implements AsyncDisposable {
  done = 0;
  lost = 0;
  readonly #database: Database;
  readonly #wrong: unknown[] = [];
  readonly #workers: Promise<void>[];
  #calls = 0;
  #isOver = false;

  constructor(load: Database) {
    this.#database = load;
    this.#workers = Array.from({ length: workers }, () => this.#work());
  }

  /** Rejects with what was neither theirs nor an outage. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#workers);
    expect(this.#wrong).toEqual([]);
    const { sql } = this.#database;
    const torn = await sql`SELECT call, count(*) AS n FROM kept GROUP BY call HAVING count(*) <> 2`;
    expect([...torn]).toEqual([]);
    await sql`TRUNCATE kept`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#workers);
  }

  async #work(): Promise<void> {
    while (!this.#isOver) {
      try {
        await this.#once(++this.#calls);
        this.done++;
      } catch (error) {
        this.lost++;
        if (!isOutage(error)) {
          this.#wrong.push(error);
        }
      }
    }
  }

  async #once(call: number): Promise<void> {
    const { sql } = this.#database;
    const asked = sql`SELECT ${call}::int AS call FROM generate_series(1, 3)`;
    const written = sql.begin(async (tx) => {
      await tx`INSERT INTO kept VALUES (${call}, 1)`;
      return tx`INSERT INTO kept VALUES (${call}, 2) RETURNING call`;
    });
    // Both settle, whichever is lost.
    await Promise.allSettled([asked, written]);
    const [rows, inserted] = await Promise.all([asked, written]);
    expect([...rows]).toEqual([{ call }, { call }, { call }]);
    expect([...inserted]).toEqual([{ call }]);
  }
}

/** Resolves when all connections of the pool are at work at once. */
async function isWhole({ sql }: Database, size = connectionsMax): Promise<void> {
  await until(async () => {
    const sessions = Array.from({ length: size }, () =>
      sql.begin((tx) => tx<{ pid: number }[]>`SELECT pg_backend_pid() AS pid, pg_sleep(0.05)`),
    );
    const settled = await Promise.allSettled(sessions);
    const pids = settled.flatMap((each) =>
      each.status === "fulfilled" ? each.value.map(({ pid }) => pid) : [],
    );
    return new Set(pids).size === size;
  });
}

function failureOf(asked: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(asked).then(
    () => null,
    (error: unknown) => error,
  );
}
