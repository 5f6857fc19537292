/** Submissions for agents that existed before ours: they cannot send everything, and queue 100 records. */
import { expect, test } from "bun:test";
import { identityOf } from "../../../lib/engines/auth/token-verifier.ts";
import { insertAgent, probeArrays, probeText } from "./gateway-home.ts";
import { onBothEngines } from "./on-both-engines.ts";

onBothEngines((gateway) => {
  const used = async (user: string) => (await gateway().json(user, "/api/user/me")).used;

  test("what an existing agent cannot send is refused with the reason, instead of waited for", async () => {
    const sql = gateway().services.database.sql;
    await insertAgent(sql, "older", { isExisting: true });
    await insertAgent(sql, "older-free", { isExisting: true, prefixes: [""] });
    const ask = (id: string, protocol: string, ip_address?: string) =>
      gateway().submit("older", { metadata: [{ id, ip_address }], probes: probeArrays(2, protocol) });
    const tcp = "its program sends no TCP probes: use UDP or ICMP, or another agent";
    const source = "its program chooses no source itself: name one in its prefixes, as AGENT:ADDRESS";
    for (const [answer, reason] of [
      [await ask("older", "tcp", "192.0.2.1"), tcp],
      [await ask("older", "udp"), source],
    ] as const) {
      expect([answer.status, await answer.json()]).toMatchObject([
        400,
        {
          code: "cannot_send",
          message: `Agent 'older' cannot send these probes: ${reason}`,
          rejected: [{ id: "older", reason }],
        },
      ]);
    }
    expect(await used("older")).toBe(0);
    expect((await ask("older", "udp", "192.0.2.1")).status).toBe(200);
    expect((await ask("older-free", "udp")).status).toBe(200);
    const mixed = { metadata: [{ id: "older" }, { id: "west" }], probes: probeArrays(2, "tcp") };
    expect(await (await gateway().submit("older", mixed)).json()).toMatchObject({
      ...{ agents: [{ id: "west" }], rejected: [{ id: "older", reason: tcp }] },
    });
  });

  test("records for an existing agent are so large that its queue of 100 holds them", async () => {
    const { sql } = gateway().services.database;
    await insertAgent(sql, "queue", { isExisting: true });
    await gateway().json("queue", "/api/user/me");
    const { userHash } = identityOf("queue");
    await sql`UPDATE users SET probes_per_day_max = 1000000 WHERE user_hash = ${userHash}`;
    const query = "?agents=queue:192.0.2.1,queue:192.0.2.2";
    const answer = await gateway().submit("queue", probeText(150_000), { type: "text/csv", query });
    const { id } = (await answer.json()) as { id: string };
    const records = await gateway().records(id);
    expect(records.reduce((sum, { value }) => sum + value.length / 48, 0)).toBe(300_000);
    expect(records.length).toBeLessThanOrEqual(90);
  });
});
