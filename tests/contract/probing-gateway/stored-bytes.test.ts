/** What the database keeps for one user: one account over all kinds, with an end that names what makes room. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { databaseJournal } from "../../../apps/probing/campaigns/database-journal.ts";
import { storedBytes } from "../../../apps/probing/campaigns/stored-bytes.ts";
import { userHashOf } from "../../../lib/engines/auth/token-verifier.ts";
import { type EngineHome, engines, startEngine } from "../../postgres/engines.ts";
import { plainCampaign } from "./campaign-time.ts";
import { addAgent, GatewayHome } from "./gateway-home.ts";

const limit = 2 ** 20;

describe.each(engines)("on %s", (engine) => {
  let database: EngineHome | null = null;
  beforeAll(async () => {
    database = await startEngine(engine);
  });
  afterAll(() => database?.[Symbol.asyncDispose]());
  const start = async () => {
    const home = await GatewayHome.start({
      databaseAddress: (await database?.freshDatabase()) ?? "",
      yaml: `limits: { stored_bytes_per_user: ${limit}, campaigns_per_user: 1000 }`,
    });
    await addAgent(home, "west");
    return home;
  };
  /** Probe lines that PostgreSQL cannot pack to much less. */
  const lines = (count: number) =>
    Array.from({ length: count }, () => {
      const [a = 0, b = 0, c = 0] = crypto.getRandomValues(new Uint16Array(3));
      return `203.0.113.${a & 0xff},${1024 + (b % 60_000)},${1024 + (c % 60_000)},${1 + (a >> 11)},udp\n`;
    }).join("");
  const send = (home: GatewayHome, method: string, path: string, body: object) =>
    home.json("sam", path, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...plainCampaign, every: 86_400, ...body }),
    });
  const used = async (home: GatewayHome) => {
    const { stored_bytes: stored } = await home.json("sam", "/api/limits");
    return stored as { limit: number; used: number; remaining: number };
  };

  test("revisions that nothing was measured by are not kept, however many are made", async () => {
    await using home = await start();
    const made = await send(home, "POST", "/api/campaigns", { name: "edited", probes: lines(1000) });
    const { id } = made.campaign as { id: string };
    await used(home);
    for (let i = 0; i < 20; i++) {
      const edited = await send(home, "PUT", `/api/campaigns/${id}`, { name: "edited", probes: lines(1000) });
      expect(edited).toMatchObject({ status_code: 200 });
    }
    const { sql } = home.services.database;
    const rows =
      await sql`SELECT revision FROM campaign_revisions WHERE campaign_id = ${id} ORDER BY revision`;
    expect(rows.length).toBeLessThanOrEqual(2);
    expect((await used(home)).used).toBeLessThan(limit / 4);
    await home.ask("sam", `/api/campaigns/${id}/stop`, { method: "POST" });
    expect((await home.ask("sam", `/api/campaigns/${id}`, { method: "DELETE" })).status).toBe(204);
  });

  test("a run whose steps would not fit is refused with the reason, and writes none of them", async () => {
    await using home = await start();
    const made = await send(home, "POST", "/api/campaigns", { name: "steps", probes: lines(10), every: 60 });
    const { id } = made.campaign as { id: string };
    const { database: opened } = home.services;
    const journal = databaseJournal(opened, { settleMs: 0, storedBytesMax: 10_000 });
    const place = { campaign_id: id, run: 7, step: 0 };
    await opened.sql`
      INSERT INTO campaign_runs (campaign_id, run, last_run, revision, planned_at, state)
      VALUES (${id}, 7, 7, 1, now(), 'open')`;
    await opened.sql`
      INSERT INTO campaign_steps (campaign_id, run, step, due_at, latest_at, agents, state, kind, probes, claimed_until)
      VALUES (${id}, 7, 0, now(), now() + interval '1 hour', 'west', 'due', 'compute', NULL,
        now() + interval '1 hour')`;
    const given = { note: lines(300) };
    const work = { kind: "compute", rule: "discovery-round", given } as const;
    const next = [{ work, step: 1 }];
    expect(journal.done(place, next)).rejects.toMatchObject({
      code: "storage_full",
    });
    await journal.done(place, next).catch(() => {});
    expect(
      await opened.sql`SELECT step, state FROM campaign_steps WHERE campaign_id = ${id} AND run = 7`,
    ).toMatchObject([{ step: 0, state: "due" }]);
  });

  test("a full account refuses more of any kind, is shown, and ended campaigns can be removed", async () => {
    await using home = await start();
    const ids: string[] = [];
    let refused: Record<string, unknown> | null = null;
    for (let i = 0; i < 200 && refused === null; i++) {
      const made = await send(home, "POST", "/api/campaigns", { name: `full${i}`, probes: lines(4000) });
      if (made.status_code === 201) {
        ids.push((made.campaign as { id: string }).id);
        await home.ask("sam", `/api/campaigns/${ids.at(-1)}/stop`, { method: "POST" });
      } else {
        refused = made;
      }
    }
    expect(refused).toMatchObject({ status_code: 429, code: "storage_full", limit });
    expect(String(refused?.detail)).toContain("vantage campaign remove");
    const before = await used(home);
    expect(before).toMatchObject({ limit, remaining: limit - before.used });
    expect(await storedBytes(home.services.database.sql, userHashOf("sam"))).toBe(before.used);
    const [first = ""] = ids;
    expect((await home.ask("ann", `/api/campaigns/${first}`, { method: "DELETE" })).status).toBe(404);
    expect((await home.ask("sam", `/api/campaigns/${first}`, { method: "DELETE" })).status).toBe(204);
    expect((await used(home)).used).toBeLessThan(before.used);
    const again = await send(home, "POST", "/api/campaigns", { name: "again", probes: lines(100) });
    expect(again).toMatchObject({ status_code: 201 });
    const { id } = again.campaign as { id: string };
    const running = await home.json("sam", `/api/campaigns/${id}`, { method: "DELETE" });
    expect(running).toMatchObject({ status_code: 409, code: "campaign_not_ended" });
    // Others are not concerned.
    expect(await storedBytes(home.services.database.sql, userHashOf("tom"))).toBe(0);
    await home.ask("sam", `/api/campaigns/${id}/stop`, { method: "POST" });
  });
});
