/** The page of a measurement in a real Chromium, on a gateway with a column store: every number is the API's. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { gatewayApp } from "../../apps/probing/gateway/app.ts";
import { visible } from "../../lib/base/terminal/foreign-text.ts";
import { bypassVerifier } from "../../lib/engines/auth/token-verifier.ts";
import { type RunningServer, serve } from "../../lib/engines/http/serve.ts";
import { probeOf, ResultsHome } from "../contract/probing-gateway-reads/results-home.ts";
import { SampleSets } from "../enrich/sample-sets.ts";
import { until } from "../exchange/until.ts";
import { type EngineHome, startEngine } from "../postgres/engines.ts";
import { inTier } from "../run/tier.ts";
import { answerTo, cells, flows, type Path } from "./branched-paths.ts";
import { Browser } from "./browser.ts";
import { mustSayPlaces, mustSayShares, type PlacedReply } from "./catchment-legend.ts";
import { checkDiscovery, checkNotThere, type LinkGraph } from "./discovery-scene.ts";
import { checkCancel, checkFurtherViews } from "./further-views.ts";
import { checkGraphKeys, checkPhoneGraphs } from "./graph-keys.ts";
import { checkNextSteps } from "./next-steps.ts";
import { checkPictureTools, checkTableTools } from "./page-tools.ts";
import { mustBeReadable } from "./readable.ts";
import { checkSql } from "./sql-page.ts";
import type { Tab } from "./tab.ts";

const user = "test-user-id";
const sets = new SampleSets();
let engine: EngineHome;
let home: ResultsHome;
let server: RunningServer;
let browser: Browser;
let tab: Tab;
let id: string;
let emptyId: string;
/** Paths that the browser asked for, and which parts of a page. */
const asked: [path: string, parts: string | null][] = [];

beforeAll(async () => {
  engine = await startEngine();
  await sets.put("2026-01-31", 64_501);
  home = await ResultsHome.start(engine, `context: { dir: "${sets.path}" }`);
  id = await home.submit(user, 5);
  emptyId = await home.submit(user, 5);
  await home.store.insertProbes(cells().map((cell, index) => ({ ...probeOf(id, index), ...cell })));
  await home.store.insertReplies(cells().flatMap((cell) => answerTo(id, cell)));
  await home.end(id, 60);
  const app = gatewayApp({ ...home.gateway.services, tokens: bypassVerifier() });
  const fetched = (request: Request) => {
    const { pathname } = new URL(request.url);
    asked.push([pathname, request.headers.get("x-parts")]);
    return request;
  };
  server = serve((request, connection) => app.fetch(fetched(request), connection), {
    host: "127.0.0.1",
    port: 0,
  });
  browser = await Browser.start();
  tab = await browser.open(`${server.url}console`);
});
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
  await home?.[Symbol.asyncDispose]();
  await engine?.[Symbol.asyncDispose]();
  sets[Symbol.dispose]();
});

function go(query: string, measurement = id): Promise<void> {
  return tab.go(`${server.url}console/measurements/${measurement}?${query}`);
}

async function rowsOf<Row>(view: string): Promise<Row[]> {
  return (await (await fetch(`${server.url}api/measurements/${id}/${view}`)).json()) as Row[];
}

/** What the picture says of its parts. */
function labels(): Promise<string[]> {
  return tab.eval("[...document.querySelectorAll('[role=listitem]')].map((one) => one.ariaLabel)");
}

function cellsOfTable(): Promise<string[][]> {
  const rows = "[...document.querySelectorAll('#view tbody tr')]";
  return tab.eval(`${rows}.map((row) => [...row.cells].map((cell) => cell.textContent))`);
}

test.each(
  inTier({
    usual: ["paths", "heatmap"],
    long: ["paths", "loss", "heatmap", "catchment", "sites", "mtu", "replies"],
  }),
)("%s: readable for all, with results and without; asks nobody else", async (view) => {
  for (const measurement of [id, emptyId]) {
    await go(`view=${view}`, measurement);
    await mustBeReadable(tab);
  }
  const loaded = await tab.eval<string[]>("performance.getEntriesByType('resource').map(({ name }) => name)");
  expect(loaded.filter((name) => !name.startsWith(server.url))).toEqual([]);
  expect(tab.complaints).toEqual([]);
});

