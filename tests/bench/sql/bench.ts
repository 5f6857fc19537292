/**
 * Fifty queries through the door, by a user who may see every row, beside the same ones at the store itself; and how
 * long ten users wait while another one's queries never end.
 */
import { identityOf } from "../../../lib/engines/auth/token-verifier.ts";
import { serve } from "../../../lib/engines/http/serve.ts";
import { guestProfile } from "../../../lib/engines/store/clickhouse/door.ts";
import { GatewayHome } from "../../contract/probing-gateway/gateway-home.ts";
import { TestStore } from "../../contract/store/processes.ts";
import { startEngine } from "../../postgres/engines.ts";
import type { BenchOptions } from "../options.ts";
import { peakKbOf } from "../pipeline/process-usage.ts";
import type { BenchReport } from "../report.ts";
import { fill } from "../results/fill.ts";
import { spreadOf } from "../spread.ts";
import { queries } from "./queries.ts";

const repliesDefault = 50_000_000;
const crowdRepliesDefault = 1_000_000;
const users = 10;

export async function benchSql({ count, rounds }: BenchOptions): Promise<BenchReport> {
  await using home = await SqlBench.start(count ?? repliesDefault);
  const { store, door, filledSec } = home;
  const on = (table: string) => (sql: string) =>
    bareText(store, sql.replace(/FROM (saimiris\.)?replies/, `FROM ${table}`));
  const places: readonly Ask[] = [
    (sql) => door("ann", sql),
    on(await filteredView(store)),
    on("measure.replies"),
  ];
  const sums: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    const sumsOfRound = await inTurns(places);
    sums.forEach((sum, i) => void sum.push(sumsOfRound[i] ?? 0));
  }
  const [doorSec, filteredSec, bareSec] = sums;
  const memory = peakKbOf(store.part.process.pid) / 1024;
  return {
    ...{ bench: "sql", subjects: ["door", "filtered", "bare"], references: ["filtered", "bare"] },
    what: `${queries.length} queries over ${await store.count("replies")} replies`,
    figures: [
      {
        ...{ unit: "s for all queries", decimals: 2 },
        rounds: roundsOf({ door: doorSec, filtered: filteredSec, bare: bareSec }),
      },
    ],
    notes: [
      `Door to bare: ${ratio(doorSec, bareSec)}; to filtered: ${ratio(doorSec, filteredSec)}.`,
      "Filtered: bare, with the condition that the rows are the user's, which any right to some of the rows costs.",
      `The store was filled in ${filledSec.toFixed(0)} s; its process had ${memory.toFixed(0)} MiB at most.`,
      `Each query at the door stayed within its profile: ${(guestProfile.max_memory_usage ?? 0) / 1e6} MB, one thread.`,
      "Bare: the same statement on the table, all of whose rows are the user's, by the store itself; one thread.",
    ],
  };
}

export async function benchSqlCrowd({ count, rounds }: BenchOptions): Promise<BenchReport> {
  await using home = await SqlBench.start(count ?? crowdRepliesDefault);
  const { store, door } = home;
  const [alone, noisy]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    alone.push(await crowdMs(door));
    noisy.push(await besideNoise(door));
  }
  return {
    ...{ bench: "sql-crowd", subjects: ["beside a noisy one", "ten users"], references: ["ten users"] },
    what: `ten users with queries of a measurement, over ${await store.count("replies")} replies`,
    figures: [
      {
        ...{ unit: "ms, median of a query", decimals: 1 },
        rounds: roundsOf({ "beside a noisy one": noisy, "ten users": alone }),
      },
    ],
    notes: [
      `Beside a noisy one to without: ${ratio(noisy, alone)}.`,
      "The noisy user always has four queries under way or waiting that end only by their limit of 10 s.",
    ],
  };
}

function roundsOf(values: Readonly<Record<string, readonly number[]>>) {
  return new Map(Object.entries(values));
}

function ratio(ours: readonly number[], reference: readonly number[]): string {
  return (spreadOf(ours).median / spreadOf(reference).median).toFixed(3);
}

/** A filled store, all of whose measurements are ann's, behind a gateway. */
class SqlBench implements AsyncDisposable {
  readonly store: TestStore;
  readonly filledSec: number;
  readonly #url: string;
  readonly #owned: AsyncDisposableStack;

  private constructor(store: TestStore, filledSec: number, url: string, owned: AsyncDisposableStack) {
    this.store = store;
    this.filledSec = filledSec;
    this.#url = url;
    this.#owned = owned;
  }

