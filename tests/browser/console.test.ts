/** The console in a real Chromium, on a gateway with a database: who can read it, by keys alone, without others. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type RunningServer, serve } from "../../lib/engines/http/serve.ts";
import { ConsoleHome, operator } from "../contract/console/console-home.ts";
import { until } from "../exchange/until.ts";
import { checkTokens } from "./account.ts";
import { Browser } from "./browser.ts";
import { checkCampaignForm } from "./campaign-form.ts";
import { focus, tellChanges, typeAnnouncement } from "./console-announce.ts";
import { checkSessions, serveExchange } from "./console-exchange.ts";
import { checkRoutes, serveCollector } from "./console-routes.ts";
import { fill, hostile, logInWith, scenes } from "./console-scenes.ts";
import { addExperiment, checkExperiment, checkRemoval } from "./experiment-scene.ts";
import { checkFirstLoad } from "./first-load.ts";
import { Keyboard } from "./keyboard.ts";
import { arriveAtMeasurement, checkMeasureForm, submittedFrom } from "./measure-form.ts";
import { mustBeReadable } from "./readable.ts";
import type { Tab } from "./tab.ts";
import { checkUserData } from "./user-data.ts";

let home: ConsoleHome;
let server: RunningServer;
let exchange: RunningServer;
let collector: RunningServer;
let consoleUrl: string;
let browser: Browser;
let tab: Tab;

beforeAll(async () => {
  home = await ConsoleHome.start();
  await fill(home, hostile);
  exchange = serveExchange(hostile);
  collector = serveCollector(hostile);
  const elsewhere = { exchanges: [exchange.url, "http://127.0.0.1:9"], collectors: [collector.url] };
  Object.assign(home.gateway.services.config.console, elsewhere);
  server = home.serve();
  consoleUrl = server.url.replace("127.0.0.1", "localhost");
  browser = await Browser.start();
  tab = await browser.open(`${consoleUrl}console`);
});
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]();
  await collector?.[Symbol.asyncDispose]();
  await exchange?.[Symbol.asyncDispose]();
  await home?.[Symbol.asyncDispose]();
});

/** A page that answers 400 or 404 to a look is logged by the browser; all else is a fault of ours. */
async function mustBeOurs(): Promise<void> {
  const asked = await tab.eval<string[]>("performance.getEntriesByType('resource').map(({ name }) => name)");
  expect(asked.length).toBeGreaterThan(1);
  expect(asked.filter((name) => !name.startsWith(consoleUrl))).toEqual([]);
  expect(await tab.eval<string>("typeof stolen")).toBe("undefined");
  expect(tab.complaints.filter((one) => !one.includes("the server responded with a status of 4"))).toEqual(
    [],
  );
}

test("a stranger reads the start, and is asked to log in for the rest", async () => {
  await mustBeReadable(tab);
  await tab.go(`${consoleUrl}console/measurements`);
  expect(await tab.text("h1")).toBe("Please log in");
  await mustBeReadable(tab);
  await mustBeOurs();
});

test("somebody logs in by the issuer's form, which is another site, and is back", async () => {
  // To a browser, localhost and 127.0.0.1 are two sites.
  expect(new URL(home.issuer.url).hostname).toBe("127.0.0.1");
  await logInWith(tab, consoleUrl, operator);
  expect(await tab.text(".account")).toContain("Log out");
  // Neither cookie is for scripts.
  expect(await tab.eval<string>("document.cookie")).toBe("");
});

test.each(Object.entries(scenes))(
  "%s: readable for all, in the light, in the dark, on a small phone; nobody else is asked, nothing foreign runs",
  async (_name, path) => {
    await tab.go(`${consoleUrl}${path.slice(1)}`);
    await mustBeReadable(tab);
    await mustBeOurs();
  },
);

test("an experiment: time line, catchments, convergence, whatever others say; its removal", async () => {
  await checkExperiment(tab, consoleUrl, await addExperiment(home, hostile.replace("\u202E", "")));
  await checkRemoval(tab, consoleUrl, home);
  await mustBeOurs();
});

test("who follows the list of what is public reads a measurement without a login", async () => {
  await tab.go(`${consoleUrl}console/public`);
  const path = await tab.eval<string>(
    "document.querySelector('main a[href*=\"/console/public/measurements/\"]').getAttribute('href')",
  );
  await tab.go(`${consoleUrl}${path.slice(1)}`);
  expect(await tab.text("main")).toContain(hostile.replace("\u202E", ""));
  await mustBeReadable(tab);
  await mustBeOurs();
});

