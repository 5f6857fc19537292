/** A route that changes at a collector raises an alert of the campaigns towards it, once, and starts a measurement. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { watchRoutes } from "../../../apps/probing/campaigns/notice/watch-routes.ts";
import { startEngine } from "../../postgres/engines.ts";
import { made } from "../probing-gateway/campaign-time.ts";
import { eventually } from "../probing-gateway/measurement-helpers.ts";
import { ResultsHome } from "../probing-gateway-reads/results-home.ts";

const owned = new AsyncDisposableStack();
let home: ResultsHome;

beforeAll(async () => {
  home = owned.use(await ResultsHome.start(owned.use(await startEngine())));
});
afterAll(() => owned.disposeAsync());

let inserted = 0;

/** As the ingester stores what a collector received. */
async function announce(prefix: string, path: readonly number[] | null, peer = "2001:db8::9"): Promise<void> {
  const [address = "", length] = prefix.split("/");
  const now = BigInt(Date.now()) * 1_000_000n + BigInt(++inserted);
  await home.store.store.client.insert({
    table: "bmp.updates",
    format: "JSONEachRow",
    values: [
      {
        date: new Date().toISOString().slice(0, 10),
        time_received_ns: String(now),
        ...{ router_addr: "::ffff:192.0.2.1", peer_addr: peer, peer_asn: 64_500 },
        prefix_addr: address.includes(":") ? address : `::ffff:${address}`,
        ...{ prefix_len: Number(length), announced: path !== null, as_path: path ?? [] },
      },
    ],
  });
}

/** A campaign whose runs had results for these targets. */
async function watched(user: string, targets: readonly string[], alerts: object): Promise<string> {
  const start = new Date(Date.now() + 3_600_000).toISOString();
  const id = await made(home.gateway, user, { name: `routes of ${user}`, start, alerts });
  const { sql } = home.gateway.services.database;
  await sql`
    INSERT INTO campaign_series (campaign_id, agent_id, destination, state, last_run)
    SELECT ${id}, 'west', target, '{}', 0 FROM unnest(${[...targets]}::text[]) AS target`;
  return id;
}

/** Everything that is stored has been read, by the gateway itself and by two more at the same time. */
async function readAll(id: string): Promise<void> {
  const { services } = home.gateway;
  const { sql } = services.database;
  const before = await sql`SELECT read_to_ns::text FROM campaign_routes WHERE campaign_id = ${id}`;
  await eventually(async () => {
    await sql`UPDATE campaign_routes SET due_at = least(due_at, now()) WHERE campaign_id = ${id}`;
    await Promise.all([watchRoutes(services), watchRoutes(services)]);
    const after = await sql`SELECT read_to_ns::text FROM campaign_routes WHERE campaign_id = ${id}`;
    expect(after[0]?.read_to_ns).not.toBe(before[0]?.read_to_ns);
    expect(after[0]?.read_to_ns).not.toBe("0");
  });
}

const alertsOf = (user: string, id: string) => home.rows(user, `/api/campaigns/${id}/alerts`);

test("another path raises one alert, which a trace follows; what is known raises none", async () => {
  await announce("203.0.113.0/24", [64_500, 64_501]);
  await announce("198.51.100.0/24", [64_500, 64_501]);
  const id = await watched("anna", ["203.0.113.7", "203.0.113.9"], {
    routes: true,
    follow_up: { measure: "trace" },
  });
  await readAll(id);
  await announce("203.0.113.0/24", [64_500, 64_501]);
  await announce("198.51.100.0/24", [64_500, 64_666]);
  await readAll(id);
  expect(await alertsOf("anna", id)).toEqual([]);
  await announce("203.0.113.0/24", [64_500, 64_502]);
  await readAll(id);
  await readAll(id);
  await eventually(async () => {
    expect(await alertsOf("anna", id)).toMatchObject([
      {
        ...{ detector: "route", agent: "", destination: "203.0.113.7", value: 1, cleared_at: null },
        reason: "203.0.113.0/24: 64500 64501 → 64500 64502, peer 2001:db8::9 of router 192.0.2.1; 2 targets",
        ...{ follow_up: "trace", follow_up_state: "started" },
      },
    ]);
  });
  const [alert] = await alertsOf("anna", id);
  const { sql } = home.gateway.services.database;
  expect(
    await sql`SELECT agent_id FROM measurement_agents WHERE measurement_id = ${String(alert?.follow_up_id)}`,
  ).toMatchObject([{ agent_id: "west" }]);
  // It ends by time, and the next change raises another one.
  await sql`UPDATE alerts SET raised_at = raised_at - interval '11 min' WHERE campaign_id = ${id}`;
  await readAll(id);
  expect(await alertsOf("anna", id)).toMatchObject([{ cleared_reason: "It was raised 10 min ago" }]);
  await announce("203.0.113.0/24", null);
  await readAll(id);
  expect(await alertsOf("anna", id)).toMatchObject([
    { reason: expect.stringContaining("203.0.113.0/24: 64500 64502 → withdrawn") },
    {},
  ]);
});

test("a longer IPv6 prefix, and one alert for a table that changes as a whole", async () => {
  const targets = Array.from({ length: 12 }, (_, i) => `2001:db8:${i + 10}::1`);
  await announce("2001:db8::/32", [64_500, 64_501]);
  const id = await watched("ben", targets, { routes: true });
  await readAll(id);
  await announce("2001:db8:10::/48", [64_500, 64_666]);
  await readAll(id);
  expect(await alertsOf("ben", id)).toMatchObject([
    {
      destination: "2001:db8:10::1",
      reason:
        "2001:db8:10::/48: no route → 64500 64666, instead of 2001:db8::/32, peer 2001:db8::9 of router 192.0.2.1",
      follow_up: null,
    },
  ]);
  for (const i of targets.keys()) {
    await announce(`2001:db8:${i + 10}::/48`, [64_500, 64_777], "2001:db8::8");
  }
  await readAll(id);
  const [storm, ...rest] = await alertsOf("ben", id);
  expect(rest).toHaveLength(1);
  expect(storm).toMatchObject({
    ...{ destination: "2001:db8:11::1", value: 11 },
    reason: expect.stringContaining("11 prefixes changed at once, one is followed up: "),
  });
});

test("without routes in the definition nothing is read", async () => {
  const id = await watched("eve", ["203.0.113.9"], {});
  await watchRoutes(home.gateway.services);
  const { sql } = home.gateway.services.database;
  expect(await sql`SELECT FROM campaign_routes WHERE campaign_id = ${id}`).toHaveLength(0);
});
