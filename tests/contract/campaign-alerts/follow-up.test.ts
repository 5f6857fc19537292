/** A raised alert starts a measurement once for each change, within its budget, and the message about it links that. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startFollowUps } from "../../../apps/probing/campaigns/follow-ups.ts";
import { writeEvents } from "../../../apps/probing/campaigns/notice/alert-journal.ts";
import { evaluateRuns } from "../../../apps/probing/campaigns/notice/evaluate.ts";
import { startEngine } from "../../postgres/engines.ts";
import { endAll, made, measured, pass } from "../probing-gateway/campaign-time.ts";
import { eventually } from "../probing-gateway/measurement-helpers.ts";
import { ResultsHome } from "../probing-gateway-reads/results-home.ts";

const flows = 20;
const destination = "203.0.113.9";
const owned = new AsyncDisposableStack();
const hooks: Record<string, unknown>[] = [];
let home: ResultsHome;
let hook = "";

beforeAll(async () => {
  const server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1" },
    fetch: async (request) => {
      hooks.push((await request.json()) as Record<string, unknown>);
      return new Response(null, { status: 204 });
    },
  });
  owned.defer(() => server.stop(true));
  hook = `http://127.0.0.1:${server.port}/`;
  const database = owned.use(await startEngine());
  home = owned.use(await ResultsHome.start(database, "alerts: { allowed_hosts: [127.0.0.1] }"));
});
afterAll(() => owned.disposeAsync());

const definition = (followUp: object) => ({
  name: "followed",
  probes: Array.from({ length: flows }, (_, i) => `${destination},${24_000 + i},33434,5,udp\n`).join(""),
  alerts: {
    detectors: { loss: { threshold_percent: 50, runs: 1 } },
    follow_up: followUp,
    deliveries: [{ webhook: hook, secret: "only for this test" }],
  },
});

/** One run with so many answers, evaluated. */
async function run(user: string, id: string, number: number, answers: number): Promise<void> {
  const { services } = home.gateway;
  const { sql } = services.database;
  if (number > 0) {
    await pass(home.gateway, 0, id);
  }
  const measurement = await measured(home.gateway, user, id, number);
  const probe = (i: number) => ({ measurement, agent: "west", destination, srcPort: 24_000 + i, ttl: 5 });
  await home.store.insertProbes(Array.from({ length: flows }, (_, index) => ({ ...probe(index), index })));
  await home.store.insertReplies(
    Array.from({ length: answers }, (_, i) => ({
      ...{ ...probe(i), sender: "west/1", source: "192.0.2.1", from: destination },
      ...{ rttTenthMs: 200, icmp: [3, 3] as const },
    })),
  );
  await endAll(home.gateway);
  await eventually(async () => {
    const planned = await sql`
      UPDATE campaign_evaluations SET due_at = now() WHERE campaign_id = ${id} AND run = ${number}`;
    expect(planned.count).toBe(1);
  });
  await eventually(async () => {
    await evaluateRuns(services);
    const [look] = await sql`
      SELECT evaluated_at FROM campaign_evaluations WHERE campaign_id = ${id} AND run = ${number}`;
    expect(look).toMatchObject({ evaluated_at: expect.any(Date) });
  });
}

const alertsOf = (user: string, id: string) => home.rows(user, `/api/campaigns/${id}/alerts`);

test("an alert starts a trace from its agent, the message links it, and the next is beyond the budget", async () => {
  const id = await made(home.gateway, "anna", definition({ measure: "trace", probes_per_day: 40 }));
  await run("anna", id, 0, flows);
  await run("anna", id, 1, 4);
  let measurement = "";
  await eventually(async () => {
    const [alert] = await alertsOf("anna", id);
    expect(alert).toMatchObject({ detector: "loss", follow_up: "trace", follow_up_state: "started" });
    measurement = String(alert?.follow_up_id);
  });
  expect((await home.get("anna", `/api/measurement/${measurement}/status`)).status).toBe(200);
  const { sql } = home.gateway.services.database;
  expect(
    await sql`
      SELECT agent_id, expected_probes::integer AS probes FROM measurement_agents
      WHERE measurement_id = ${measurement}`,
  ).toMatchObject([{ agent_id: "west", probes: 32 }]);
  await eventually(async () => {
    expect(hooks.filter(({ kind }) => kind === "raised")).toMatchObject([
      { run: 1, follow_up_id: measurement },
    ]);
  });
  await run("anna", id, 2, flows);
  await run("anna", id, 3, 4);
  await eventually(async () => {
    const [alert] = await alertsOf("anna", id);
    expect(alert).toMatchObject({
      ...{ raised_run: 3, follow_up_state: "refused", follow_up_id: null },
      follow_up_reason: "The budget of 40 probes a day is used up",
    });
  });
  await eventually(async () => {
    expect(hooks.filter(({ kind }) => kind === "raised")).toMatchObject([
      { run: 1 },
      { run: 3, follow_up_id: null },
    ]);
  });
});

