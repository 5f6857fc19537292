/** Alerts of campaigns at a gateway: what runs show is noticed once, kept, shown and sent. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Deliveries } from "../../../apps/probing/campaigns/delivery/deliver.ts";
import { deliveriesOfUserMax } from "../../../apps/probing/campaigns/limits.ts";
import { evaluateRuns } from "../../../apps/probing/campaigns/notice/evaluate.ts";
import { startEngine } from "../../postgres/engines.ts";
import { endAll, made, measured, pass } from "../probing-gateway/campaign-time.ts";
import { eventually } from "../probing-gateway/measurement-helpers.ts";
import { ResultsHome } from "../probing-gateway-reads/results-home.ts";
import { startMailServer } from "./mail-server.ts";

const flows = 40;
const destination = "203.0.113.9";
const secret = "only for this test";
const owned = new AsyncDisposableStack();
const hooks: { id: string; body: Record<string, unknown> }[] = [];
let mail: Awaited<ReturnType<typeof startMailServer>>;
let home: ResultsHome;
let hook = "";
let answer = 500;

beforeAll(async () => {
  mail = owned.use(await startMailServer(null));
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const body = (await request.json()) as Record<string, unknown>;
      hooks.push({ id: request.headers.get("vantage-delivery") ?? "", body });
      return new Response(null, { status: answer });
    },
  });
  owned.defer(() => server.stop(true));
  hook = `http://127.0.0.1:${server.port}/secret-path`;
  const alerts = `{ allowed_hosts: [127.0.0.1], email_domains: [example.net], smtp_encryption: none,
    smtp_server: "127.0.0.1:${mail.port}", smtp_from: vantage@example.net }`;
  const database = owned.use(await startEngine());
  home = owned.use(await ResultsHome.start(database, `alerts: ${alerts}`));
});
afterAll(() => owned.disposeAsync());

const definition = (more: object = {}) => ({
  name: "noticing",
  probes: Array.from({ length: flows }, (_, i) => `${destination},${24_000 + i},33434,5,udp\n`).join(""),
  alerts: {
    detectors: {
      loss: { threshold_percent: 10, runs: 1 },
      rtt: { raise: 1, of: 1 },
      silence: { raise: 1, of: 1 },
    },
    deliveries: [{ webhook: hook, secret }, { email: "noc@example.net" }],
    ...more,
  },
});

interface RunGiven {
  readonly lost?: number;
  /** All of the agent's answers. */
  readonly rttMs?: number;
  readonly isSilent?: boolean;
}

/** One run: measured, its answers in the store, ended, and looked at by two gateways at once. */
async function run(user: string, id: string, number: number, given: RunGiven): Promise<void> {
  const { lost = 0, rttMs = 20, isSilent = false } = given;
  const { services } = home.gateway;
  const { sql } = services.database;
  if (number > 0) {
    await pass(home.gateway, 0, id);
  }
  const measurement = await measured(home.gateway, user, id, number);
  const probe = (i: number) => ({ measurement, agent: "west", destination, srcPort: 24_000 + i, ttl: 5 });
  await home.store.insertProbes(Array.from({ length: flows }, (_, index) => ({ ...probe(index), index })));
  const answers = Array.from({ length: isSilent ? 0 : flows - lost }, (_, i) => ({
    ...{ ...probe(i), sender: "west/1", source: "192.0.2.1", from: destination },
    ...{ rttTenthMs: 10 * rttMs + (i % 5), icmp: [3, 3] as const },
  }));
  await home.store.insertReplies(answers);
  if (isSilent) {
    await sql`UPDATE measurement_agents SET status = 'expired' WHERE measurement_id = ${measurement}`;
  }
  await endAll(home.gateway);
  await eventually(async () => {
    const planned = await sql`
      UPDATE campaign_evaluations SET due_at = now() WHERE campaign_id = ${id} AND run = ${number}`;
    expect(planned.count).toBe(1);
  });
  await eventually(async () => {
    await Promise.all([evaluateRuns(services), evaluateRuns(services)]);
    const [look] = await sql`
      SELECT evaluated_at, note FROM campaign_evaluations WHERE campaign_id = ${id} AND run = ${number}`;
    expect(look).toMatchObject({ evaluated_at: expect.any(Date), note: null });
  });
}

const get = (user: string, path: string) => home.rows(user, path);

/** Attempts all that is due, however long it should wait. */
async function deliverAll(): Promise<void> {
  const { services } = home.gateway;
  await services.database.sql`UPDATE alert_deliveries SET due_at = now() WHERE state = 'due'`;
  const deliveries = new Deliveries(services);
  while ((await deliveries.begin()) > 0) {
    await deliveries.ended();
  }
}

/** POST or PUT of JSON: status and answer, or the reason. */
async function send(user: string, method: "POST" | "PUT", path: string, body: object) {
  const headers = { "content-type": "application/json" };
  return await home.gateway.json(user, path, { method, headers, body: JSON.stringify(body) });
}