test("each number of the graph and of its table is the API's", async () => {
  await go("view=paths&open=2");
  const [path] = await rowsOf<Path>("paths");
  const routers =
    path?.hops.flatMap(({ ttl, routers: own }) => own.map((router) => ({ ttl, ...router }))) ?? [];
  const said = await labels();
  for (const { ttl, address, flows: own, probes, answered, rtt_median_ms: median } of routers) {
    const begin = `TTL ${ttl}: ${address ?? "no answer"}, `;
    const figures = `, ${own.length} of ${flows} flows, ${answered} of ${probes} probes answered, median ${median} ms`;
    const found = said.filter((one) => one.startsWith(begin) && (address === null || one.includes(figures)));
    expect(found.length).toBeGreaterThan(0);
  }
  const table = await cellsOfTable();
  expect(table.map(([ttl, address, , , , , count, answers]) => [ttl, address, count, answers])).toEqual(
    routers.map(({ ttl, address, flows: own, probes, answered }) =>
      [ttl, address ?? "no answer", own.length, `${answered} of ${probes}`].map(String),
    ),
  );
  expect(await tab.text("figcaption")).toMatch(
    /^From west to 203\.0\.113\.9: 5 hops, 20 flows, branches at TTL 2 and 3.* For 3 of 20 routers .*\+\?/,
  );
  // 16 next hops are not found for certain with 20 flows.
  expect(table[0]).toContain("16 +?");
  expect(table[0]).toContain("97");
  expect(said[1]).toContain("16 next hops seen in 20 flows; 97 flows would rule out another (95 %)");
});

test("the table says of each router what the gateway's set knows; without a set it has no such columns", async () => {
  await go("view=paths&open=2");
  const [path] = await rowsOf<Path>("paths?with=asn,ixp,geo,rpki");
  const known = path?.hops.flatMap(({ routers }) => routers) ?? [];
  expect(known.some(({ ixp }) => ixp !== null)).toBe(true);
  expect((await cellsOfTable()).map((cells) => cells.slice(-4))).toEqual(
    known.map(({ asn, as_name: name, ixp, geo, rpki }) => [
      asn === null ? "–" : `AS${asn} ${visible(name ?? "")}`.trim(),
      ixp?.name ?? "–",
      geo?.country ?? "–",
      rpki ?? "–",
    ]),
  );
  expect(await tab.text("#view")).toContain("--with asn,ixp,geo,rpki");
  const { services } = home.gateway;
  const bare = gatewayApp({
    ...{ ...services, tokens: bypassVerifier() },
    config: { ...services.config, context: { ...services.config.context, dir: null } },
  });
  const page = await bare.fetch(new Request(`${server.url}console/measurements/${id}?view=paths`));
  const text = await page.text();
  expect(text).toContain("Median (ms)");
  expect(text).not.toContain("RPKI");
});

test("each number of loss, catchment and round-trip times is the API's", async () => {
  for (const [view, words] of [
    [
      "loss",
      (row: Row) => `${row.agent} to ${row.destination}: ${row.loss_percent} % of ${row.submitted} lost`,
    ],
    [
      "heatmap",
      (row: Row) =>
        `${row.replies} replies, 5th percentile ${row.rtt_p5_ms} ms, median ${row.rtt_median_ms} ms`,
    ],
  ] as const) {
    await go(`view=${view}`);
    const rows = await rowsOf<Row>(view);
    expect(rows.length).toBeGreaterThan(0);
    const said = (await labels()).join("\n");
    for (const row of rows) {
      expect(said).toContain(words(row));
    }
  }
  await go("view=replies");
  const kinds = (await rowsOf<Row>("replies?limit=200")).map(({ says }) => says || "time exceeded");
  expect(new Set(kinds).size).toBeGreaterThan(1);
  expect((await cellsOfTable()).map((cells) => cells.at(-1))).toEqual(kinds.map(String));
  await go("view=catchment");
  const titles = await tab.eval<string[]>(
    "[...document.querySelectorAll('.picture title')].map((one) => one.textContent)",
  );
  mustSayPlaces(titles, await cellsOfTable(), await rowsOf<PlacedReply>("replies?with=geo&limit=5000"));
  const rows = await rowsOf<Row>("catchment");
  mustSayShares(await tab.text("#view"), rows);
  for (const row of rows) {
    const answers = `${row.replies} ${row.replies === 1 ? "answer" : "answers"}`;
    expect(titles.join("\n")).toContain(`received by ${row.heard_by}: ${answers} (${row.share_percent} %)`);
  }
});
type Row = Readonly<Record<string, string | number>>;

test("a NAT is marked where it begins, sites of name servers are the API's, packets are downloaded", () =>
  checkFurtherViews({ tab, address: server.url, home, user }));

test("the graph is gone through by keys; a fold opens", async () => {
  await go("view=paths");
  await checkGraphKeys(tab);
});

test("on a phone the graphs run from top to bottom, and the arrow keys with them", () =>
  checkPhoneGraphs(
    tab,
    [`measurements/${id}?view=paths&open=2`, `discovery?of=${id}&by=router`],
    server.url,
  ));