test("alerts about one change share a measurement, whichever gateways start it", async () => {
  const id = await made(home.gateway, "ben", definition({ measure: "ping" }));
  const { services } = home.gateway;
  const { sql } = services.database;
  const followed = sql.json({ measure: "ping", agents: ["west", "east"], probes_per_day: 20 });
  await sql`
    INSERT INTO alerts (alert_id, campaign_id, agent_id, destination, detector, reason, raised_run, follow_up,
      follow_up_key, follow_up_state)
    SELECT gen_random_uuid(), ${id}, 'west', ${destination}, detector, 'it changed', 7, ${followed}, '7', 'due'
    FROM unnest(ARRAY['loss', 'rtt', 'new_link']) AS detector`;
  await Promise.all([1, 2, 3].map(() => startFollowUps(services)));
  await eventually(async () => {
    const alerts = await alertsOf("ben", id);
    expect(alerts.map(({ follow_up_state: state }) => state)).toEqual(["started", "started", "started"]);
    expect(new Set(alerts.map((alert) => alert.follow_up_id)).size).toBe(1);
  });
  const [count] = await sql`
    SELECT count(*)::integer AS measurements FROM measurements WHERE campaign_id = ${id} AND campaign_run = 7`;
  expect(count).toEqual({ measurements: 1 });
});

test("what no agent may send is refused with the reason", async () => {
  const id = await made(home.gateway, "eve", definition({ measure: "ping" }));
  const { sql } = home.gateway.services.database;
  await sql`
    INSERT INTO alerts (alert_id, campaign_id, agent_id, destination, detector, reason, raised_run, follow_up,
      follow_up_key, follow_up_state)
    VALUES (gen_random_uuid(), ${id}, 'west', ${destination}, 'loss', 'it changed', 1,
      ${sql.json({ measure: "ping", agents: ["nowhere"], probes_per_day: 20 })}, '1', 'due')`;
  await eventually(async () => {
    const [alert] = await alertsOf("eve", id);
    expect(alert).toMatchObject({
      follow_up_state: "refused",
      follow_up_reason: "No healthy agents found for the requested measurement",
    });
  });
});

test("a storm is cut after 20 changes an hour; a digest says what was started and what was not", async () => {
  const id = await made(home.gateway, "finn", definition({ measure: "ping", probes_per_day: 100_000 }));
  const { sql } = home.gateway.services.database;
  const followed = { measure: "ping", probes_per_day: 100_000 } as const;
  await sql.begin(async (tx) => {
    await writeEvents(
      tx,
      {
        ...{ campaign_id: id, name: "followed", run: 3, planned_at: new Date() },
        alerts: { routes: false, follow_up: followed, deliveries: [] },
        deliveries: [{ webhook: hook, secret: "only for this test" }],
      },
      Array.from({ length: 25 }, (_, i) => ({
        ...({ detector: "loss", kind: "raised", agent: "west", value: 1, threshold: 0.5 } as const),
        ...{ destination: `203.0.113.${i + 1}`, text: "it is lost" },
      })),
    );
  });
  await eventually(async () => {
    const states = (await alertsOf("finn", id)).map(({ follow_up_state: state }) => state);
    expect(states.filter((state) => state === "started")).toHaveLength(20);
    expect(states.filter((state) => state === "refused")).toHaveLength(5);
  });
  expect(await (await home.get("finn", `/api/campaigns/${id}`)).json()).toMatchObject({
    follow_ups: { started: 20, refused: 5 },
  });
  const reason = "20 changes were measured within an hour";
  expect((await alertsOf("finn", id)).filter((alert) => alert.follow_up_reason === reason)).toHaveLength(5);
  await eventually(async () => expect(hooks.map(({ kind }) => kind)).toContain("digest"));
  const digest = hooks.find(({ kind }) => kind === "digest");
  const listed = digest?.alerts as Record<string, unknown>[];
  expect(listed.filter(({ follow_up_id: one }) => typeof one === "string")).toHaveLength(20);
  expect(listed.filter(({ follow_up_reason: one }) => one === reason)).toHaveLength(5);
  const metrics = await (await home.gateway.ask("finn", "/metrics")).text();
  expect(metrics).toMatch(/vantage_alert_follow_ups\{state="refused"\} [1-9]/);
});

test("an alert starts a discovery", async () => {
  const id = await made(home.gateway, "gil", definition({ measure: "discover" }));
  const { sql } = home.gateway.services.database;
  await sql`
    INSERT INTO alerts (alert_id, campaign_id, agent_id, destination, detector, reason, raised_run, follow_up,
      follow_up_key, follow_up_state)
    VALUES (gen_random_uuid(), ${id}, 'west', ${destination}, 'loss', 'it changed', 1,
      ${sql.json({ measure: "discover", probes_per_day: 500 })}, '1', 'due')`;
  let discovery: unknown;
  await eventually(async () => {
    const [alert] = await alertsOf("gil", id);
    expect(alert).toMatchObject({ follow_up: "discover", follow_up_state: "started" });
    discovery = alert?.follow_up_id;
  });
  const shown = await (await home.get("gil", `/api/discoveries/${discovery}`)).json();
  expect(shown).toMatchObject({
    ...{ id: discovery, name: expect.stringContaining(`follow-up ${destination} `), probes_max: 500 },
    definition: { agents: "west", targets: [destination] },
  });
});