/** What rules would have raised, in short. */
async function previewed(user: string, id: string, order: object): Promise<string[]> {
  const answer = await send(user, "POST", `/api/campaigns/${id}/alerts/preview`, order);
  const events = answer.events as { run: number; detector: string; kind: string }[];
  return events.map(({ run: at, detector, kind }) => `${at} ${detector} ${kind}`);
}

test("loss is raised once and cleared once, silence is unknown, and each is sent with its own id", async () => {
  const id = await made(home.gateway, "anna", definition());
  await run("anna", id, 0, {});
  expect(await get("anna", "/api/alerts")).toEqual([]);
  await run("anna", id, 1, { lost: 20 });
  expect(await get("anna", "/api/alerts?active=true")).toMatchObject([
    ...[{ campaign: "noticing", detector: "loss", agent: "west", destination, value: 0.5, threshold: 0.1 }],
  ]);
  expect(
    await (await home.get("anna", `/api/campaigns/${id}/status-check?max_packet_loss=20`)).json(),
  ).toEqual({
    ...{ global_alert: true, total_alerts: 1 },
    probes: {
      west: { alert: true, alert_reasons: ["loss"], all: [20.2], last: 20.2, last_packet_loss: 50 },
    },
  });
  await run("anna", id, 2, {});
  await run("anna", id, 3, { isSilent: true });
  const alerts = await get("anna", `/api/campaigns/${id}/alerts`);
  expect(alerts.map(({ detector, raised_run, cleared_run }) => [detector, raised_run, cleared_run])).toEqual([
    ["silence", 3, null],
    ["loss", 1, 2],
  ]);
  const rules = definition().alerts;
  expect(await previewed("anna", id, { alerts: rules })).toEqual([
    ...["1 loss raised", "2 loss cleared", "3 silence raised"],
  ]);
  const lenient = { detectors: { loss: { threshold_percent: 70 } } };
  expect(
    await send("anna", "POST", `/api/campaigns/${id}/alerts/preview`, { alerts: lenient }),
  ).toMatchObject({
    ...{ runs: 4, first_run: 0, last_run: 3, raised: 0, cleared: 0, active: 0, events: [], note: null },
  });
  expect(await previewed("anna", id, { alerts: rules, runs: 1 })).toEqual(["3 silence raised"]);
  expect(
    (await send("nosy", "POST", `/api/campaigns/${id}/alerts/preview`, { alerts: rules })).status_code,
  ).toBe(404);
  expect(await get("anna", `/api/campaigns/${id}/alerts`)).toEqual(alerts);
  const unknown = await home.get("anna", `/api/campaigns/${id}/status-check?show_all=1`);
  expect(await unknown.json()).toMatchObject({
    ...{ global_alert: false, probes: { west: { alert: false, alert_reasons: ["unknown"] } } },
  });
  const metrics = await (await home.get("anna", "/metrics")).text();
  expect(metrics).toContain(`vantage_alert_active{campaign="${id}",detector="silence"} 1`);
  expect(metrics).not.toContain(`vantage_alert_active{campaign="${id}",detector="loss"}`);

  await eventually(async () => {
    await deliverAll();
    expect(mail.taken).toHaveLength(3);
  });
  answer = 204;
  await eventually(async () => {
    await deliverAll();
    const log = await get("anna", `/api/campaigns/${id}/deliveries`);
    expect(log.map(({ state }) => state)).toEqual(Array.from({ length: 6 }, () => "delivered"));
  });
  const byId = Map.groupBy(hooks, (one) => one.id);
  expect([...byId].every(([key, [first]]) => first?.body.id === key)).toBe(true);
  const kinds = [...byId.values()].map(
    ([first]) => `${first?.body.run} ${first?.body.detector} ${first?.body.kind}`,
  );
  expect(kinds.toSorted()).toEqual(["1 loss raised", "2 loss cleared", "3 silence raised"]);
  const log = await get("anna", `/api/campaigns/${id}/deliveries`);
  const attempts = log.find(({ kind, run }) => kind === "webhook" && run === 1)?.attempts as {
    outcome: string;
  }[];
  expect(attempts.map(({ outcome }) => outcome.slice(0, 12))).toContain("HTTP/1.1 500");
  expect(attempts.at(-1)?.outcome).toStartWith("HTTP/1.1 204");
  expect(mail.taken.map(({ text }) => /Subject: (.*)/.exec(text)?.[1])).toContain("noticing: loss raised");
  for (const path of ["alerts", "deliveries", "status-check"]) {
    expect((await home.get("nosy", `/api/campaigns/${id}/${path}`)).status).toBe(404);
  }
  expect(await get("nosy", "/api/alerts")).toEqual([]);
  await home.gateway.ask("anna", `/api/campaigns/${id}/stop`, { method: "POST" });
  expect(await get("anna", "/api/alerts?active=true")).toEqual([]);
});

