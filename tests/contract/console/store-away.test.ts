/** The console and the state of the ingest while the column store is away, and when it is back. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { ApiClient } from "../../../apps/console/api-client.ts";
import { Ingest } from "../../../apps/console/pages/operators/ingest.tsx";
import { gatewayApp } from "../../../apps/probing/gateway/app.ts";
import { bypassVerifier } from "../../../lib/engines/auth/token-verifier.ts";
import { ingestTopics } from "../../../lib/engines/broker/ingest-feeds.ts";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { ResultsHome } from "../probing-gateway-reads/results-home.ts";

let engine: EngineHome;
let home: ResultsHome;
let app: ReturnType<typeof gatewayApp>;
let id = "";

beforeAll(async () => {
  engine = await startEngine();
  home = await ResultsHome.start(engine);
  app = gatewayApp({ ...home.gateway.services, tokens: bypassVerifier() });
  id = await home.submit("test-user-id", 3);
  await home.ingest(id, 3, Array(3).fill({}));
  await home.end(id, 600);
});
afterAll(async () => {
  await home?.[Symbol.asyncDispose]();
  await engine?.[Symbol.asyncDispose]();
});

const away = "The store of results is unavailable";
const views = ["paths", "loss", "heatmap", "catchment", "replies"];
const pages = () => [
  ...views.map((view) => `/console/measurements/${id}?view=${view}`),
  ...["graph", "links", "nodes"].map((view) => `/console/discovery?of=${id}&view=${view}`),
];

async function page(path: string) {
  const response = await app.request(path);
  return { status: response.status, text: await response.text() };
}

const asOperator = async (path: string) =>
  app.request(path, { headers: { authorization: `Bearer ${home.gateway.services.adminKey}` } });

/** As the Operators page has it. */
async function operatorsPart(): Promise<string> {
  return String(await Ingest({ visit: { api: new ApiClient(asOperator), nowMs: Date.now() } }));
}

async function ingest() {
  const response = await asOperator("/admin/ingest");
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>[];
}

test("each feed has what waits in the broker, and how new its rows are", async () => {
  const { broker } = home.gateway.services;
  for (const name of Object.values(ingestTopics)) {
    await broker.ensureTopic({ name, partitions: 2, retentionMs: 600_000 });
  }
  const record = { key: "a", value: Buffer.from("b"), headers: {} };
  await broker.publish(ingestTopics.replies, [record, record, record]);
  const [replies, probes, updates] = await ingest();
  expect(replies).toMatchObject({
    feed: "replies",
    waiting_records: 3,
    rows_last_minute: 3,
    store_trouble: null,
  });
  const { newest_at: newest, behind_seconds: behind } = replies ?? {};
  expect(Math.abs(Date.now() - Date.parse(String(newest)) - Number(behind) * 1000)).toBeLessThan(30_000);
  // The home has published a record of probes, which nobody has stored.
  expect(probes).toMatchObject({ feed: "probes", waiting_records: 1, broker_trouble: null });
  expect(updates).toMatchObject({
    waiting_records: 0,
    behind_seconds: 0,
    newest_at: null,
    rows_last_minute: 0,
  });
  expect(await operatorsPart()).toContain("in time");
});

test("while the store is away each page says so and shows the rest; then it has its results again", async () => {
  await home.store.kill();
  for (const path of pages()) {
    const { status, text } = await page(path);
    expect([path, status, text]).toEqual([path, 200, expect.stringContaining(away)]);
    expect(text).toContain("results return by themselves");
    expect(text).toMatch(/<section id="(view|links)"[^>]* data-every-s="/);
    expect(text).toContain(id.slice(0, 8));
  }
  for (const path of ["/console", "/console/measurements", "/console/campaigns", "/console/discovery"]) {
    expect([path, (await page(path)).status]).toEqual([path, 200]);
  }
  const [replies] = await ingest();
  expect(replies).toMatchObject({ waiting_records: 3, newest_at: null, rows_last_minute: null });
  expect(String(replies?.store_trouble)).toContain("column store");
  expect(await operatorsPart()).toContain("no store");
  await home.store.restart();
  for (const path of pages()) {
    const { status, text } = await page(path);
    expect([path, status, text]).toEqual([path, 200, expect.not.stringContaining(away)]);
    expect(text).not.toMatch(/<section id="(view|links)"[^>]* data-every-s="/);
  }
});
