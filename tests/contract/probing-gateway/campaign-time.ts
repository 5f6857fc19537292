/** Campaigns of tests: made by HTTP, and brought forward in time instead of waited for. */
import { expect } from "bun:test";
import type { Sql } from "postgres";
import type { CampaignRun } from "../../../lib/engines/store/clickhouse/reply-filter.ts";
import { type GatewayHome, probeText } from "./gateway-home.ts";
import { eventually } from "./measurement-helpers.ts";

interface Run {
  readonly run: number;
  readonly last_run: number;
  readonly state: string;
  readonly reason: string | null;
  readonly revision: number;
  readonly measurements: readonly { measurement_id: string | null; agents: string; state: string }[];
}

export const plainCampaign = {
  name: "watch",
  agents: ["west"],
  probes: probeText(3),
  every: 21_600,
  spread: 0,
  max_runs: 1000,
};

export async function made(home: GatewayHome, user: string, definition: object = {}): Promise<string> {
  const body = JSON.stringify({ ...plainCampaign, ...definition });
  const init = { method: "POST", headers: { "content-type": "application/json" }, body };
  const answer = await home.json(user, "/api/campaigns", init);
  expect(answer).toMatchObject({ status_code: 201 });
  return (answer.campaign as { id: string }).id;
}

/** So many seconds pass for a campaign of the gateway; 0 = until its next run. */
export async function pass(home: GatewayHome, seconds: number, id: string): Promise<void> {
  const { sql } = home.services.database;
  const [next] = await sql`
    SELECT ceil(extract(epoch FROM next_at - now()))::integer AS wait FROM campaigns WHERE campaign_id = ${id}`;
  await bringForward(sql, seconds === 0 ? next?.wait : seconds, id);
  home.services.campaigns.wake();
}

/** The plan of a campaign, or of all, and what is due, are so many seconds earlier. */
export async function bringForward(sql: Sql, seconds: number, id: string | null = null): Promise<void> {
  const one = id === null ? sql`` : sql`WHERE campaign_id = ${id}`;
  const span = sql`${seconds} * interval '1 s'`;
  await sql.begin(async (tx) => {
    await tx`UPDATE campaigns SET next_at = next_at - ${span}, resumed_at = resumed_at - ${span} ${one}`;
    const startMs = sql`(schedule->>'startMs')::bigint - ${seconds * 1000}::bigint`;
    await tx`UPDATE campaign_revisions SET schedule = schedule || jsonb_build_object('startMs', ${startMs}) ${one}`;
    await tx`UPDATE campaign_steps SET due_at = due_at - ${span}, latest_at = latest_at - ${span} ${one}`;
  });
}

/** Waits until a run has its measurement, and resolves to that. */
export async function measured(home: GatewayHome, user: string, id: string, run: number): Promise<string> {
  let measurement = "";
  await eventually(async () => {
    const runs = await runsOf(home, user, id);
    measurement = runs.find((one) => one.run === run)?.measurements[0]?.measurement_id ?? "";
    expect(measurement).not.toBe("");
  });
  return measurement;
}

/** Its runs, the oldest first. */
async function runsOf(home: GatewayHome, user: string, id: string): Promise<Run[]> {
  const answer = await home.ask(user, `/api/campaigns/${id}/runs?limit=100`);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as Run[]).toReversed();
}

/** Waits until the runs are in these states; of passed ones, how many and why. */
export async function come(home: GatewayHome, user: string, id: string, states: readonly string[]) {
  let runs: Run[] = [];
  await eventually(async () => {
    runs = await runsOf(home, user, id);
    expect(runs.map(inShort)).toEqual([...states]);
  });
  return runs;
}

function inShort({ run, last_run, state, reason }: Run): string {
  return state === "passed" ? `${run}-${last_run} ${reason}` : `${run} ${state}`;
}

/** As agents leave measurements that they have sent. */
export async function endAll(home: GatewayHome): Promise<void> {
  const { sql } = home.services.database;
  await sql`UPDATE measurement_agents SET status = 'complete', sent_probes = expected_probes WHERE status = 'queued'`;
  await sql`UPDATE measurements SET ended_at = now() WHERE ended_at IS NULL`;
  home.services.campaigns.wake();
}

/** A campaign of a user, with these runs, as if it had gone on; resolves to its id. */
export async function addCampaign(
  home: GatewayHome,
  user: string,
  runs: readonly CampaignRun[],
): Promise<string> {
  const start = new Date(Date.now() + 3_600_000).toISOString();
  const id = await made(home, user, { start });
  const { sql } = home.services.database;
  for (const { measurementId, run, plannedMs } of runs) {
    const at = new Date(plannedMs);
    await sql`
      INSERT INTO campaign_runs (campaign_id, run, last_run, revision, planned_at, state)
      VALUES (${id}, ${run}, ${run}, 1, ${at}, 'done')`;
    await sql`
      INSERT INTO campaign_steps (campaign_id, run, step, due_at, latest_at, agents, state, measurement_id)
      VALUES (${id}, ${run}, 0, ${at}, ${at}, 'west', 'taken', ${measurementId})`;
  }
  return id;
}