  static async start(count: number): Promise<SqlBench> {
    await using owned = new AsyncDisposableStack();
    const store = owned.use(await TestStore.start());
    const startedAtMs = performance.now();
    await fill(store.store, count, ["replies"]);
    await merged(store);
    const filledSec = (performance.now() - startedAtMs) / 1000;
    const database = owned.use(await startEngine());
    const yaml = `store: { address: "${store.address}" }\nsql: { seconds_per_day: 86400 }`;
    const databaseAddress = await database.freshDatabase();
    const gateway = owned.use(await GatewayHome.start({ databaseAddress, yaml }));
    await own(gateway, store, "ann");
    const { url } = owned.use(serve((request) => gateway.fetch(request), { host: "127.0.0.1", port: 0 }));
    return new SqlBench(store, filledSec, url, owned.move());
  }

  readonly door = async (user: string, sql: string, query = ""): Promise<string> => {
    const headers = { authorization: `Bearer ${user}` };
    const response = await fetch(`${this.#url}api/sql${query}`, { method: "POST", headers, body: sql });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`${sql}: ${text}`);
    }
    return text;
  };

  [Symbol.asyncDispose](): Promise<void> {
    return this.#owned.disposeAsync();
  }
}

/** All measurements become the user's. */
async function own({ services }: GatewayHome, store: TestStore, user: string): Promise<void> {
  const { userHash } = identityOf(user);
  await services.users.idOf(userHash);
  const ids = await store.rows<{ id: string }>(
    "SELECT DISTINCT toString(measurement_id) AS id FROM measure.replies",
  );
  await services.database.sql`
    INSERT INTO measurements (measurement_id, user_hash, gateway_id, request_digest, answer, probes, record_probes, day,
      not_after, ended_at)
    SELECT id::uuid, ${userHash}, 'bench', '', '{}', 1, 1, now()::date, now(), now()
    FROM unnest(${ids.map(({ id }) => id)}::text[]) AS given (id)`;
  // One of them everybody may see.
  await services.database.sql`
    INSERT INTO shares (measurement_id, user_hash, public_at) VALUES (${shownId}, ${userHash}, now())`;
}

type Ask = (sql: string) => Promise<string>;

/** A view of all rows, by the condition that the door has in its policy, without rights. */
async function filteredView(store: TestStore): Promise<string> {
  const ids = await store.rows<{ id: string }>(
    "SELECT DISTINCT toString(measurement_id) AS id FROM measure.replies",
  );
  const listed = ids.map(({ id }) => `'${id}'`).join();
  const query = `CREATE VIEW measure.filtered AS SELECT * FROM measure.replies WHERE measurement_id IN (${listed})`;
  await store.store.client.command({ query });
  return "measure.filtered";
}

/** Seconds of all queries at each place, which all have to give the same; each query begins at another one. */
async function inTurns(places: readonly Ask[]): Promise<number[]> {
  const sumsMs = places.map(() => 0);
  for (const [i, { sql, name }] of queries.entries()) {
    const results = new Set<string>();
    for (let turn = 0; turn < places.length; turn++) {
      const place = (i + turn) % places.length;
      const startedAtMs = performance.now();
      results.add((await places[place]?.(sql)) ?? "");
      sumsMs[place] = (sumsMs[place] ?? 0) + performance.now() - startedAtMs;
    }
    if (results.size > 1) {
      throw new Error(`Query ${name} has another result at the door`);
    }
  }
  return sumsMs.map((ms) => ms / 1000);
}

const shownId = "5a000000-0000-4000-8000-000000000002";
const small = `SELECT probe_ttl, count() FROM replies WHERE measurement_id = '${shownId}' GROUP BY probe_ttl`;
const endless = "SELECT sum(cityHash64(a.number, b.number)) FROM numbers(100000) AS a, numbers(100000) AS b";
const perUser = 5;
const pauseMs = 200;

/** The median of a query's time, of ten users who pause between queries. */
async function crowdMs(door: SqlBench["door"]): Promise<number> {
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: users }, async (_, user) => {
      for (let i = 0; i < perUser; i++) {
        await Bun.sleep(pauseMs * Math.random() * 2);
        const startedAtMs = performance.now();
        await door(`user-${user}`, small);
        times.push(performance.now() - startedAtMs);
      }
    }),
  );
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

/** The same while another user always has queries under way. */
async function besideNoise(door: SqlBench["door"]): Promise<number> {
  let isOver = false;
  const noise = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      await door("noisy", endless, "?max_execution_time=10").catch(() => undefined);
    }
  });
  const median = await crowdMs(door);
  isOver = true;
  await Promise.all(noise);
  return median;
}

async function bareText(store: TestStore, sql: string): Promise<string> {
  const { stream } = await store.store.client.exec({
    query: `${sql} FORMAT TabSeparated`,
    clickhouse_settings: { max_threads: 1 },
  });
  return await new Response(stream as unknown as ReadableStream).text();
}

/** Parts that were inserted are put together in the background for some time. */
async function merged(store: TestStore): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    await Bun.sleep(1000);
    const [row] = await store.rows<{ merges: number }>(
      "SELECT toFloat64(count()) AS merges FROM system.merges",
    );
    quiet = row?.merges === 0 ? quiet + 1 : 0;
  }
}
