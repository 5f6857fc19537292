/** The console in a real Chromium, on a gateway with a database: who can read it, by keys alone, without others. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { pages } from "../../apps/console/pages.ts";
import type { RunningServer } from "../../lib/http/serve.ts";
import { ConsoleHome } from "../contract/console/console-home.ts";
import { addAgent } from "../contract/probing-gateway/gateway-home.ts";
import { until } from "../exchange/until.ts";
import { Browser } from "./browser.ts";
import { looks, type Tab } from "./tab.ts";

/** Gzipped: what a first look may cost a reader on a slow line. */
const firstLoadBytesMax = 120_000;

let home: ConsoleHome;
let server: RunningServer;
let browser: Browser;
let tab: Tab;

beforeAll(async () => {
  home = await ConsoleHome.start();
  await addAgent(home.gateway, "west");
  await addAgent(home.gateway, "east", { isOnline: false });
  server = home.serve();
  browser = await Browser.start();
  tab = await browser.open(`${server.url}console`);
}, 60_000);
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]();
  await home?.[Symbol.asyncDispose]();
});

async function mustBeReadable(): Promise<void> {
  for (const look of [...Object.values(looks), { scheme: "dark", widthPx: 320 } as const]) {
    await tab.look(look);
    expect(await tab.violations()).toEqual([]);
    // Wider than the screen = it has to be pushed from side to side.
    expect(await tab.eval<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(look.widthPx);
  }
  await tab.look(looks.light);
}

test.each(pages.filter(({ path }) => !path.includes(":")).map(({ path }) => path))(
  "%s is readable for all: in the light, in the dark, on a small phone; it asks nobody else",
  async (path) => {
    await tab.go(`${server.url}${path.slice(1)}`);
    await mustBeReadable();
    const asked = await tab.eval<string[]>(
      "performance.getEntriesByType('resource').map(({ name }) => name)",
    );
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.filter((name) => !name.startsWith(server.url))).toEqual([]);
    expect(tab.complaints).toEqual([]);
  },
  60_000,
);

test("the address without a path leads to the start, which shows the agents", async () => {
  await tab.go(server.url);
  expect(await tab.eval<string>("location.pathname")).toBe("/console");
  expect(await tab.text("#agents")).toMatch(/east\s+offline/);
  expect(await tab.text("#agents")).toMatch(/west\s+healthy/);
});

test("a first look costs at most 120 kB, and nothing the second time", async () => {
  const page = await fetch(`${server.url}console`);
  const text = await page.text();
  const names = [...text.matchAll(/(?:href|src)="(\/console\/files\/[^"]+)"/g)].map(([, name = ""]) => name);
  expect(names.length).toBe(3);
  let bytes = gzipSync(text).length;
  for (const name of names) {
    const file = await fetch(`${server.url}${name.slice(1)}`, {
      decompress: false,
      headers: { "accept-encoding": "gzip" },
    });
    expect(file.headers.get("content-encoding")).toBe("gzip");
    expect(file.headers.get("cache-control")).toContain("immutable");
    bytes += (await file.arrayBuffer()).byteLength;
  }
  expect(bytes).toBeGreaterThan(2000);
  expect(bytes).toBeLessThan(firstLoadBytesMax);
});

test("keys show themselves, close, and lead to a page; switched off, they do nothing", async () => {
  await tab.go(`${server.url}console`);
  await tab.press("?");
  await until("the keys", () => tab.eval<boolean>("document.querySelector('#keys').open"));
  expect(await tab.violations()).toEqual([]);
  await tab.press("Escape");
  await until("no keys", () => tab.eval<boolean>("!document.querySelector('#keys').open"));
  await tab.eval("stays = 1");
  await tab.press("g");
  await tab.press("s");
  await until("a page that was loaded", () => tab.eval<boolean>("typeof stays === 'undefined'"));
  await until("its script", () => tab.eval<boolean>("document.readyState === 'complete'"));
  await tab.eval("localStorage.setItem('vantage-single-keys-off', 'yes')");
  await tab.press("?");
  expect(await tab.eval<boolean>("document.querySelector('#keys').open")).toBe(false);
  await tab.eval("localStorage.clear()");
});