test("nobody reads the secret back, and many alerts at once are one digest", async () => {
  const id = await made(home.gateway, "ben", definition());
  const { sql } = home.gateway.services.database;
  const shown = await (await home.get("ben", `/api/campaigns/${id}`)).text();
  expect(shown).not.toContain(secret);
  expect(shown).not.toContain("secret-path");
  expect(JSON.parse(shown).definition.alerts.deliveries).toEqual([
    { webhook: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+\/…$/) },
    { email: "noc@example.net" },
  ]);
  const { probes, definition: asShown } = JSON.parse(shown);
  const edited = { ...asShown, probes, every: 7200 };
  const kept = await send("ben", "PUT", `/api/campaigns/${id}`, edited);
  expect(kept).toMatchObject({ campaign: { revision: 2 } });
  const [stored] = await sql`
    SELECT deliveries FROM campaign_revisions WHERE campaign_id = ${id} ORDER BY revision DESC LIMIT 1`;
  expect(stored?.deliveries).toEqual(definition().alerts.deliveries);
  const other = { deliveries: [{ webhook: "https://example.net/…" }] };
  expect(
    JSON.stringify(await send("ben", "PUT", `/api/campaigns/${id}`, { ...edited, alerts: other })),
  ).toContain("is shortened, and not one of the campaign");
  const copy = { ...edited, name: "another" };
  expect(JSON.stringify(await send("ben", "POST", "/api/campaigns", copy))).toContain(
    "give the whole address",
  );
  await sql`
    INSERT INTO alert_deliveries (delivery_id, campaign_id, run, kind, place, is_digest, events, body, state)
    SELECT gen_random_uuid(), ${id}, 0, 'email', 'noc@example.net', false, 1, '{}', 'delivered'
    FROM generate_series(1, 10)`;
  await run("ben", id, 0, { lost: 20 });
  const log = await get("ben", `/api/campaigns/${id}/deliveries?limit=2`);
  expect(log.map(({ kind, is_digest }) => `${kind} ${is_digest}`).toSorted()).toEqual([
    "email true",
    "webhook false",
  ]);
  await home.gateway.ask("ben", `/api/campaigns/${id}/stop`, { method: "POST" });
});

test("what this gateway cannot send is refused, with the place in the definition", async () => {
  const refusal = async (alerts: object) => {
    const body = JSON.stringify({ ...definition(), agents: ["west"], every: 3600, max_runs: 2, alerts });
    const init = { method: "POST", headers: { "content-type": "application/json" }, body };
    const { status_code, message, error } = await home.gateway.json("eve", "/api/campaigns", init);
    return `${status_code} ${message ?? error}`;
  };
  const to = (target: object) => refusal({ deliveries: [target] });
  expect(await to({ webhook: "http://192.0.2.1/", secret })).toContain(
    "422 Cannot use the body: alerts.deliveries.0 must be an https",
  );
  expect(await to({ webhook: "https://example.net/", secret: "short" })).toContain("at least 16");
  expect(await to({ email: "noc@elsewhere.example" })).toContain("e-mail only to example.net");
  expect(await refusal({ detectors: { rtt: { raise: 4, of: 3 } } })).toContain('"raise" must not be more');
  expect(await refusal({ detectors: { gloss: {} } })).toContain("gloss");
});

test("places that never answer delay nobody else's alert, nor hold all places", async () => {
  const { services } = home.gateway;
  const { sql } = services.database;
  let open = 0;
  let openMax = 0;
  using pit = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open: () => {
        openMax = Math.max(openMax, ++open);
      },
      close: () => {
        open--;
      },
      data: () => {},
    },
  });
  const due = async (user: string, url: string, count: number) => {
    const id = await made(home.gateway, user, definition({ deliveries: [] }));
    await sql`
      INSERT INTO alert_deliveries (delivery_id, campaign_id, run, kind, place, target, is_digest, events, body)
      SELECT gen_random_uuid(), ${id}, 0, 'webhook', '127.0.0.1', ${sql.json({ webhook: url, secret })}, false, 1, '{}'
      FROM generate_series(1, ${count})`;
    return id;
  };
  await sql`UPDATE alert_deliveries SET state = 'failed' WHERE state = 'due'`;
  const ids = [await due("mallory", `http://127.0.0.1:${pit.port}/`, 80)];
  // The gateway's own work takes some; a second one takes the rest.
  const other = new Deliveries(services);
  await other.begin();
  await eventually(async () => expect(openMax).toBeGreaterThan(0));
  answer = 204;
  const before = hooks.length;
  ids.push(await due("ben", hook, 1));
  while (hooks.length === before) {
    await other.begin();
    await Bun.sleep(10);
  }
  expect(open).toBeGreaterThan(0);
  // Two gateways at the same moment may each see the places that the other takes as free.
  expect(openMax).toBeLessThanOrEqual(2 * deliveriesOfUserMax);
  for (const [i, user] of ["mallory", "ben"].entries()) {
    await home.gateway.ask(user, `/api/campaigns/${ids[i]}/stop`, { method: "POST" });
  }
  await sql`UPDATE alert_deliveries SET state = 'failed' WHERE state = 'due'`;
  await other.ended();
});
