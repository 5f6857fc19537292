/**
 * Connections that are lost at any byte of what the server sends: each call settles, none has rows of another, a
 * transaction is done or undone, and what comes next finds a connection that works.
 *
 * @alone: it waits for most of its time
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { NetConnectOpts } from "node:net";
import { isOutage } from "../../../lib/base/failure/outage.ts";
import { startEmbedded } from "../../../lib/engines/store/postgres/embedded-server.ts";
import { type Database, openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { type Cut, CutConnections } from "../../postgres/cut-connections.ts";
import { embeddedHome } from "../../postgres/embedded.ts";
import { everyEngine } from "../../postgres/engines.ts";
import { startPostgres } from "../../postgres/postgres.ts";

/** From the server's first byte to beyond the last of the calls; a prime, so that it meets every kind of message. */
const points = Array.from({ length: 40 }, (_, i) => i * 97);

describe.each([...everyEngine])("%s", (engine) => {
  const owned = new AsyncDisposableStack();
  let relay: CutConnections;
  let database: Database;
  beforeAll(async () => {
    relay = owned.use(await CutConnections.before(await place()));
    // PGlite has one session.
    const connectionsMax = engine === "pglite" ? 1 : 3;
    const address = `postgres://postgres@127.0.0.1:${relay.port}/postgres`;
    database = owned.use(await openDatabase(address, { applicationName: "vantage test", connectionsMax }));
    await database.sql`CREATE TABLE kept (call int, part int)`;
  });
  afterAll(() => owned.disposeAsync());

  async function place(): Promise<NetConnectOpts> {
    if (engine === "postgres") {
      return { host: "127.0.0.1", port: owned.use(await startPostgres()).port };
    }
    const { address } = owned.use(await embeddedHome());
    return { path: owned.use(await startEmbedded(address.slice("pglite:".length))).path };
  }

  test.each<Cut>(["end", "reset"])("a connection that is lost by %s at any byte", async (cut) => {
    for (const point of points) {
      relay.cutAfter(point, cut);
      const lossy = await Promise.allSettled(calls(database, point));
      expect(lossy.flatMap(reasonOf).filter((error) => !isOutage(error) && !isExpected(error))).toEqual([]);
      relay.cutAfter(Number.POSITIVE_INFINITY);
      await works(database);
      const whole = await Promise.allSettled(calls(database, -point));
      expect(whole.flatMap(reasonOf).filter((error) => !isExpected(error))).toEqual([]);
    }
    const parts = await database.sql`SELECT call, count(*) AS n FROM kept GROUP BY call HAVING count(*) <> 2`;
    expect([...parts]).toEqual([]);
    await database.sql`TRUNCATE kept`;
  });
});

/** Each checks that what it gets is its own. One fails in the middle of its rows. */
function calls(database: Database, point: number): Promise<void>[] {
  return [1, 2, 3, 4].flatMap((n) => {
    const call = 10 * point + n;
    return [question(database, call), failing(database), transaction(database, call)];
  });
}

async function question({ sql }: Database, call: number): Promise<void> {
  const rows = await sql`SELECT ${call}::int AS call, i FROM generate_series(1, 3) AS i`;
  expect([...rows]).toEqual([1, 2, 3].map((i) => ({ call, i })));
}

async function failing({ sql }: Database): Promise<void> {
  await sql`SELECT 1 / (3 - i) FROM generate_series(1, 5) AS i`;
}

async function transaction({ sql }: Database, call: number): Promise<void> {
  await sql.begin(async (tx) => {
    const made = await Promise.all(
      [1, 2].map((part) => tx`INSERT INTO kept VALUES (${call}, ${part}) RETURNING call, part`),
    );
    expect(made.flatMap((rows) => [...rows])).toEqual([1, 2].map((part) => ({ call, part })));
  });
}

/** What was lost after the calls had settled may still meet the next one. */
async function works({ sql }: Database): Promise<void> {
  for (;;) {
    try {
      await sql`SELECT 1`;
      return;
    } catch (error) {
      expect(isOutage(error)).toBe(true);
    }
  }
}

function reasonOf(result: PromiseSettledResult<void>): unknown[] {
  return result.status === "rejected" ? [result.reason] : [];
}

function isExpected(error: unknown): boolean {
  return error instanceof Error && error.message === "division by zero";
}
