/** Submissions that get into each other's way in the database: nobody waits in a circle, and a deadlock passes. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Database } from "../../../lib/engines/store/postgres/open.ts";
import { until } from "../../run/until.ts";
import { type GatewayHome, probeText } from "./gateway-home.ts";
import { homeAndOther } from "./home-and-other.ts";

const stack = new AsyncDisposableStack();
let home: GatewayHome;
/** Two connections and more of somebody else. */
let other: Database;

beforeAll(async () => {
  ({ home, other } = await homeAndOther(stack));
});
afterAll(() => stack.disposeAsync());

const lines = { type: "text/csv", query: "?agents=west" };

/** The user has a day of quota then. */
async function hashOf(user: string): Promise<string> {
  expect((await home.submit(user, probeText(5), lines)).status).toBe(200);
  const [row] = await other.sql<{ user_hash: string }[]>`
    SELECT user_hash FROM quota_days ORDER BY last_submitted_at DESC LIMIT 1`;
  return row?.user_hash ?? "";
}

/** Statements with these words that wait for a lock. */
async function waiting(words = "accept_submissions"): Promise<number> {
  const rows = await other.sql`
    SELECT FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND query LIKE ${`%${words}%`} AND pid <> pg_backend_pid()`;
  return rows.length;
}

/** Rows of the user that nobody holds: what waits while it holds some may wait in a circle. */
async function free(table: "quota_days" | "measurements", hash: string): Promise<number> {
  const { sql } = other;
  const rows = await sql`SELECT FROM ${sql(table)} WHERE user_hash = ${hash} FOR UPDATE SKIP LOCKED`;
  return rows.length;
}

/** A transaction that takes a lock, and then waits to be let go on. */
function holder(lock: string, hash: string, then: string) {
  const isHeld = Promise.withResolvers<void>();
  const mayGo = Promise.withResolvers<void>();
  const done = other.sql.begin(async (tx) => {
    await tx.unsafe(lock, [hash]);
    isHeld.resolve();
    await mayGo.promise;
    await tx.unsafe(then, [hash]);
  });
  return { isHeld: isHeld.promise, goOn: () => mayGo.resolve(), done };
}

test("a submission holds nothing of its user's day while somebody holds the user", async () => {
  const hash = await hashOf("erased");
  // As an erasure: first the user, then all that refers to it.
  const erasing = holder(
    "SELECT FROM users WHERE user_hash = $1 FOR UPDATE",
    hash,
    "UPDATE quota_days SET credited = 1 WHERE user_hash = $1",
  );
  await erasing.isHeld;
  const pending = home.submit("erased", probeText(7), lines);
  await until(async () => (await waiting()) === 1);
  expect(await free("quota_days", hash)).toBe(1);
  erasing.goOn();
  await erasing.done;
  expect((await pending).status).toBe(200);
});

test("so does who adds probes, of the measurement", async () => {
  const hash = await hashOf("adding");
  const opened = await home.submit("adding", probeText(5), { ...lines, query: "?agents=west&open=true" });
  const { id } = (await opened.json()) as { id: string };
  const erasing = holder(
    "SELECT FROM users WHERE user_hash = $1 FOR UPDATE",
    hash,
    "UPDATE measurements SET updated_at = now() WHERE user_hash = $1",
  );
  await erasing.isHeld;
  const pending = home.ask("adding", `/api/measurements/${id}/probes`, {
    ...{ method: "POST", headers: { "content-type": "text/csv" }, body: probeText(7) },
  });
  await until(async () => (await waiting("FROM users")) === 1);
  expect(await free("measurements", hash)).toBe(2);
  erasing.goOn();
  await erasing.done;
  expect((await pending).status).toBe(200);
});

test("orders that cross are taken in one order: who waits for the first holds nothing of the second", async () => {
  const [first = "", second = ""] = [await hashOf("ant"), await hashOf("bee")].sort();
  const orders = (...hashes: string[]) =>
    hashes.map((user_hash, place) => ({
      ...{ place, user_hash, id: crypto.randomUUID(), gateway_id: "test", request_digest: "", answer: {} },
      ...{ probes: 1, record_probes: 1, amount: 1, bytes: 1, destinations: "", records_packets: false },
      ...{ probes_per_day: 1000, bytes_per_day: 1_000_000, bytes_of_probe: 100, life_ms: 60_000 },
      ...{ parts: [{ agent_id: "west", expected: 1 }], sources: [] },
    }));
  const accept = (given: ReturnType<typeof orders>) =>
    other.sql<
      { outcome: string }[]
    >`SELECT outcome FROM accept_submissions(${other.sql.json(given)})`.execute();
  const holding = holder("SELECT FROM quota_days WHERE user_hash = $1 FOR UPDATE", first, "SELECT $1::text");
  await holding.isHeld;
  const crossing = [accept(orders(second, first)), accept(orders(first, second))];
  await until(async () => (await waiting()) === 2);
  expect(await free("quota_days", second)).toBe(1);
  holding.goOn();
  await holding.done;
  const outcomes = (await Promise.all(crossing)).map((rows) => rows.map(({ outcome }) => outcome));
  expect(outcomes).toEqual([
    ["accepted", "accepted"],
    ["accepted", "accepted"],
  ]);
});

test.each(["deadlock_detected", "serialization_failure"])(
  "%s: tried again, and charged once; where it does not pass, 503, and nothing is charged",
  async (condition) => {
    const { sql } = other;
    await sql`CREATE SEQUENCE tries`;
    // A sequence counts what is undone too.
    await sql.unsafe(`
      CREATE FUNCTION in_the_way() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('tries') <= 2 OR NEW.probes = 3 THEN
          RAISE EXCEPTION 'others were in the way' USING ERRCODE = '${condition}';
        END IF;
        RETURN NEW;
      END $$`);
    await sql`CREATE TRIGGER in_the_way BEFORE INSERT ON measurements FOR EACH ROW EXECUTE FUNCTION in_the_way()`;
    const user = `late ${condition}`;
    expect((await home.submit(user, probeText(5), lines)).status).toBe(200);
    const refused = await home.submit(user, probeText(3), lines);
    expect([refused.status, await refused.json()]).toMatchObject([503, { code: "database_unavailable" }]);
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
    await sql`DROP TRIGGER in_the_way ON measurements`;
    await sql`DROP FUNCTION in_the_way`;
    await sql`DROP SEQUENCE tries`;
    expect(await home.json(user, "/api/user/me")).toMatchObject({ used: 5, submission_count: 1 });
    expect((await home.submit(user, probeText(4), lines)).status).toBe(200);
    expect(await home.json(user, "/api/user/me")).toMatchObject({ used: 9, submission_count: 2 });
  },
);
