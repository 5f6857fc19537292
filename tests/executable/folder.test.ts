/**
 * The folder of `npm run build` works where it is copied, started from an empty folder: its stack, an agent, and the
 * console in a browser that can reach nothing else.
 *
 * @tier long: tests/first-hour runs the same parts out of the archive
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "../browser/browser.ts";
import { Keyboard } from "../browser/keyboard.ts";
import { mustBeReadable } from "../browser/readable.ts";
import type { Tab } from "../browser/tab.ts";
import { operator } from "../contract/console/console-home.ts";
import { SampleSets } from "../enrich/sample-sets.ts";
import { until } from "../exchange/until.ts";
import { Day } from "./console-days.ts";
import { CutOff } from "./cut-off.ts";
import { LargePages } from "./large-pages.ts";
import { MovedStack } from "./moved-stack.ts";
import { hops } from "./two-hops.ts";

const pagePaths = [
  "/console",
  `/console?from=west&to=${hops[4][1]}&protocol=icmp`,
  "/console/measurements",
  "/console/campaigns",
  "/console/discovery",
  "/console/peering",
  "/console/public",
  ...["agents", "keys", "users", "safety", "exchanges", "ingest", "audit"].map(
    (view) => `/console/operators?view=${view}`,
  ),
];
const limitMs = 180_000;

interface SeenAgent {
  readonly online: boolean;
  readonly health: { readonly healthy: boolean } | null;
}

/** Namespaces and raw sockets. */
const asRoot = test.skipIf(process.getuid?.() !== 0);

const sets = new SampleSets();
const owned = new AsyncDisposableStack();
let stack: MovedStack;
let browser: Browser;
let user: Tab;
let other: Tab;
let downloads: string;

beforeAll(async () => {
  await sets.put("2026-01-31", 64_501);
  // All that answers here has an address for documentation.
  stack = owned.use(
    await MovedStack.start({
      VANTAGE_SAFETY__BLOCK_RESERVED_RANGES: "false",
      VANTAGE_CONTEXT__DIR: sets.path,
    }),
  );
  if (process.getuid?.() === 0) {
    const place = owned.use(await CutOff.make(stack.folder, [stack.origin, stack.issuer]));
    browser = await place.browser();
    downloads = join(stack.folder, "downloads");
    mkdirSync(downloads);
    await browser.keepDownloads(downloads);
    user = await browser.open("about:blank");
    other = await browser.openPrivately("about:blank");
    const command = [stack.executable, "agent", "-c", agentFile()];
    await place.start("agent", command, /agent west is running/);
    // Pages offer it only once the gateway knows that it can probe.
    await until("an agent that can measure", async () => {
      const agents = (await (await fetch(`${stack.origin}/api/agents`)).json()) as SeenAgent[];
      return agents.some(({ online, health }) => online && health?.healthy);
    });
  }
});
afterAll(async () => {
  await owned.disposeAsync();
  sets[Symbol.dispose]();
});

function agentFile(): string {
  const file = join(stack.folder, "agent.yaml");
  // JSON is YAML.
  const config = {
    agent: { id: "west", state_dir: join(stack.folder, "agent"), block_reserved_ranges: false },
    prober: [{ name: "main", interface: "near", probing_rate: 1000 }],
    kafka: { brokers: stack.broker },
    gateway: { url: stack.origin, enrolment_key: stack.secret("enrolment") },
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

test("the folder has all its parts, and its stack runs by its own libchdb.so", async () => {
  expect(stack.files.filter((name) => !name.startsWith("man/")).sort()).toEqual([
    ...["completions/_vantage", "completions/vantage.bash", "completions/vantage.fish"],
    ...["libchdb.so", "vantage"],
  ]);
  expect(stack.files).toContain("man/man1/vantage-peering-prefix-request.1");
  expect((await fetch(stack.health)).status).toBe(200);
});

asRoot(
  "a user's day by keys alone: log in, trace, find it, graph, table and file say what the API says, log out",
  async () => {
    const day = new Day(user, stack.origin);
    await day.logIn("alice");
    const path = await day.trace();
    await day.lookAt(path);
    await day.keepFile(path, downloads);
    await mustBeReadable(user);
    await day.logOut();
  },
  limitMs,
);

asRoot(
  "an operator's day by keys alone: agents, a key, a quota, the blocklist, the kill switch by its name, the audit",
  async () => {
    const day = new Day(other, stack.origin);
    await day.logIn(operator);
    await day.operate();
  },
  limitMs,
);

asRoot(
  "every page: read by all, in both themes, on a small phone; each of its parts is reached by Tab",
  async () => {
    for (const path of pagePaths) {
      await other.go(`${stack.origin}${path}`);
      expect({
        path,
        isFailure: await other.eval("document.querySelector('main > .card.is-bad') !== null"),
      }).toEqual({ path, isFailure: false });
      expect({ path, unreached: await new Keyboard(other).unreached() }).toEqual({ path, unreached: [] });
      await mustBeReadable(other);
    }
  },
  limitMs,
);

asRoot(
  "10,000 hops and 2,080 links are read by all, as the API has them; another person does not see them",
  async () => {
    const pages = await LargePages.make(other, stack);
    await pages.mustBeRead();
    expect(await pages.mustShowAllLinks()).toBeGreaterThanOrEqual(2080);
    const stranger = await browser.openPrivately("about:blank");
    await new Day(stranger, stack.origin).logIn("mallory");
    await pages.mustBeHiddenFrom(stranger);
  },
  limitMs,
);

asRoot("all that was asked for came from the gateway, and the login from the issuer", () => {
  const urls = [user, other].flatMap(({ requests }) => requests).filter((url) => url.startsWith("http"));
  expect(urls.length).toBeGreaterThan(50);
  const origins = new Set(urls.map((url) => new URL(url).origin));
  expect(origins).toEqual(new Set([stack.origin, new URL(stack.issuer).origin]));
});

test("it ends in order when somebody stops it", async () => {
  expect(await stack.stop()).toBe(0);
});
