/** What a submission and a report cost PostgreSQL does not grow with the measurements in progress: it counts itself. */
import { expect, test } from "bun:test";
import { ProgressReports } from "../../../apps/probing/gateway/agents/progress.ts";
import { DestinationShares } from "../../../apps/probing/gateway/safety/destination-share.ts";
import { identityOf } from "../../../lib/engines/auth/token-verifier.ts";
import type { Database } from "../../../lib/engines/store/postgres/open.ts";
import { startEngine } from "../../postgres/engines.ts";
import { flushStatistics } from "../../postgres/statistics.ts";
import { addAgent, GatewayHome } from "./gateway-home.ts";
import { submitted } from "./measurement-helpers.ts";

const measurements = 3000;
const agents = 5;

interface Counted {
  readonly read: number;
  readonly updated: number;
  readonly in_page: number;
}

/** Rows of parts that were read, changed, and changed without an index, since the statistics were cleared. */
async function counted(database: Database): Promise<Counted> {
  await flushStatistics(database);
  const [row] = await database.sql<Counted[]>`
    SELECT (seq_tup_read + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes AS index WHERE index.relid = part.relid)
      )::integer AS read, n_tup_upd::integer AS updated, n_tup_hot_upd::integer AS in_page
    FROM pg_stat_user_tables AS part WHERE relname = 'measurement_agents'`;
  return row ?? { read: 0, updated: 0, in_page: 0 };
}

/** Measurements of a user in progress, at all agents alike. */
function running({ sql }: Database, userHash: string) {
  return sql<{ id: string; agent: string }[]>`
    WITH made AS (
      INSERT INTO measurements (
        measurement_id, user_hash, gateway_id, request_digest, answer, probes, record_probes, day, not_after)
      SELECT gen_random_uuid(), ${userHash}, 'test', '', '{}', 1000, 1000, now()::date, now() + interval '1 hour'
      FROM generate_series(1, ${measurements}) RETURNING measurement_id)
    INSERT INTO measurement_agents (measurement_id, agent_id, user_hash, expected_probes, status)
    SELECT measurement_id, 'agent-' || (row_number() OVER () % ${agents}), ${userHash}, 1000, 'running' FROM made
    RETURNING measurement_id::text AS id, agent_id AS agent`;
}

test("thousands of measurements of a user cost the next submission, and reports of them, nothing", async () => {
  await using engine = await startEngine();
  await using home = await GatewayHome.start({ databaseAddress: await engine.freshDatabase() });
  const { database } = home.services;
  const { sql } = database;
  const names = Array.from({ length: agents }, (_, n) => `agent-${n}`);
  for (const name of names) {
    await addAgent(home, name);
  }
  await submitted(home, "busy", names[0] ?? "");
  const { userHash } = identityOf("busy");
  await submitted(home, "other", names[0] ?? "");
  await running(database, identityOf("other").userHash);
  const ids = await running(database, userHash);
  await sql`VACUUM ANALYZE measurement_agents`;
  await sql`SELECT pg_stat_reset()`;

  const shares = new DestinationShares(database, {
    userAddressRate: 60,
    addressRate: 200,
    networkRate: 1000,
  });
  const share = await shares.of({ userHash, agentIds: ["another"], others: 0 });
  expect(share?.user_address).toBe(60 / (agents + 1));
  expect((await counted(database)).read).toBeLessThan(4 * agents);

  const reports = new ProgressReports(database);
  const own = ids.filter(({ agent }) => agent === "agent-1").slice(0, 100);
  for (let sent_probes = 1; sent_probes <= 20; sent_probes++) {
    await reports.take(
      "agent-1",
      own.map(({ id: measurement_id }) => ({
        ...{ measurement_id, sent_probes, received_replies: 0, failed_probes: 0, held_probes: 0 },
        ...{ is_complete: false, is_stopped: false, error: null },
      })),
    );
  }
  const { updated, in_page } = await counted(database);
  expect(updated).toBe(20 * own.length);
  // The first reports of a page that is full move to another; its room is then theirs.
  expect(in_page / updated).toBeGreaterThan(0.9);
});
