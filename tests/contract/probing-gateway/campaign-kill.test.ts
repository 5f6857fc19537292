/**
 * Gateways that are killed while they take runs of campaigns: every run of the plan is measured once or said to be
 * missed, whoever goes on with it, and what was made for it is what it says.
 *
 * @alone: its processes are killed
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sql } from "postgres";
import * as v from "valibot";
import { makeCampaign } from "../../../apps/probing/campaigns/campaigns.ts";
import { definitionSchema, scheduleOf } from "../../../apps/probing/campaigns/definition.ts";
import { probingSchema } from "../../../apps/probing/gateway/migrations.ts";
import { identityOf } from "../../../lib/engines/auth/token-verifier.ts";
import { migrate } from "../../../lib/engines/store/postgres/migrate.ts";
import { type Database, openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { sharedPostgres } from "../../postgres/shared-postgres.ts";
import { longTest } from "../../run/long-test.ts";
import { until } from "../../run/until.ts";
import { bringForward, plainCampaign } from "./campaign-time.ts";
import { insertAgent } from "./gateway-home.ts";
import { GatewayProcess } from "./gateway-process.ts";

const campaigns = 6;
const folder = mkdtempSync(join(tmpdir(), "vantage-campaign-kill-"));
const stack = new AsyncDisposableStack();
const gateways: GatewayProcess[] = [];
let address = "";

beforeAll(async () => {
  address = await stack.use(await sharedPostgres()).createDatabase();
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.kill()));
  await stack.disposeAsync();
  rmSync(folder, { recursive: true, force: true });
});

async function start(name: string, database: string): Promise<GatewayProcess> {
  const gateway = await GatewayProcess.startIn(folder, name, database);
  gateways.push(gateway);
  return gateway;
}

/** Campaigns whose first run is an hour away, as the gateway makes them. */
async function make(database: Database): Promise<void> {
  const { userHash } = identityOf("test-user-id");
  await insertAgent(database.sql, "west");
  await database.sql`INSERT INTO users (user_hash, user_id) VALUES (${userHash}, ${0xc95b3f80})`;
  for (let i = 0; i < campaigns; i++) {
    const start = new Date(Date.now() + 3_600_000).toISOString();
    const definition = v.parse(definitionSchema, { ...plainCampaign, name: `watch ${i}`, slip: "1h", start });
    const caps = { campaignsMax: campaigns, probesPerDayMax: 1_000_000, storedBytesMax: 2 ** 40 };
    const schedule = scheduleOf(definition, Date.now());
    const { probes = "" } = definition;
    await makeCampaign(database, { userHash, definition, schedule, probes, probesPerDay: 12, caps });
  }
}

/** The next run of each comes now. */
async function nextRuns(sql: Sql): Promise<void> {
  const rows = await sql<{ campaign_id: string; wait: number }[]>`
    SELECT campaign_id, ceil(extract(epoch FROM next_at - now()))::integer AS wait FROM campaigns`;
  for (const { campaign_id: id, wait } of rows) {
    await bringForward(sql, wait, id);
  }
}

/** Waits until nothing is due any more, then ends what was measured, as agents do. */
async function settle(sql: Sql, run: number): Promise<void> {
  await until(async () => {
    const [open] = await sql`
      SELECT count(*) FILTER (WHERE state = 'due')::integer AS due, count(DISTINCT campaign_id)::integer AS begun
      FROM campaign_steps WHERE run = ${run}`;
    return open?.due === 0 && open.begun === campaigns;
  });
  await sql`UPDATE measurements SET ended_at = now() WHERE ended_at IS NULL`;
}

/** A run has one row and one step, a step one measurement, and no measurement is anything else's. */
async function checkOnce(sql: Sql, runs: number): Promise<void> {
  const rows = await sql<{ campaign_id: string; numbers: number[]; states: string[] }[]>`
    SELECT campaign_id, array_agg(run ORDER BY run) AS numbers, array_agg(DISTINCT state) AS states
    FROM campaign_runs GROUP BY campaign_id`;
  expect(rows).toHaveLength(campaigns);
  for (const { numbers, states } of rows) {
    expect(numbers).toEqual(Array.from({ length: runs }, (_, number) => number));
    expect(states.filter((state) => state !== "done" && state !== "open")).toEqual([]);
  }
  const [made] = await sql`
    SELECT (SELECT count(*) FROM measurements)::integer AS measurements,
      (SELECT count(DISTINCT measurement_id) FROM campaign_steps)::integer AS steps,
      (SELECT sum(charged) FROM quota_days)::integer AS charged`;
  const all = campaigns * runs;
  expect(made).toEqual({ measurements: all, steps: all, charged: 3 * all });
}

longTest("three gateways on one PostgreSQL, two of which are killed in each run", async () => {
  const names = ["one", "two", "three"];
  const homes = await Promise.all(names.map(async (name) => ({ name, gateway: await start(name, address) })));
  await using database = await openDatabase(address, { applicationName: "test" });
  const { sql } = database;
  await make(database);
  const runs = 3;
  for (let run = 0; run < runs; run++) {
    await nextRuns(sql);
    await Bun.sleep(Math.random() * 40);
    const killed = homes.filter((_, number) => number !== run);
    await Promise.all(killed.map(({ gateway }) => gateway.kill()));
    await settle(sql, run);
    await Promise.all(
      killed.map(async (home) => {
        home.gateway = await start(home.name, address);
      }),
    );
  }
  await checkOnce(sql, runs);
});

test("one gateway on the embedded database, killed while it takes a run", async () => {
  const embedded = `pglite:${folder}/database`;
  const offline = async (act: (database: Database) => Promise<void>) => {
    await using database = await openDatabase(embedded, { applicationName: "test" });
    await act(database);
  };
  await offline(async (database) => {
    await migrate(database, probingSchema);
    await make(database);
    await nextRuns(database.sql);
  });
  const first = await start("alone", embedded);
  await Bun.sleep(Math.random() * 40);
  await first.kill();
  const second = await start("alone", embedded);
  const asked = async (path: string) => (await fetch(`${second.url}api/campaigns${path}`)).json();
  const all = (await asked("")) as { id: string }[];
  for (const { id } of all) {
    await until(async () => {
      const [run] = (await asked(`/${id}/runs`)) as { measurements: { measurement_id: string | null }[] }[];
      return typeof run?.measurements[0]?.measurement_id === "string";
    });
  }
  await second.kill();
  await offline(({ sql }) => checkOnce(sql, 1));
});
