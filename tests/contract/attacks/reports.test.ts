/** What taken-over agents report of themselves and of measurements, so that the gateway fails others. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { configChangesMax } from "../../../apps/probing/gateway/limits.ts";
import { openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { GatewayHome, probeText } from "../probing-gateway/gateway-home.ts";
import { AgentCaller, admin } from "../probing-gateway-agents/callers.ts";

let database: EngineHome;
let home: GatewayHome;
let agents: readonly [AgentCaller, AgentCaller, AgentCaller];
beforeAll(async () => {
  database = await startEngine();
  home = await GatewayHome.start({ databaseAddress: await database.freshDatabase() });
  agents = [
    await AgentCaller.ready(home, "one"),
    await AgentCaller.ready(home, "two"),
    await AgentCaller.ready(home, "three"),
  ];
});
afterAll(async () => {
  await home[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

async function submitted(ids: string): Promise<string> {
  const response = await home.submit("ann", probeText(3), { type: "text/csv", query: `?agents=${ids}` });
  return ((await response.json()) as { id: string }).id;
}

test.each([Number.MAX_SAFE_INTEGER, 2 ** 40])(
  "counts of %d probes by each agent hide no measurement from its user",
  async (count) => {
    const id = await submitted("one,two,three");
    const report = { measurement_id: id, is_complete: false };
    const counts = { sent_probes: count, received_replies: count, failed_probes: count, held_probes: count };
    for (const agent of agents) {
      const { status } = await agent.post("/measurements/status", [{ ...report, ...counts }]);
      expect(status).toBe(count > 2 ** 40 ? 422 : 200);
    }
    for (const path of [`/api/measurements/${id}/status`, "/api/measurements"]) {
      expect((await home.ask("ann", path)).status).toBe(200);
    }
  },
);

test.each(["9999-12-31T23:59:59-23:59", "1969-12-31T23:59:59Z"])(
  "a last check at %s is refused",
  async (time) => {
    const { status, body } = await agents[0].post("/health", { healthy: true, last_check: time });
    expect([status, body]).toMatchObject([422, { code: "invalid_body" }]);
    const key = { label: "x", uses: 1, expires_at: time };
    expect((await admin(home, "/enrolment-keys", { body: key })).status).toBe(422);
  },
);

test("two configurations in turns do not fill the audit, which nobody may delete from", async () => {
  const agent = await AgentCaller.create(home, "restless");
  await agent.register();
  const answers: number[] = [];
  for (let i = 0; i < 2 * configChangesMax; i++) {
    answers.push((await agent.post("/config", [{ name: "main", instance_id: i }])).status);
  }
  expect(answers.filter((status) => status === 200)).toHaveLength(configChangesMax);
  expect(new Set(answers.slice(configChangesMax))).toEqual(new Set([429]));
  const [row] = await home.services.database.sql<{ rows: number }[]>`
    SELECT count(*)::integer AS rows FROM audit WHERE actor = 'agent:restless' AND action = 'agent.config'`;
  expect(row?.rows).toBe(configChangesMax);
  // What it has said last is in force, and may be repeated.
  const last = [{ name: "main", instance_id: configChangesMax - 1 }];
  expect((await agent.post("/config", last)).status).toBe(200);
});

test("an agent locks no measurement of others by naming it", async () => {
  const id = await submitted("two");
  await using other = await openDatabase(home.services.config.database.address, { applicationName: "test" });
  const report = { measurement_id: id, sent_probes: 1, is_complete: true };
  await other.sql.begin(async (tx) => {
    await tx`SELECT FROM measurements WHERE measurement_id = ${id} FOR UPDATE`;
    const { status, body } = await agents[0].post("/measurements/status", [report]);
    expect([status, body]).toMatchObject([200, [{ status: "unknown" }]]);
  });
});
