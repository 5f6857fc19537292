/**
 * Gateways that are killed while they start what alerts ask for: each change has one measurement or discovery, whoever
 * starts it.
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
import { identityOf } from "../../../lib/engines/auth/token-verifier.ts";
import { type Database, openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { sharedPostgres } from "../../postgres/shared-postgres.ts";
import { inTier } from "../../run/tier.ts";
import { until } from "../../run/until.ts";
import { plainCampaign } from "../probing-gateway/campaign-time.ts";
import { insertAgent } from "../probing-gateway/gateway-home.ts";
import { GatewayProcess } from "../probing-gateway/gateway-process.ts";

const changes = 12;
const folder = mkdtempSync(join(tmpdir(), "vantage-follow-up-kill-"));
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

/** A store whose port nothing listens on: discoveries may be made, and wait for it. */
async function start(name: string): Promise<GatewayProcess> {
  const gateway = await GatewayProcess.startIn(folder, name, address, [
    'store: { address: "http://127.0.0.1:9" }',
  ]);
  gateways.push(gateway);
  return gateway;
}

async function make(database: Database): Promise<string> {
  const { userHash } = identityOf("test-user-id");
  await insertAgent(database.sql, "west");
  await database.sql`INSERT INTO users (user_hash, user_id) VALUES (${userHash}, ${0xc95b3f80})`;
  const given = new Date(Date.now() + 3_600_000).toISOString();
  const definition = v.parse(definitionSchema, { ...plainCampaign, start: given });
  const caps = { campaignsMax: 10, probesPerDayMax: 1_000_000, storedBytesMax: 2 ** 40 };
  const schedule = scheduleOf(definition, Date.now());
  const { probes = "" } = definition;
  return await makeCampaign(database, { userHash, definition, schedule, probes, probesPerDay: 12, caps });
}

/** Two alerts about each change; every third change starts a discovery. */
async function raise(sql: Sql, id: string): Promise<void> {
  await sql`
    INSERT INTO alerts (alert_id, campaign_id, agent_id, destination, detector, reason, raised_run, follow_up,
      follow_up_key, follow_up_state)
    SELECT gen_random_uuid(), ${id}, 'west', '203.0.113.' || i, detector, 'it changed', 1,
      jsonb_build_object('probes_per_day', 1000000, 'measure',
        CASE i % 3 WHEN 0 THEN 'discover' WHEN 1 THEN 'trace' ELSE 'ping' END),
      '1 west 203.0.113.' || i, 'due'
    FROM generate_series(1, ${changes}::integer) AS i, unnest(ARRAY['loss', 'rtt']) AS detector`;
}

/** The claims of killed gateways end, instead of being waited for. */
async function open(sql: Sql): Promise<number> {
  const rows = await sql`
    UPDATE alerts SET follow_up_claimed_until = now()
    WHERE follow_up_state = 'due' AND follow_up_claimed_until > now() RETURNING alert_id`;
  const [left] = await sql`SELECT count(*)::integer AS due FROM alerts WHERE follow_up_state = 'due'`;
  return Math.max(rows.count, Number(left?.due));
}

test("three gateways on one PostgreSQL, killed again and again while alerts are followed up", async () => {
  await start("one");
  await using database = await openDatabase(address, { applicationName: "test" });
  const { sql } = database;
  const id = await make(database);
  await Promise.all(gateways.splice(0).map((gateway) => gateway.kill()));
  await raise(sql, id);
  for (let kills = 0; kills < inTier({ usual: 2, long: 4 }); kills++) {
    const running = await Promise.all(["one", "two", "three"].map(start));
    await until(async () => {
      const [row] = await sql`
        SELECT count(*)::integer AS claimed FROM alerts WHERE follow_up_claimed_until IS NOT NULL`;
      return Number(row?.claimed) > kills;
    });
    await Promise.all(running.map((gateway) => gateway.kill()));
    await open(sql);
  }
  await start("one");
  await until(async () => (await open(sql)) === 0);
  const alerts = await sql<{ key: string; states: string[]; ids: string[]; measure: string }[]>`
    SELECT follow_up_key AS key, min(follow_up->>'measure') AS measure, array_agg(DISTINCT follow_up_state) AS states,
      array_agg(DISTINCT follow_up_id::text) AS ids FROM alerts GROUP BY follow_up_key`;
  expect(alerts).toHaveLength(changes);
  for (const { states, ids } of alerts) {
    expect(states).toEqual(["started"]);
    expect(ids).toEqual([expect.any(String)]);
  }
  const idsOf = (isDiscovery: boolean) =>
    alerts
      .filter(({ measure }) => (measure === "discover") === isDiscovery)
      .flatMap(({ ids }) => ids)
      .sort();
  const made = await sql<{ id: string }[]>`
    SELECT measurement_id::text AS id FROM measurements WHERE campaign_id = ${id} ORDER BY id`;
  expect(made.map((one) => one.id)).toEqual(idsOf(false));
  const found = await sql<{ id: string }[]>`
    SELECT campaign_id::text AS id FROM campaigns WHERE campaign_id <> ${id} ORDER BY id`;
  expect(found.map((one) => one.id)).toEqual(idsOf(true));
});
