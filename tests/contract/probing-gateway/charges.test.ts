/** Submit and cancel for ever, bodies without end: what was published is charged, a day has so many bytes. */
import { expect, test } from "bun:test";
import { settleOverdue } from "../../../apps/probing/gateway/sweep.ts";
import { probeArrays, probeText } from "./gateway-home.ts";
import { cancel, eventually, stopped, submitted } from "./measurement-helpers.ts";
import { onBothEngines } from "./on-both-engines.ts";

onBothEngines((gateway) => {
  const me = (user: string) => gateway().json(user, "/api/user/me");
  const sql = () => gateway().services.database.sql;

  test("a user who submits and cancels has the day's quota once, and no more", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 30; i++) {
      const options = { type: "text/csv", query: "?agents=west" };
      const response = await gateway().submit("attacker", probeText(1000), options);
      if (response.status === 429) {
        break;
      }
      const { id } = (await response.json()) as { id: string };
      ids.push(id);
      await cancel(gateway(), "attacker", id);
    }
    expect(ids).toHaveLength(10);
    expect(await me("attacker")).toMatchObject({ used: 10_000, limit: 10_000 });
    const records = await Promise.all(ids.map((id) => gateway().records(id)));
    expect(records.flat().reduce((sum, { value }) => sum + value.length, 0)).toBe(10_000 * 48);
  });

  test("of an agent that stays silent, what it did not report goes back when its time is over", async () => {
    const id = await submitted(gateway(), "patient", "west,east", 100);
    await cancel(gateway(), "patient", id);
    await stopped(gateway(), [id], "east", 40);
    await settleOverdue(gateway().services.database);
    expect(await me("patient")).toMatchObject({ used: 140 });
    await sql()`UPDATE measurements SET settle_at = now() WHERE measurement_id = ${id}`;
    await eventually(async () => {
      await settleOverdue(gateway().services.database);
      expect(await me("patient")).toMatchObject({ used: 40 });
    });
    await stopped(gateway(), [id], "west", 0);
    expect(await me("patient")).toMatchObject({ used: 40 });
  });

  test("what is settled on another day goes back to the day that it was charged to", async () => {
    const id = await submitted(gateway(), "yesterday", "west", 100);
    await sql()`
      UPDATE quota_days SET day = day - 1
      WHERE user_hash = (SELECT user_hash FROM measurements WHERE measurement_id = ${id})`;
    await sql()`UPDATE measurements SET day = day - 1 WHERE measurement_id = ${id}`;
    await submitted(gateway(), "yesterday", "west", 10);
    await cancel(gateway(), "yesterday", id);
    await stopped(gateway(), [id], "west", 30);
    const days = await sql()`
      SELECT charged, credited FROM quota_days
      WHERE user_hash = (SELECT user_hash FROM measurements WHERE measurement_id = ${id}) ORDER BY day`;
    expect([...days]).toMatchObject([
      { charged: 100, credited: 70 },
      { charged: 10, credited: 0 },
    ]);
  });

  test("an agent that has sent all of what was cancelled gives nothing back, then or later", async () => {
    const id = await submitted(gateway(), "sent", "west", 50);
    await cancel(gateway(), "sent", id);
    await stopped(gateway(), [id], "west", 50);
    await sql()`UPDATE measurements SET settle_at = now() WHERE measurement_id = ${id}`;
    await settleOverdue(gateway().services.database);
    expect(await me("sent")).toMatchObject({ used: 50 });
  });

  test("the day's byte limit ends submissions while they are read, and is shown", async () => {
    const user = "wordy";
    const allowed = 64 * 2 ** 20;
    const { submission_bytes_per_day: fresh } = await gateway().json(user, "/api/limits");
    expect(fresh).toMatchObject({ limit: allowed, used: 0, remaining: allowed });
    // One probe, and 60 KB of agents that do not exist: the answer is kept with the measurement.
    const strangers = Array.from({ length: 900 }, (_, i) => ({ id: `${"x".repeat(50)}${i}` }));
    const body = JSON.stringify({ metadata: [{ id: "west" }, ...strangers], probes: probeArrays(1) });
    expect((await gateway().submit(user, body)).status).toBe(200);
    const { submission_bytes_per_day: day } = await gateway().json(user, "/api/limits");
    expect(day).toMatchObject({ used: body.length, remaining: allowed - body.length });
    await sql()`
      UPDATE quota_days SET bytes = ${allowed - body.length} WHERE bytes = ${body.length} AND charged = 1`;
    const longer = `${body.slice(0, -2)}${" ".repeat(1000)}]}`;
    const refusal = await gateway().submit(user, longer);
    expect([refusal.status, await refusal.json()]).toMatchObject([
      429,
      { code: "bytes_exceeded", limit: allowed, used: allowed - body.length, remaining: body.length },
    ]);
    expect(Number(refusal.headers.get("retry-after"))).toBeGreaterThan(0);
    const race = await Promise.all([gateway().submit(user, body), gateway().submit(user, body)]);
    expect(race.map(({ status }) => status).sort()).toEqual([200, 429]);
    expect(await me(user)).toMatchObject({ used: 2, submission_count: 2 });
  });

  test("a user who may send more probes may send the bytes for them", async () => {
    await me("large");
    const hash = new Bun.CryptoHasher("sha256").update("large").digest("hex");
    await sql()`UPDATE users SET probes_per_day_max = 1000000000 WHERE user_hash = ${hash}`;
    const { submission_bytes_per_day: day } = await gateway().json("large", "/api/limits");
    expect(day).toMatchObject({ limit: 100_000_000_000 });
  });
});
