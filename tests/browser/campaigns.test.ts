/** The pages of campaigns in a real Chromium, on a gateway with a column store: every number is the API's. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { gatewayApp } from "../../apps/probing/gateway/app.ts";
import { bypassVerifier } from "../../lib/engines/auth/token-verifier.ts";
import { type RunningServer, serve } from "../../lib/engines/http/serve.ts";
import { addCampaign, made } from "../contract/probing-gateway/campaign-time.ts";
import { probeOf, ResultsHome, replyOf } from "../contract/probing-gateway-reads/results-home.ts";
import { until } from "../exchange/until.ts";
import { type EngineHome, startEngine } from "../postgres/engines.ts";
import { Browser } from "./browser.ts";
import { hostile } from "./console-scenes.ts";
import { Keyboard } from "./keyboard.ts";
import { checkPlots } from "./plots.ts";
import { mustBeReadable } from "./readable.ts";
import type { Tab } from "./tab.ts";

const user = "test-user-id";
const runsCount = 3;
let engine: EngineHome;
let home: ResultsHome;
let server: RunningServer;
let browser: Browser;
let tab: Tab;
let id: string;
let emptyId: string;

beforeAll(async () => {
  engine = await startEngine();
  home = await ResultsHome.start(engine);
  const plannedMs = Date.UTC(2026, 0, 31, 22);
  const runs = [];
  for (let run = 0; run < runsCount; run++) {
    const measurementId = await home.submit(user, 4);
    runs.push({ measurementId, run, plannedMs: plannedMs + run * 3_600_000 });
    await home.store.insertProbes([1, 2, 3, 4].map((_, index) => probeOf(measurementId, index)));
    // Another router at TTL 2 from the second run on; the last run loses its target.
    const answers = [1, 2, 3, 4].filter((ttl) => ttl < 4 || run < runsCount - 1);
    await home.store.insertReplies(
      answers.map((ttl) => ({
        ...replyOf(measurementId, ttl),
        ...(ttl === 2 && run > 0 ? { from: "198.51.100.77" } : {}),
        ...(ttl === 4 ? { from: "203.0.113.9", icmp: [3, 3] as const } : {}),
        rttTenthMs: 10 * ttl + run,
      })),
    );
  }
  id = await addCampaign(home.gateway, user, runs);
  const start = new Date(Date.now() + 3_600_000).toISOString();
  emptyId = await made(home.gateway, user, { name: "later", start });
  const { sql } = home.gateway.services.database;
  await sql`UPDATE campaign_runs SET ended_at = planned_at + interval '1 minute'`;
  await Promise.all(runs.map(({ measurementId }) => home.end(measurementId, 60)));
  await sql`
    INSERT INTO alerts (alert_id, campaign_id, agent_id, destination, detector, reason, raised_run)
    VALUES (gen_random_uuid(), ${id}, 'west', '203.0.113.9', 'loss', ${hostile}, 2)`;
  const app = gatewayApp({ ...home.gateway.services, tokens: bypassVerifier() });
  server = serve((request, connection) => app.fetch(request, connection), { host: "127.0.0.1", port: 0 });
  browser = await Browser.start();
  tab = await browser.open(`${server.url}console`);
});
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
  await home?.[Symbol.asyncDispose]();
  await engine?.[Symbol.asyncDispose]();
});

async function mustBeSafe(): Promise<void> {
  await mustBeReadable(tab);
  expect(await tab.eval<string>("typeof stolen")).toBe("undefined");
  expect(tab.complaints).toEqual([]);
}

function go(path: string): Promise<void> {
  return tab.go(`${server.url}console/campaigns${path}`);
}

type Row = Readonly<Record<string, string | number | null>>;
async function rowsOf(view: string): Promise<Row[]> {
  return (await (await fetch(`${server.url}api/campaigns/${id}/${view}`)).json()) as Row[];
}

function labels(): Promise<string[]> {
  return tab.eval("[...document.querySelectorAll('[role=listitem]')].map((one) => one.ariaLabel)");
}

function cellsOfTable(): Promise<string[][]> {
  const rows = "[...document.querySelectorAll('#part .scroll tbody tr')]";
  return tab.eval(`${rows}.map((row) => [...row.cells].map((cell) => cell.textContent))`);
}

test("the list, and each part of a campaign with runs and of one without, can be read by all", async () => {
  await go("");
  expect(await tab.text("#campaigns")).toContain("raised");
  await mustBeSafe();
  for (const campaign of [id, emptyId]) {
    for (const view of ["runs", "series", "trend", "changes", "alerts"]) {
      await go(`/${campaign}?view=${view}`);
      await mustBeSafe();
    }
  }
});

test("each number of runs, series and changes is the API's", async () => {
  await go(`/${id}`);
  const marks = await labels();
  for (const { run, state, planned_at: at } of await rowsOf("runs")) {
    const planned = String(at).slice(0, 19).replace("T", " ");
    expect(marks).toContain(`Run ${run}, ${planned} UTC: ${state}`);
  }
  await go(`/${id}?view=series`);
  const rows = await rowsOf("series");
  expect(rows.map(({ run, loss_percent: loss }) => [run, loss])).toEqual([
    [0, 0],
    [1, 0],
    [2, 25],
  ]);
  const said = (await labels()).join("\n");
  for (const row of rows) {
    expect(said).toContain(
      `${row.loss_percent} % of ${row.submitted} lost, likely ${row.loss_low_percent} to ${row.loss_high_percent} %`,
    );
    const times = row.rtt_median_ms === null ? "no answer" : `median ${row.rtt_median_ms} ms`;
    expect(said).toContain(times);
  }
  await checkPlots(tab, rows);
  expect(await tab.text("figcaption")).toContain("25 %, from west to 203.0.113.9 in run 2");
  const table = await cellsOfTable();
  expect(table.map(([run, , , , , submitted]) => [run, submitted])).toEqual(
    rows.map(({ run, submitted }) => [String(run), String(submitted)]),
  );
  await go(`/${id}?view=changes`);
  const changes = await rowsOf("changes");
  expect(changes.length).toBeGreaterThan(0);
  expect((await cellsOfTable()).map((cells) => [cells[3], cells[4], cells[6]])).toEqual(
    changes.map((row) => [row.router, row.next_hop, row.share_percent].map(String)),
  );
  // Run 1 has another router at TTL 2: the picture before has the old one, the picture after the new one.
  await tab.eval("document.querySelector('#part tbody a[href*=\"run=1\"]').click()");
  await until("the change", async () => (await tab.text("#change-title")).includes("to 203.0.113.9, run 1"));
  const pictures = await until("both pictures", async () => {
    const texts = await tab.eval<string[]>(
      "[...document.querySelectorAll('#part .picture')].map((one) => one.textContent)",
    );
    return texts.length === 2 && texts;
  });
  const other = "198.51.100.77";
  expect(pictures.map((text) => text.includes(other))).toEqual([false, true]);
  await mustBeSafe();
});

test("an alert stands there with its reason as text; by keys a campaign is paused, and goes on", async () => {
  await go(`/${id}?view=alerts`);
  expect(await tab.text("#part")).toContain(hostile.replace("\u202E", "\\u202e"));
  await tab.eval("document.querySelector('#state .actions button').focus()");
  await tab.press("Enter");
  await until("the pause", async () => (await tab.text("#state")).includes("paused"));
  await tab.eval("document.querySelector('#state .actions button').focus()");
  await tab.press("Enter");
  await until("the next runs", async () => (await tab.text("#state")).includes("active"));
  await mustBeSafe();
});

test("with the keyboard a campaign is edited; cost, next runs and its rules' alerts appear while one types", async () => {
  await go(`/${id}`);
  const keyboard = new Keyboard(tab);
  await keyboard.enter("#edit-campaign > summary");
  const shown = (selector: string, text: string) =>
    until(text, async () => (await tab.text(`#edit-campaign ${selector}`)).includes(text));
  await shown("[data-cost-text]", "3 probes a run from 1 agent, 12 a day");
  await keyboard.to("#edit-campaign [name=delivery]");
  await tab.press("Home");
  await shown("[data-preview]", "Over the last 3 runs, these rules would not have fired.");
  await keyboard.enter("#edit-campaign .rules > summary");
  await keyboard.write("#edit-campaign [name=loss_runs]", "1");
  await shown("[data-preview]", "would have fired once (1 not cleared).");
  await shown(
    "[data-preview]",
    "Run 2 (2026-02-01 00:00): loss raised, west to 203.0.113.9: 1 of 1 probes lost",
  );
  await keyboard.write("#edit-campaign [name=name]", "renamed by keys");
  await mustBeReadable(tab);
  await keyboard.enter("#edit-campaign button.main");
  await until("the new name", async () => (await tab.text("h1")) === "renamed by keys");
  const { revision, definition } = (await (await fetch(`${server.url}api/campaigns/${id}`)).json()) as {
    revision: number;
    definition: Record<string, unknown>;
  };
  expect(revision).toBe(2);
  expect(definition).toMatchObject({ alerts: { detectors: { loss: { threshold_percent: 10, runs: 1 } } } });
  await mustBeSafe();
});

test("an ended campaign is removed by its button, and the list comes next, without it", async () => {
  await go(`/${emptyId}`);
  const press = (word: string) =>
    tab.eval(
      `[...document.querySelectorAll('#state button')].find((one) => one.textContent === "${word}").click()`,
    );
  await press("End permanently");
  await until("its end", async () => (await tab.text("#state")).includes("Remove"));
  await press("Remove");
  await until("the list", async () => (await tab.eval<string>("location.pathname")) === "/console/campaigns");
  expect(await tab.text("#campaigns")).not.toContain("later");
  expect((await fetch(`${server.url}api/campaigns/${emptyId}`)).status).toBe(404);
  await mustBeSafe();
});
