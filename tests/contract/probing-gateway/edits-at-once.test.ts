/** Edits of one campaign that wait for each other, or for a run of it that another process begins. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Database } from "../../../lib/engines/store/postgres/open.ts";
import { until } from "../../run/until.ts";
import { made, plainCampaign } from "./campaign-time.ts";
import type { GatewayHome } from "./gateway-home.ts";
import { homeAndOther } from "./home-and-other.ts";

const stack = new AsyncDisposableStack();
let home: GatewayHome;
let other: Database;

beforeAll(async () => {
  ({ home, other } = await homeAndOther(stack));
});
afterAll(() => stack.disposeAsync());

function edit(id: string) {
  return home.json("editor", `/api/campaigns/${id}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...plainCampaign, name: id }),
  });
}

async function waiting(): Promise<number> {
  const rows = await other.sql`
    SELECT FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND query LIKE '%campaigns%' AND pid <> pg_backend_pid()`;
  return rows.length;
}

/** Asked for one behind the other while the campaign is locked; `meanwhile` is written before it is let go. */
async function whileLocked<Answer>(
  id: string,
  asks: readonly (() => Promise<Answer>)[],
  meanwhile = "",
): Promise<Answer[]> {
  const answers: Promise<Answer>[] = [];
  await other.sql.begin(async (tx) => {
    await tx`SELECT FROM campaigns WHERE campaign_id = ${id} FOR UPDATE`;
    for (const ask of asks) {
      answers.push(ask());
      await until(async () => (await waiting()) === answers.length);
    }
    await tx.unsafe(meanwhile);
  });
  return Promise.all(answers);
}

test("a pause behind an edit finds the campaign at its new revision", async () => {
  const id = await made(home, "editor", { name: "paused", start: "2100-01-01T00:00:00Z" });
  const pause = () => home.json("editor", `/api/campaigns/${id}/pause`, { method: "POST" });
  const answers = await whileLocked(id, [() => edit(id), pause]);
  expect(answers.map((answer) => answer.status_code)).toEqual([200, 200]);
  expect(await home.json("editor", `/api/campaigns/${id}`)).toMatchObject({ revision: 2, phase: "paused" });
});

test("one that has waited while a run was begun does not plan that run again", async () => {
  const startMs = 1000 * Math.ceil(Date.now() / 1000) + 1000;
  const id = await made(home, "editor", { name: "begun", start: new Date(startMs).toISOString() });
  // As another process writes when it begins run 0.
  const begun = `UPDATE campaigns SET next_run = 1, next_at = next_at + interval '6 hours' WHERE campaign_id = '${id}'`;
  const [edited] = await whileLocked(id, [() => edit(id)], `SELECT pg_sleep(2.5); ${begun}`);
  expect(edited).toMatchObject({ status_code: 200 });
  const campaign = await home.json("editor", `/api/campaigns/${id}`);
  expect(campaign.next_run).toBe(1);
  expect(Date.parse(campaign.next_at as string)).toBe(startMs + plainCampaign.every * 1000);
});
