/** `/metrics/campaigns` as Prometheus scrapes it with a token: the oracle's figures, and no more series than stated. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { scrapedCampaignsMax, scrapedTargetsMax } from "../../../apps/probing/gateway/reads/limits.ts";
import { startEngine } from "../../postgres/engines.ts";
import { addCampaign, made } from "../probing-gateway/campaign-time.ts";
import { fillStore, laterEach, type RawRows } from "../results/raw-rows.ts";
import { routedRows } from "../results/routed-rows.ts";
import { expectedSeries } from "../results/series-oracle.ts";
import { expectedTrend } from "../results/trend-oracle.ts";
import { ResultsHome } from "./results-home.ts";

const owned = new AsyncDisposableStack();
let home: ResultsHome;
let campaign: string;
let runs: { measurementId: string; run: number; plannedMs: number }[];
let token: string;

beforeAll(async () => {
  const database = owned.use(await startEngine());
  home = owned.use(await ResultsHome.start(database, "limits: { campaigns_per_user: 100 }"));
  const ids = [await home.submit("anna", 1), await home.submit("anna", 1), await home.submit("anna", 1)];
  const beginMs = Math.floor(Date.now() / 1000) * 1000 - 7_200_000;
  runs = ids.map((measurementId, run) => ({ measurementId, run, plannedMs: beginMs + 600_000 * run }));
  campaign = await addCampaign(home.gateway, "anna", runs);
  const answer = await home.gateway.json("anna", "/api/tokens", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "prometheus", scopes: ["campaigns:read"] }),
  });
  token = String(answer.token);
});
afterAll(() => owned.disposeAsync());

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

async function scraped(credential: string): Promise<Sample[]> {
  const response = await home.gateway.ask(credential, "/metrics/campaigns");
  expect(response.status).toBe(200);
  const text = await response.text();
  const checked = Bun.spawnSync(["promtool", "check", "metrics"], { stdin: Buffer.from(text) });
  expect(`${checked.stdout}${checked.stderr}`).toBe("");
  return text.split("\n").flatMap((line) => {
    const [, name, labels = "", value] = /^vantage_campaign_(\w+)\{(.*)\} (\S+)$/.exec(line) ?? [];
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = "", text = ""]) => [label, text]);
    return name === undefined ? [] : [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

function rowsOfRuns(): RawRows {
  return laterEach(runs.map(({ measurementId }, i) => routedRows(measurementId, 3 + i)));
}

test("each target of an active campaign has the figures of its newest measurement", async () => {
  const rows = rowsOfRuns();
  await fillStore(home.store.store, rows);
  const series = expectedSeries(rows, runs);
  const newest = series.at(-1);
  const changes = expectedTrend(rows, runs).reduce((sum, row) => sum + row.path_changes, 0);
  expect(changes).toBeGreaterThan(0);
  const samples = await scraped(token);
  const of = (wanted: string) => samples.find(({ name }) => name === wanted)?.value;
  expect(samples.filter(({ name }) => name === "probes")).toMatchObject([
    { labels: { campaign, agent: "south", destination: "203.0.113.77" }, value: newest?.submitted },
  ]);
  const lost = (newest?.submitted ?? 0) - (newest?.answered ?? 0);
  expect(of("loss_ratio")).toBeCloseTo(lost / (newest?.submitted ?? 0), 9);
  expect(of("rtt_median_seconds")).toBeCloseTo((newest?.rtt_median_ms ?? 0) / 1000, 6);
  expect(of("rtt_p90_seconds")).toBeCloseTo((newest?.rtt_p90_ms ?? 0) / 1000, 6);
  expect(of("path_changes")).toBe(changes);
  expect(of("path_id")).toBeGreaterThan(0);
  expect(of("run_timestamp_seconds")).toBe((runs.at(-1)?.plannedMs ?? 0) / 1000);
  expect(samples.filter(({ name }) => name === "left_out").map(({ value }) => value)).toEqual([0, 0]);
});

test("another user has none of it, and no token, or one for something else, gets nothing", async () => {
  expect((await scraped("bob")).filter(({ name }) => name !== "left_out")).toEqual([]);
  expect((await home.gateway.ask(null, "/metrics/campaigns")).status).toBe(401);
  const answer = await home.gateway.json("anna", "/api/tokens", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "sql", scopes: ["sql:read"] }),
  });
  expect((await home.gateway.ask(String(answer.token), "/metrics/campaigns")).status).toBe(403);
});

test("more targets, and more campaigns, than the limits are counted and left out", async () => {
  const newest = runs.at(-1)?.measurementId ?? "";
  const { probes } = routedRows(newest, 1);
  const many = Array.from({ length: scrapedTargetsMax + 9 }, (_, i) =>
    probes.slice(0, 1).map((probe) => ({ ...probe, index: i, destination: `2001:db8::${i.toString(16)}` })),
  ).flat();
  await fillStore(home.store.store, { probes: many, replies: [] });
  for (let i = 0; i < scrapedCampaignsMax + 2; i++) {
    await made(home.gateway, "anna", { name: `z ${i}` });
  }
  const samples = await scraped("anna");
  expect(samples.filter(({ name }) => name === "probes")).toHaveLength(scrapedTargetsMax);
  const left = samples
    .filter(({ name }) => name === "left_out")
    .map(({ labels, value }) => [labels.of, value]);
  expect(Object.fromEntries(left)).toEqual({ targets: 9, campaigns: 3 });
});