test("the address without a path leads to the start, which shows the agents", async () => {
  await tab.go(consoleUrl);
  expect(await tab.eval<string>("location.pathname")).toBe("/console");
  expect(await tab.text("#agents")).toMatch(/east\s+offline/);
  expect(await tab.text("#agents")).toMatch(/west\s+healthy/);
  expect(await tab.text("#agents")).toContain(hostile.replace("\u202E", "\\u202e"));
  const places = "[...document.querySelectorAll('figure [role=listitem]')].map((one) => one.ariaLabel)";
  expect(await tab.eval<string[]>(places)).toEqual([
    "US: 1 of 2 healthy: east (not healthy), west",
    "NL: 1 of 1 healthy: amsterdam",
    "PT: 0 of 1 healthy: lisbon (not healthy)",
    "NO: 0 of 1 healthy: oslo (not healthy)",
  ]);
  // The land itself comes from its file.
  expect(await tab.eval<number>("document.querySelector('.land').getBBox().width")).toBeGreaterThan(500);
});

test("a first look costs at most 120 kB beside the map, and nothing the second time", () =>
  checkFirstLoad(consoleUrl));

test("keys show themselves, close, and lead to a page; switched off, they do nothing", async () => {
  await tab.go(`${consoleUrl}console`);
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

test("an operator's day, by keys alone: stop all probing, by its name only, and let it go on", async () => {
  await tab.go(`${consoleUrl}console`);
  await new Keyboard(tab).goTo("o", /^\/console\/operators$/);
  await tab.go(`${consoleUrl}console/operators?view=safety`);
  await tab.press("/");
  expect(await tab.eval<string>("document.activeElement.name")).toBe("reason");
  await tab.type("a test");
  await tab.press("Tab");
  await tab.type("something else");
  await tab.press("Enter");
  // The browser itself refuses, and says why.
  expect(await tab.eval<boolean>("document.querySelector('form:invalid') !== null")).toBe(true);
  await tab.eval("document.activeElement.select()");
  await tab.type("kill-switch");
  await tab.press("Enter");
  await until("the end of probing", async () => (await tab.text("main")).includes("All probing is stopped"));
  expect(await tab.text("#said")).toContain("All agents stop");
  expect(await tab.violations()).toEqual([]);
  await tab.eval("document.querySelector('main .is-bad button').focus()");
  await tab.press("Enter");
  await until("probing", async () => (await tab.text("main")).includes("Probing is allowed"));
});

test.each([checkMeasureForm, checkCampaignForm, checkTokens])("%p, also what is refused", (check) =>
  check(tab, consoleUrl, hostile),
);

test("a user's day, by keys alone: a trace with its price, an AS number, a lease, an announcement", async () => {
  await tab.go(`${consoleUrl}console`);
  await tab.eval("document.querySelector('[name=to]').focus()");
  await tab.type("192.0.2.7, 192.0.2.8");
  await until("the price", async () =>
    (await tab.text("main")).includes("2 targets: a trace costs 480 probes for each agent, a ping 20"),
  );
  await tab.press("Enter");
  await arriveAtMeasurement(tab);
  expect(await submittedFrom(tab)).toMatchObject({
    kind: "trace",
    total_expected_probes: 960,
    total_agents: 2,
  });
  const own = `#measurements a[href="${await tab.eval<string>("location.pathname")}"]`;
  await tab.go(`${consoleUrl}console/measurements`);
  expect(await tab.text(own)).not.toBe("");
  await new Keyboard(tab).goTo("p", /^\/console\/peering$/);
  await tab.eval("document.querySelector('main form button').focus()");
  await tab.press("Enter");
  await until("the AS number", async () => /AS\d+/.test(await tab.text("#peering dd")));
  await tab.press("/");
  await tab.press("Enter");
  await until("the lease", async () => (await tab.text("#peering tbody")).includes("2001:db8:"));
  const announced = () => tab.text("section[aria-labelledby=announcements-title]");
  expect(await announced()).toContain("You announce nothing");
  const prefix = await tellChanges(home, tab, hostile);
  await tab.go(`${consoleUrl}console/peering`);
  expect(await tab.text("main")).toMatch(/now\s+ixp-1\s+0 of 5 changes\s+2090-01-31 11:/);
  await typeAnnouncement(tab, prefix);
  // Renewing the lease renews the page: what was typed stays.
  await tab.eval("document.querySelector('main').dataset.old = 'yes'");
  await focus(tab, "form[data-call$='/renew'] button");
  await tab.press("Enter");
  await until("the page anew", () => tab.eval<boolean>("!('old' in document.querySelector('main').dataset)"));
  const said = () => tab.text("#said");
  await focus(tab, "form[data-call*='announcements/{prefix}'] button[data-dry]");
  await tab.press("Enter");
  await until("the check", async () => (await said()).includes("now"));
  expect([await said(), await announced()]).toEqual([
    "It may be done now: changed",
    expect.stringContaining("You announce nothing"),
  ]);
  await mustBeReadable(tab);
  await focus(tab, "form[data-call*='announcements/{prefix}'] button");
  await tab.press("Enter");
  await until("the announcement", async () => (await announced()).includes("Withdraw everything"));
  const besides = "blackhole 2001:db8:[^ ]+, not to AS64496, \\+2 to AS64496, no export, graceful shutdown";
  for (const server of ["fra", "ixp-1"]) {
    expect(await announced()).toMatch(
      new RegExp(`2001:db8:[^ ]+\\s+${server}\\s+0\\s+${besides}\\s+2090-01-31 12:00:00 UTC`),
    );
  }
  await mustBeReadable(tab);
  await mustBeOurs();
  await tab.eval("document.querySelector('form[data-call$=\"/api/announcements\"] button').focus()");
  await tab.press("Enter");
  await until("nothing announced", async () => (await announced()).includes("You announce nothing"));
});

test("sessions at exchanges: a user's own, with what is refused and why; everybody's for operators", () =>
  checkSessions(tab, consoleUrl));

test("the looking glass: routes by address, AS and community, by keys; not for strangers", async () => {
  await checkRoutes(tab, consoleUrl, hostile.replace("\u202E", "\\u202e"));
  await mustBeReadable(tab);
  await mustBeOurs();
  expect(await (await fetch(`${consoleUrl}console/routes?asn=64500`)).text()).not.toContain("2001:db8:5::");
});

test("what happens elsewhere is on the page without a reload", async () => {
  await tab.go(`${consoleUrl}console/measurements`);
  await tab.eval("stays = 1");
  await home.gateway.services.database
    .sql`UPDATE measurement_agents SET sent_probes = 29 WHERE agent_id = 'west'`;
  await until("the count", async () => (await tab.text("#measurements")).includes("29 of 60"));
  expect(await tab.eval<number>("stays")).toBe(1);
});

test("a page of another site changes nothing, though its reader is logged in here", async () => {
  const { sql } = home.gateway.services.database;
  await using evil = serve(
    () => new Response("<title>Evil</title>", { headers: { "content-type": "text/html" } }),
    {
      host: "127.0.0.1",
      port: 0,
    },
  );
  const [before] = await sql`SELECT count(*)::int AS count FROM audit`;
  const other = await browser.open(evil.url);
  const target = `${consoleUrl}console/call/admin/kill-switch`;
  const body = JSON.stringify({ reason: "evil" });
  for (const headers of [
    { "content-type": "text/plain" },
    { "content-type": "application/json", "x-csrf": "x" },
  ]) {
    for (const method of ["POST", "PUT"]) {
      const options = JSON.stringify({ method, headers, body, credentials: "include" });
      await other.eval(`fetch(${JSON.stringify(target)}, ${options}).then(() => null, () => null)`);
    }
  }
  // A form is sent as a navigation; it arrives without the cookie.
  await other.eval(
    `document.body.innerHTML = '<form method="post" action="${target}"></form>'; document.forms[0].submit()`,
  );
  await until("an answer", () => other.eval<boolean>("document.title !== 'Evil'"));
  expect(await other.text()).toContain("foreign_request");
  const [after] = await sql`SELECT count(*)::int AS count FROM audit`;
  expect(after).toEqual(before);
  expect(await tab.text(".account")).toContain("Log out");
});

test("an operator exports what is kept about a user, and erases it after typing who", () =>
  checkUserData(tab, consoleUrl, "mallory"));

test("who logs out is out", async () => {
  await tab.eval("document.querySelector('.account button').focus()");
  await tab.press("Enter");
  await until("a stranger", async () => (await tab.text(".account")).includes("Log in"));
});
