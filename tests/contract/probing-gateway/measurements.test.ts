/** What users see of a measurement, how it ends, and what comes back to the quota then. */
import { expect, test } from "bun:test";
import { endParts } from "../../../apps/probing/gateway/measurements/end-parts.ts";
import { expire } from "../../../apps/probing/gateway/sweep.ts";
import { inTier } from "../../run/tier.ts";
import { cancel, eventually, report, stopped, submitted } from "./measurement-helpers.ts";
import { onBothEngines } from "./on-both-engines.ts";

onBothEngines((gateway) => {
  const me = (user: string) => gateway().json(user, "/api/user/me");
  const statusOf = (user: string, id: string) => gateway().json(user, `/api/measurements/${id}/status`);
  test("the status of a measurement, by both spellings and HEAD", async () => {
    const id = await submitted(gateway(), "status", "west,east");
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
    expect(await gateway().json("status", `/api/measurement/${id}/status`)).toMatchObject(expected);
    const { agents } = await statusOf("status", id);
    expect(agents).toMatchObject([
      { agent_id: "east", expected_probes: 10, sent_probes: 0, is_complete: false, cancelled: false },
      { agent_id: "west" },
    ]);
    const head = await gateway().ask("status", `/api/measurements/${id}/status`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  test("sums are those of the agents shown, while these report", async () => {
    const id = await submitted(gateway(), "summing", "west");
    const reports = async () => {
      for (let sent = 1; sent <= inTier({ usual: 60, long: 300 }); sent++) {
        await report(gateway(), id, "west", { sent });
      }
    };
    let reporting = true;
    const reported = reports().finally(() => {
      reporting = false;
    });
    const seen = new Set<number>();
    while (reporting) {
      for (const shown of await Promise.all(Array.from({ length: 8 }, () => statusOf("summing", id)))) {
        const [sent, agents] = [Number(shown.total_sent_probes), shown.agents];
        expect(agents).toMatchObject([{ sent_probes: sent }]);
        seen.add(sent);
      }
    }
    await reported;
    expect(seen.size).toBeGreaterThan(2);
  });

  test("the gateway notes that all is published, and keeps no file of it", async () => {
    const id = await submitted(gateway(), "published", "west");
    const { sql } = gateway().services.database;
    await eventually(async () => {
      const [row] = await sql`
        SELECT published_probes, published_at IS NOT NULL AS done FROM measurements WHERE measurement_id = ${id}`;
      expect(row).toMatchObject({ published_probes: 10, done: true });
      expect(gateway().services.spoolFolder.list()).not.toContain(id);
    });
  });

  test("another user's measurement is as unknown as none", async () => {
    const id = await submitted(gateway(), "owner", "west");
    for (const [path, init] of [
      [`/api/measurements/${id}/status`, {}],
      [`/api/measurement/${id}/status`, {}],
      [`/api/measurements/${id}/cancel`, { method: "POST" }],
      [`/api/measurement/${crypto.randomUUID()}/cancel`, { method: "POST" }],
    ] as const) {
      expect(await gateway().json("stranger", path, init)).toMatchObject({
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

  test("cancelling gives back what was not sent, once, when the agents have said so", async () => {
    const id = await submitted(gateway(), "canceller", "west,east", 100);
    await report(gateway(), id, "west", { sent: 10 });
    expect(await cancel(gateway(), "canceller", id)).toEqual({
      status_code: 200,
      measurement_id: id,
      cancelled: true,
      measurement_cancelled: true,
      agents_cancelled: 2,
      message: "Measurement cancelled",
    });
    expect(await me("canceller")).toMatchObject({ used: 200, submission_count: 1 });
    await stopped(gateway(), [id, id], "east");
    expect(await me("canceller")).toMatchObject({ used: 100 });
    await Promise.all([stopped(gateway(), [id], "west", 30), stopped(gateway(), [id], "east")]);
    expect(await me("canceller")).toMatchObject({ used: 30, submission_count: 1 });
    const again = await Promise.all(Array.from({ length: 5 }, () => cancel(gateway(), "canceller", id)));
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

  test("what its user has finished with is complete: agents stop, and it is not listed as cancelled", async () => {
    const id = await submitted(gateway(), "finisher", "west,east", 100);
    await report(gateway(), id, "west", { sent: 30 });
    const finish = (query: string) =>
      gateway().json("finisher", `/api/measurement/${id}/cancel${query}`, { method: "POST", body: "{}" });
    expect(await finish("?reason=bored")).toMatchObject({ status_code: 400, code: "invalid_query" });
    expect(await finish("?reason=finished")).toMatchObject({
      ...{
        cancelled: true,
        measurement_cancelled: false,
        agents_cancelled: 2,
        message: "Measurement finished",
      },
    });
    // Agents hear that it was cancelled, and what they have not sent goes back to the quota.
    expect(await stopped(gateway(), [id], "west", 30)).toMatchObject([{ status: "cancelled" }]);
    await stopped(gateway(), [id], "east");
    await eventually(async () => expect(await me("finisher")).toMatchObject({ used: 30 }));
    expect(await statusOf("finisher", id)).toMatchObject({
      ...{
        status: "complete",
        finished_early: true,
        measurement_complete: true,
        measurement_cancelled: false,
      },
      ...{ completed_agents: 2, total_sent_probes: 30 },
      agents: [
        { agent_id: "east", status: "complete", is_complete: true, cancelled: false, sent_probes: 0 },
        { agent_id: "west", status: "complete", is_complete: true, cancelled: false, sent_probes: 30 },
      ],
    });
    const listed = await gateway().json("finisher", "/api/measurements?status=complete");
    expect(Object.values(listed)).toContainEqual(expect.objectContaining({ measurement_id: id }));
    for (const query of ["", "?reason=finished"]) {
      expect(await finish(query)).toMatchObject({
        ...{ cancelled: false, measurement_cancelled: false, agents_cancelled: 0 },
        message: "Measurement already complete; nothing to cancel",
      });
    }
  });

  test("what is complete cannot be cancelled", async () => {
    const id = await submitted(gateway(), "complete", "west");
    await report(gateway(), id, "west", { sent: 10, status: "complete" });
    expect(await cancel(gateway(), "complete", id)).toMatchObject({
      cancelled: false,
      measurement_cancelled: false,
      message: "Measurement already complete; nothing to cancel",
    });
    expect(await me("complete")).toMatchObject({ used: 10 });
  });

  test("a part that fails is credited alone; the whole ends with its last part", async () => {
    const id = await submitted(gateway(), "failing", "west,east");
    const { sql } = gateway().services.database;
    const fail = (agentId: string) =>
      sql.begin((tx) =>
        endParts(tx, { measurementIds: [id], agentId, status: "failed", error: "no route", isSettled: true }),
      );
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
    const ids = await Promise.all(
      Array.from({ length: 10 }, () => submitted(gateway(), "at once", "west,east")),
    );
    const { sql } = gateway().services.database;
    const endings = ids.flatMap((id) =>
      ["west", "east"].map((agentId) =>
        sql.begin((tx) =>
          endParts(tx, { measurementIds: [id], agentId, status: "failed", error: null, isSettled: true }),
        ),
      ),
    );
    await Promise.all(endings);
    const open =
      await sql`SELECT FROM measurements WHERE measurement_id = ANY(${ids}::uuid[]) AND ended_at IS NULL`;
    expect(open).toHaveLength(0);
    expect(await me("at once")).toMatchObject({ used: 0 });
  });

  test("what is not finished in time expires, and goes back to the day it was charged to", async () => {
    const id = await submitted(gateway(), "expiring", "west,east");
    await report(gateway(), id, "west", { sent: 10, status: "complete" });
    await report(gateway(), id, "east", { sent: 4 });
    const { sql } = gateway().services.database;
    await sql`UPDATE measurements SET not_after = now() - interval '1 s', day = day - 1 WHERE measurement_id = ${id}`;
    await sql`
      INSERT INTO quota_days (user_hash, day, charged)
      SELECT user_hash, day, 20 FROM measurements WHERE measurement_id = ${id}`;
    // The gateway's own sweep may have been first.
    const found = await Promise.all([
      expire(gateway().services.database),
      expire(gateway().services.database),
    ]);
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
});
