/** A user's page in a real Chromium: who can read it, and that it keeps itself up to date. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Eta } from "eta";
import type { Service } from "../../apps/peering/bootstrap/service.ts";
import { type RunningServer, serve } from "../../lib/engines/http/serve.ts";
import issuer from "../../templates/pages/issuer.eta" with { type: "text" };
import source from "../../templates/pages/source.eta" with { type: "text" };
import { ClientHome } from "../contract/bootstrap/client-home.ts";
import { until } from "../exchange/until.ts";
import { Browser } from "./browser.ts";
import { prefixes, scenes } from "./status-scenes.ts";
import { looks, type Tab } from "./tab.ts";

const sourceAnswer = {
  address: "2001:db8:f::2",
  agents: [{ id: "west", location: "Lisbon", asn: 64_500 }],
  reference: "2001:db8:f::/80",
  references: ["2001:db8:f::/80", "2001:db8:e::/80"],
  purpose: "Internet measurement",
  contact: "noc@example.org",
  opt_out: "Write to noc@example.org",
};
const issuerAnswer = {
  ...{ title: "Log in", text: "As whom?", formId: "login", button: "Log in" },
  form: '<form id="login"><label>Name <input name="name"></label></form>',
};
let home: ClientHome;
let service: Service;
let server: RunningServer;
let browser: Browser;
let tab: Tab;

beforeAll(async () => {
  home = new ClientHome();
  service = home.service({ prefixes: prefixes.join() });
  server = serve((request, connection) => service.app.fetch(request, connection), {
    host: "127.0.0.1",
    port: 0,
  });
  browser = await Browser.start();
  tab = await browser.open(server.url);
});
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
  await home?.[Symbol.asyncDispose]();
});

function show(name: string): void {
  service.client.snapshot = scenes[name] ?? raise(name);
}

function raise(name: string): never {
  throw new Error(`There is no scene ${name}`);
}

async function mustBeReadable(): Promise<void> {
  for (const look of Object.values(looks)) {
    await tab.look(look);
    expect(await tab.violations()).toEqual([]);
    // Wider than the screen = it has to be pushed from side to side.
    expect(await tab.eval<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(look.widthPx);
  }
}

test.each(Object.keys(scenes))(
  "%s: readable for all, in the light, in the dark, on a phone",
  async (name) => {
    show(name);
    await tab.go(server.url);
    await mustBeReadable();
    expect(tab.complaints).toEqual([]);
  },
);

test("what changes is on the page without loading it again, and told to those who do not see", async () => {
  show("all is well");
  await tab.go(server.url);
  await tab.eval("stays = 1");
  expect(await tab.text("[role=status]")).toStartWith("2 of 2 sessions up");
  show("one session down, one prefix refused");
  await until("the new state", async () =>
    (await tab.text("[role=status]")).startsWith("1 of 2 sessions up"),
  );
  expect(await tab.text("#content")).toContain("Socket: Connection refused");
  expect(await tab.eval<number>("stays")).toBe(1);
});

test("a program that does not answer is announced, and its return too", async () => {
  await tab.go(server.url);
  await tab.connect(false);
  try {
    await until("the warning", async () => (await tab.text("[role=alert]")).includes("Connection lost"));
    expect(await tab.violations()).toEqual([]);
  } finally {
    await tab.connect(true);
  }
  await until("no warning", async () => (await tab.text("[role=alert]")) === "");
});

test("the keyboard reaches what can be followed, and shows where it is", async () => {
  await tab.go(server.url);
  await tab.press("Tab");
  expect(await tab.eval<string>("document.activeElement.getAttribute('href')")).toBe("/status.json");
  expect(await tab.eval<string>("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
  await tab.press("Enter");
  await until("the twin", () => tab.eval<boolean>("location.pathname === '/status.json'"));
});

test("the twin in JSON says what the page says", async () => {
  show("one session down, one prefix refused");
  const status = (await (await fetch(`${server.url}status.json`)).json()) as {
    exchanges: { name: string; state: string; refused: { explanation: string; advice: string }[] }[];
    prefixes: { prefix: string; exchanges: { explanation: string; advice: string }[] }[];
  };
  await tab.go(server.url);
  const text = (await tab.text()).toLowerCase();
  const refusals = status.exchanges.flatMap(({ refused }) => refused);
  const announced = status.prefixes.flatMap(({ exchanges }) => exchanges);
  const said = [...refusals, ...announced].flatMap(({ explanation, advice }) => [explanation, advice]);
  const names = [...status.exchanges.map(({ name }) => name), ...status.prefixes.map(({ prefix }) => prefix)];
  for (const words of [...said, ...names]) {
    expect(text).toContain(words.toLowerCase());
  }
});

test("the page of the interface can be read by all, too", async () => {
  await tab.go(`${server.url}docs`);
  await tab.eval("for (const one of document.querySelectorAll('details')) one.open = true");
  await mustBeReadable();
});

test.each([
  ["who is behind a source", source, sourceAnswer],
  ["the issuer for trying things out", issuer, issuerAnswer],
])("a page for strangers can be read by all: %s", async (_name, template, values) => {
  const page = new Eta({ varName: "page" }).renderString(template, values);
  await tab.go(`data:text/html;charset=utf-8,${encodeURIComponent(page)}`);
  await mustBeReadable();
});