test("the graph is fitted, zoomed, searched and saved; its table sorted, filtered and copied", async () => {
  await go("view=paths&open=2");
  await checkPictureTools(tab);
  await checkTableTools(tab);
  await mustBeReadable(tab);
  expect(tab.complaints).toEqual([]);
});

test("SQL: rows, reasons, further rows and files, by keys alone", async () =>
  checkSql(tab, server.url, { id, rows: (await rowsOf("replies?limit=5000")).length }));

test("while it runs its progress follows events, and asks for no results meanwhile", async () => {
  const running = await home.submit(user, 5);
  await go("view=loss", running);
  await until("the stream of events", async () => asked.some(([path]) => path.endsWith(`${running}/events`)));
  await home.end(running, 60);
  await until("its end", async () => (await tab.text("#progress")).includes("complete"));
  const page = `/console/measurements/${running}`;
  expect(asked.filter(([path]) => path === page).map(([, parts]) => parts)).toContain("progress");
  const part = await fetch(`${server.url}${page.slice(1)}`, { headers: { "x-parts": "progress" } });
  expect(await part.text()).not.toContain("Export");
  await checkCancel(tab, `${server.url}console/measurements/${await home.submit(user, 5)}`);
});

test("every export comes, and the addresses name what is seen", async () => {
  await go("view=loss&destination=203.0.113.0%2F24");
  const links = await tab.eval<string[]>(
    "[...document.querySelectorAll('#view a[download]')].map((one) => one.href)",
  );
  expect(links.length).toBeGreaterThanOrEqual(9);
  for (const link of links) {
    expect({ link, status: (await fetch(link)).status }).toEqual({ link, status: 200 });
  }
  const text = await tab.text("#view");
  expect(text).toContain(
    `vantage replies -v loss --destination=203.0.113.0/24 --gateway ${new URL(server.url).origin} ${id}`,
  );
  expect(text).toContain(`/api/measurements/${id}/loss?destination=203.0.113.0%2F24&format=json'`);
});

test("a link is made, opens the results, and is taken back; for everybody it takes a word", async () => {
  await go("view=loss");
  expect(await tab.text("#share summary")).toContain("private");
  const press = (button: string) => tab.eval(`document.querySelector(${JSON.stringify(button)}).click()`);
  await press("#share [data-body] button");
  const address = await until("the link", () =>
    tab.eval<string | false>("document.querySelector('#once input')?.value ?? false"),
  );
  expect(address).toContain("/console/shared/");
  await tab.press("Escape");
  expect((await fetch(`${address}?view=loss`)).status).toBe(200);
  await until("the state", async () => (await tab.text("#share summary")).includes("by link"));
  await tab.eval("document.querySelector('#share').open = true");
  await mustBeReadable(tab);
  await press("#share [data-call^=DELETE] button");
  await until("the end", async () => (await tab.text("#share summary")).includes("private"));
  expect((await fetch(`${address}?view=loss`)).status).toBe(404);
  await tab.eval(
    "document.querySelector('#share').open = true; document.querySelector('[name=licence]').focus()",
  );
  await tab.type("CC-BY-4.0");
  await tab.press("Enter");
  expect(await tab.eval<boolean>("document.querySelector('#share form:invalid') !== null")).toBe(true);
  for (let i = 0; i < 3; i++) {
    await tab.press("Tab");
  }
  await tab.type("public");
  await tab.press("Enter");
  await until("the public", async () => (await tab.text("#share summary")).includes("public"));
  expect(await tab.text("#share summary")).not.toContain("later");
  expect((await fetch(`${server.url}api/public/measurements/${id}`)).status).toBe(200);
  await tab.eval("document.querySelector('#share').open = true");
  await mustBeReadable(tab);
});

test("the page of links: a graph by AS and by router, over answers, and of two measurements", async () => {
  const [links, [graph]] = [await rowsOf<Row>("links"), await rowsOf<LinkGraph>("graph?with=asn")];
  const answers = (await rowsOf<Row>("heatmap")).reduce((sum, { replies }) => sum + Number(replies), 0);
  const differences = await rowsOf<Row>(`links?against=${emptyId}`);
  const said = { id, emptyId, links: links.length, answers, graph, differences };
  await checkDiscovery({ tab, address: server.url, ...said });
  await checkNextSteps(tab, `${server.url}console`, id, await rowsOf("loss"));
});

test("what is typed into the address stays text", async () => {
  await go(
    `view=${encodeURIComponent('"><script>stolen = 1</script>')}&agent=${encodeURIComponent("<b onload=x>")}`,
  );
  expect(await tab.eval<string>("typeof stolen")).toBe("undefined");
  expect(await tab.text("h1")).not.toBe("");
  await go("view=paths&destination=nowhere");
  expect(await tab.text("#view .card.is-bad")).toContain("Code");
  expect(await tab.text("#progress")).toContain("complete");
  await checkNotThere(tab, server.url);
});
