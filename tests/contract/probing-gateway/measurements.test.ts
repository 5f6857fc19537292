/** What users see of measurements, how these end, and what comes back to the quota then; on both engines. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { endParts } from "../../../apps/probing-gateway/measurements/end-parts.ts";
import { expire } from "../../../apps/probing-gateway/measurements/sweep.ts";
import { preferredUserId } from "../../../lib/probing/user-id.ts";
import { type EngineHome, engines, startEngine } from "../../postgres/engines.ts";
import { addAgent, GatewayHome, probeText } from "./gateway-home.ts";

describe.each(engines)("on %s", (engine) => {
  let database: EngineHome;
  let gateway: GatewayHome;

  beforeAll(async () => {
    database = await startEngine(engine);
    gateway = await GatewayHome.start({ databaseAddress: await database.freshDatabase() });
    await addAgent(gateway, "west");
    await addAgent(gateway, "east");
  }, 60_000);
  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    await database?.[Symbol.asyncDispose]();
  });

  const me = (user: string) => gateway.json(user, "/api/user/me");
  const statusOf = (user: string, id: string) => gateway.json(user, `/api/measurements/${id}/status`);
  const cancel = (user: string, id: string) =>
    gateway.json(user, `/api/measurement/${id}/cancel`, { method: "POST", body: "{}" });

  async function submitted(user: string, agents: string, probes = 10): Promise<string> {
    const response = await gateway.submit(user, probeText(probes), {
      type: "text/csv",
      query: `?agents=${agents}`,
    });
    expect(response.status).toBe(200);
    return ((await response.json()) as { id: string }).id;
  }

  async function report(id: string, agent: string, sent: number, status = "running"): Promise<void> {
    await gateway.services.database.sql`
      UPDATE measurement_agents SET sent_probes = ${sent}, status = ${status}
      WHERE measurement_id = ${id} AND agent_id = ${agent}`;
  }

  test("the status of a measurement, by both spellings and HEAD", async () => {
    const id = await submitted("status", "west,east");
    const expected = {
      status_code: 200,
      measurement_id: id,
      total_agents: 2,
      completed_agents: 0,
      total_expected_probes: 20,
      total_sent_probes: 0,
      measurement_complete: false,
      measurement_cancelled: false,
      status: "queued",
      started_at: expect.stringMatching(/^\d{4}-.*Z$/),
      last_updated: expect.stringMatching(/^\d{4}-.*Z$/),
      probes: 10,
      ended_at: null,
    };
    expect(await statusOf("status", id)).toMatchObject(expected);
    expect(await gateway.json("status", `/api/measurement/${id}/status`)).toMatchObject(expected);
    const { agents } = await statusOf("status", id);
    expect(agents).toMatchObject([
      { agent_id: "east", expected_probes: 10, sent_probes: 0, is_complete: false, cancelled: false },
      { agent_id: "west" },
    ]);
    const head = await gateway.ask("status", `/api/measurements/${id}/status`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  test("the gateway notes that all is published, and keeps no file of it", async () => {
    const id = await submitted("published", "west");
    const { sql } = gateway.services.database;
    await eventually(async () => {
      const [row] = await sql`
        SELECT published_probes, published_at IS NOT NULL AS done FROM measurements WHERE measurement_id = ${id}`;
      expect(row).toMatchObject({ published_probes: 10, done: true });
      expect(gateway.services.spoolFolder.list()).not.toContain(id);
    });
  });

  test("another user's measurement is as unknown as none", async () => {
    const id = await submitted("owner", "west");
    for (const [path, init] of [
      [`/api/measurements/${id}/status`, {}],
      [`/api/measurement/${id}/status`, {}],
      [`/api/measurements/${id}/cancel`, { method: "POST" }],
      [`/api/measurement/${crypto.randomUUID()}/cancel`, { method: "POST" }],
    ] as const) {
      expect(await gateway.json("stranger", path, init)).toMatchObject({
        status_code: 404,
        error: 404,
        code: "measurement_not_found",
        message: "Measurement not found",
      });
    }
    expect(await statusOf("stranger", "7")).toMatchObject({
      status_code: 400,
      message: "Invalid measurement ID format",
    });
  });

  test("cancelling gives back what was not sent, once", async () => {
    const id = await submitted("canceller", "west,east", 100);
    await report(id, "west", 30);
    expect(await cancel("canceller", id)).toEqual({
      status_code: 200,
      measurement_id: id,
      cancelled: true,
      measurement_cancelled: true,
      agents_cancelled: 2,
      message: "Measurement cancelled",
    });
    expect(await me("canceller")).toMatchObject({ used: 30, submission_count: 1 });
    const again = await Promise.all(Array.from({ length: 5 }, () => cancel("canceller", id)));
    expect(again).toEqual(
      again.map(() => ({
        status_code: 200,
        measurement_id: id,
        cancelled: false,
        measurement_cancelled: true,
        agents_cancelled: 0,
        message: "Measurement already cancelled",
      })),
    );
    expect(await me("canceller")).toMatchObject({ used: 30 });
    expect(await statusOf("canceller", id)).toMatchObject({
      measurement_complete: true,
      measurement_cancelled: true,
      status: "cancelled",
      agents: [
        { agent_id: "east", credited_probes: 100, cancelled: true },
        { agent_id: "west", credited_probes: 70, sent_probes: 30 },
      ],
    });
  });

  test("what is complete cannot be cancelled", async () => {
    const id = await submitted("complete", "west");
    await report(id, "west", 10, "complete");
    expect(await cancel("complete", id)).toMatchObject({
      cancelled: false,
      measurement_cancelled: false,
      message: "Measurement already complete; nothing to cancel",
    });
    expect(await me("complete")).toMatchObject({ used: 10 });
  });

  test("a part that fails is credited alone; the whole ends with its last part", async () => {
    const id = await submitted("failing", "west,east");
    const { sql } = gateway.services.database;
    const fail = (agentId: string) =>
      sql.begin((tx) => endParts(tx, { measurementIds: [id], agentId, status: "failed", error: "no route" }));
    expect([await fail("west"), await fail("west")]).toEqual([1, 0]);
    expect(await me("failing")).toMatchObject({ used: 10 });
    expect(await statusOf("failing", id)).toMatchObject({ status: "running", ended_at: null });
    await fail("east");
    expect(await me("failing")).toMatchObject({ used: 0 });
    expect(await statusOf("failing", id)).toMatchObject({
      status: "failed",
      ended_at: expect.any(String),
      agents: [{ error: "no route" }, { error: "no route" }],
    });
  });

  test("parts that end at once end the whole", async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => submitted("at once", "west,east")));
    const { sql } = gateway.services.database;
    const endings = ids.flatMap((id) =>
      ["west", "east"].map((agentId) =>
        sql.begin((tx) => endParts(tx, { measurementIds: [id], agentId, status: "failed", error: null })),
      ),
    );
    await Promise.all(endings);
    const open =
      await sql`SELECT FROM measurements WHERE measurement_id = ANY(${ids}::uuid[]) AND ended_at IS NULL`;
    expect(open).toHaveLength(0);
    expect(await me("at once")).toMatchObject({ used: 0 });
  });

  test("what is not finished in time expires, and goes back to the day it was charged to", async () => {
    const id = await submitted("expiring", "west,east");
    await report(id, "west", 10, "complete");
    await report(id, "east", 4);
    const { sql } = gateway.services.database;
    await sql`UPDATE measurements SET not_after = now() - interval '1 s', day = day - 1 WHERE measurement_id = ${id}`;
    await sql`
      INSERT INTO quota_days (user_hash, day, charged)
      SELECT user_hash, day, 20 FROM measurements WHERE measurement_id = ${id}`;
    // The gateway's own sweep may have been first.
    const found = await Promise.all([expire(gateway.services.database), expire(gateway.services.database)]);
    expect(found.flat().filter((one) => one === id).length).toBeLessThanOrEqual(1);
    expect(await statusOf("expiring", id)).toMatchObject({ status: "expired", measurement_complete: true });
    const days = await sql`
      SELECT charged, credited FROM quota_days JOIN users USING (user_hash)
      WHERE user_hash = (SELECT user_hash FROM measurements WHERE measurement_id = ${id}) ORDER BY day`;
    expect([...days]).toMatchObject([
      { charged: 20, credited: 6 },
      { charged: 20, credited: 0 },
    ]);
  });

  describe("the list", () => {
    const ids: string[] = [];
    beforeAll(async () => {
      for (let i = 0; i < 5; i++) {
        ids.push(await submitted("lister", i === 3 ? "east" : "west"));
      }
      await report(ids[0] ?? "", "west", 10, "complete");
      await gateway.services.database.sql`
        UPDATE measurements SET ended_at = now() WHERE measurement_id = ${ids[0] ?? ""}`;
      await cancel("lister", ids[1] ?? "");
    });

    async function listed(query: string): Promise<number[]> {
      const response = await gateway.ask("lister", `/api/measurements${query}`);
      const rows = (await response.json()) as { measurement_id: string }[];
      return rows.map(({ measurement_id }) => ids.indexOf(measurement_id));
    }

    test.each<[string, number[]]>([
      ["?sort=started", [4, 3, 2, 1, 0]],
      ["?sort=started&reverse=1", [0, 1, 2, 3, 4]],
      ["?sort=started&reverse=false&limit=2", [4, 3]],
      ["?sort=started&limit=-3", [4]],
      ["?sort=started&status=complete", [0]],
      ["?sort=started&status=cancelled,complete", [1, 0]],
      ["?sort=started&status=in-progress", [4, 3, 2]],
      ["?sort=started&agent=east", [3]],
      ["?since=2999-01-01", []],
      ["?sort=started&until=2999-01-01%2012:00:00", [4, 3, 2, 1, 0]],
      ["?sort=started&limit=&status=&since=&until=&agent=&reverse=", [4, 3, 2, 1, 0]],
    ])("%s", async (query, expected) => {
      expect(await listed(query)).toEqual(expected);
    });

    test("newest change first, unless asked otherwise", async () => {
      expect((await listed(""))[0]).toBe(1);
    });

    test.each([
      ["limit=x", "limit must be a whole number"],
      ["status=done", "must be some of complete,in-progress,cancelled,failed,expired"],
      ["since=yesterday", "since must be RFC 3339"],
      ["until=2026-13-01", "until must be RFC 3339"],
      ["sort=size", "sort must be updated or started"],
      ["reverse=maybe", "reverse must be true or false"],
      ["cursor=x", "cursor must come from a Link"],
    ])("%s is refused", async (query, message) => {
      const answer = await gateway.json("lister", `/api/measurements?${query}`);
      expect(answer).toMatchObject({
        status_code: 400,
        error: 400,
        message: expect.stringContaining(message),
      });
    });

    test.each(["sort=started", "sort=updated", "sort=started&reverse=1"])(
      "pages by %s hold all once",
      async (sort) => {
        const pages: number[][] = [];
        let next: string | null = `/api/measurements?limit=2&${sort}`;
        while (next !== null) {
          const response: Response = await gateway.ask("lister", next);
          const rows = (await response.json()) as { measurement_id: string }[];
          pages.push(rows.map(({ measurement_id }) => ids.indexOf(measurement_id)));
          next = /^<(.*)>; rel="next"$/.exec(response.headers.get("link") ?? "")?.[1] ?? null;
        }
        expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
        expect(pages.flat().toSorted()).toEqual([0, 1, 2, 3, 4]);
        expect(pages.flat()).toEqual(await listed(`?${sort}`));
      },
    );
  });

  test("the day's figures cost the same whatever there is, and another day's are not today's", async () => {
    const id = await submitted("yesterday", "west");
    const { sql } = gateway.services.database;
    await sql`
      UPDATE quota_days SET day = day - 1
      WHERE user_hash = (SELECT user_hash FROM measurements WHERE measurement_id = ${id})`;
    expect(await me("yesterday")).toMatchObject({
      used: 0,
      submission_count: 0,
      last_submitted: expect.stringMatching(/Z$/),
    });
    expect(await me("new")).toMatchObject({
      used: 0,
      limit: 10_000,
      submission_count: 0,
      last_submitted: null,
    });
  });

  test("two users who come to the same number get different ones", async () => {
    const { sql } = gateway.services.database;
    const hash = new Bun.CryptoHasher("sha256").update("collider").digest("hex");
    const wanted = preferredUserId(hash);
    await sql`INSERT INTO users (user_hash, user_id) VALUES (${"0".repeat(64)}, ${wanted})`;
    const { user_id: given } = await me("collider");
    expect(given).not.toBe(wanted);
    expect((await me("collider")).user_id).toBe(given);
  });

  test("a suspended user may look, and not measure", async () => {
    await me("suspended");
    const { sql } = gateway.services.database;
    const hash = new Bun.CryptoHasher("sha256").update("suspended").digest("hex");
    await sql`UPDATE users SET suspended_at = now(), suspended_reason = 'abuse' WHERE user_hash = ${hash}`;
    const response = await gateway.submit("suspended", probeText(1), {
      type: "text/csv",
      query: "?agents=west",
    });
    expect([response.status, await response.json()]).toMatchObject([403, { code: "user_suspended" }]);
    expect(await me("suspended")).toMatchObject({ status_code: 200 });
  });

  test("a user's own limit is what counts, and is told", async () => {
    await me("limited");
    const { sql } = gateway.services.database;
    const hash = new Bun.CryptoHasher("sha256").update("limited").digest("hex");
    await sql`UPDATE users SET probes_per_day_max = 5 WHERE user_hash = ${hash}`;
    const submit = (probes: number) =>
      gateway.submit("limited", probeText(probes), { type: "text/csv", query: "?agents=west" });
    expect([(await submit(6)).status, (await submit(5)).status, (await submit(1)).status]).toEqual([
      429, 200, 429,
    ]);
    expect(await gateway.json("limited", "/api/limits")).toMatchObject({
      probes_per_day: { limit: 5, used: 5, remaining: 0 },
      agents_per_submission: 1000,
      retention_days: 7,
    });
  });
});

async function eventually(check: () => Promise<void>): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await check();
    } catch (error) {
      if (tries === 200) {
        throw error;
      }
      await Bun.sleep(10);
    }
  }
}
