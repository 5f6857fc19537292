/** Both SDKs and the MCP server as their users have them: packages that are installed, on one gateway with a store. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Browser } from "../../browser/browser.ts";
import { until } from "../../exchange/until.ts";
import { makeTypescriptPackage } from "../../release/sdk-packages.ts";
import { longTest } from "../../run/long-test.ts";
import { runToEnd } from "../../run/said.ts";
import { isLongRun } from "../../run/tier.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { PythonSdk } from "./python-sdk.ts";
import { examplesOf } from "./readme.ts";
import { SdkHome } from "./sdk-home.ts";

const root = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "vantage-sdk-"));
const packageFolder = join(folder, "node_modules/vantage-sdk");

/** A page that notes what its program prints. */
const html = `<!doctype html><title>SDK</title><script type="importmap">{"imports":{"vantage-sdk":"/index.js"}}</script>
<script>window.said = ""; console.log = (...words) => { said += words.map(String).join(" ") + "\\n"; };</script>
<script type="module" src="/program.js"></script>`;

const files: Record<string, string> = {};
const pages = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: ({ url }) => {
    const { pathname } = new URL(url);
    const type = pathname === "/" ? "text/html" : "text/javascript";
    return new Response(pathname === "/" ? html : files[pathname], { headers: { "content-type": type } });
  },
});

let home: SdkHome;
let sdk: PythonSdk;

beforeAll(async () => {
  sdk = await PythonSdk.install();
  home = await SdkHome.start(pages.url.origin);
  mkdirSync(packageFolder, { recursive: true });
  await makeTypescriptPackage(packageFolder);
}, 600_000);
afterAll(async () => {
  await pages.stop(true);
  await home?.[Symbol.asyncDispose]();
  sdk?.[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** What a program prints; it has to succeed. */
async function run(command: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const {
    stdout: said,
    stderr: complaint,
    exitCode,
  } = await runToEnd(command, { cwd: folder, env: { ...process.env, ...env } });
  if (exitCode !== 0) {
    throw new Error(`${command.slice(0, 3).join(" ")}: ${said}\n${complaint}`);
  }
  return said;
}

/** Each program has a user of its own, so that it sees its own measurements only. */
async function typescriptOf(user: string) {
  return examplesOf("lib/engines/sdk/typescript/README.md", "ts", await placeOf(user));
}

async function pythonOf(user: string, page = "lib/engines/sdk/python/README.md") {
  return examplesOf(page, "python", await placeOf(user));
}

async function placeOf(user: string) {
  const measuring = ["measurements:read", "measurements:create"] as const;
  const token = await home.token(user, [...measuring, "campaigns:read", "campaigns:write", "sql:read"]);
  return { address: home.address, token };
}

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const javascript = (program: string) => new Bun.Transpiler({ loader: "ts" }).transformSync(program);

test("the examples of the TypeScript SDK run on Bun", async () => {
  const { program, output } = await typescriptOf("bun");
  expect(await run([process.execPath, "run", written("bun.ts", program)])).toBe(output);
});

longTest("and on Node", async () => {
  const { program, output } = await typescriptOf("node");
  expect(await run(["node", written("node.mjs", javascript(program))])).toBe(output);
});

test("and in a page of Chromium, from another origin than the gateway's", async () => {
  const { program, output } = await typescriptOf("page");
  files["/program.js"] = `${javascript(program)}\nwindow.hasEnded = true;`;
  files["/index.js"] = readFileSync(join(packageFolder, "index.js"), "utf8");
  await using browser = await Browser.start();
  const tab = await browser.open(pages.url.href);
  await until("the program in the page", async () => {
    expect(tab.complaints.filter((one) => one.includes("exceptionThrown"))).toEqual([]);
    return await tab.eval<boolean>("window.hasEnded === true");
  });
  expect(await tab.eval<string>("said")).toBe(output);
});

longTest("they pass the strictest compiler, with the types of the package alone", async () => {
  written("types.mts", (await typescriptOf("types")).program);
  const compilerOptions = {
    ...{
      strict: true,
      skipDefaultLibCheck: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
    },
    ...{ target: "es2024", module: "nodenext", types: [] },
    lib: ["es2024", "dom", "dom.iterable", "dom.asynciterable"],
  };
  written("tsconfig.json", JSON.stringify({ compilerOptions, files: ["types.mts"] }));
  expect(await run([join(root, "node_modules/.bin/tsc"), "-p", folder])).toBe("");
});

test("the examples of the Python SDK run, with and without await", async () => {
  const { program, output } = await pythonOf("python");
  const path = written("example.py", program);
  expect(await sdk.run(["-W", "error", path])).toBe(output);
});

longTest("the recipes of the cookbook print what it shows", async () => {
  const { program, output } = await pythonOf("cook", "docs/measure/python.md");
  expect(await sdk.run(["-W", "error", written("cookbook.py", program)])).toBe(output);
});

// It reads pandas and pyarrow whole, and types change seldom.
if (isLongRun) {
  test("the Python SDK and its examples pass mypy --strict", async () => {
    const { program } = await pythonOf("mypy");
    const config = ["--config-file", join(root, "lib/engines/sdk/python/pyproject.toml")];
    const cache = ["--cache-dir", join(root, "node_modules/.cache/mypy")];
    const asked = [...config, ...cache, join(sdk.site, "vantage"), written("checked.py", program)];
    expect(await sdk.run(["-m", "mypy", ...asked], { MYPYPATH: sdk.site })).toStartWith("Success");
  });
}

test("a client of the Model Context Protocol measures within its budget, and its token's scopes", async () => {
  const server = [...vantageCommand, "mcp"];
  const script = join(import.meta.dirname, "mcp_client.py");
  const said = await sdk.run([script, ...server, "--gateway", home.address], {
    VANTAGE_TOKEN: await home.token("model", ["measurements:read", "measurements:create"]),
    READING_TOKEN: await home.token("model", ["measurements:read"]),
    XDG_CONFIG_HOME: folder,
  });
  const seen = JSON.parse(said) as Seen;
  const tools = ["cancel", "estimate", "list_agents", "measure", "read_results", "wait"];
  expect([seen.legacy, seen.tools]).toEqual([tools, tools]);
  const refusal = { code: "missing_scope", status: 403, details: { scopes: ["measurements:create"] } };
  expect(JSON.parse(errorOf(seen.forbidden))).toMatchObject(refusal);
  expect(textOf(seen.agents)).toContain('"id":"west","state":"healthy"');
  // Its operator's words for the place are foreign text.
  expect(textOf(seen.agents)).toContain("Oslo \\u001b[2J\\u202e");
  const cost = { probes: 5, agents_at_most: 1, probes_in_all: 5 };
  expect(JSON.parse(textOf(seen.estimate))).toMatchObject({ ...cost, budget_left: 7, fits: true });
  expect(seen.measured).toMatchObject({ probes: 5, agents: [{ id: "west" }], budget_left: 2 });
  expect(errorOf(seen.over)).toStartWith("2 of 7 probes are left of the budget, and this takes up to 5: ");
  expect(errorOf(seen.bad)).toStartWith("Bad lines: 1: Expected 5 fields");
  expect(JSON.parse(errorOf(seen.refused))).toMatchObject({ code: "no_healthy_agents", status: 400 });
  // What was refused cost nothing.
  expect(JSON.parse(textOf(seen.left))).toMatchObject({
    budget_left: 2,
    quota_left_today: 9995,
    fits: false,
  });
  expect(seen.waited).toMatchObject({ outcome: "ended", total_sent_probes: 5 });
  expect(textOf(seen.paths)).toMatch(/"address":"198\.51\.100\.5".*\nThese are all 1\.$/);
  expect(textOf(seen.paths)).not.toContain("rtt_samples_ms");
  expect(textOf(seen.replies).split("\n").slice(2)).toEqual([
    "There are more: an answer has at most 2 rows. Ask by agent and destination.",
  ]);
  expect(JSON.parse(errorOf(seen.stranger))).toMatchObject({ code: "measurement_not_found", status: 404 });
  expect(JSON.parse(textOf(seen.cancelled))).toMatchObject({
    measurement_id: seen.measured.id,
    cancelled: false,
  });
  expect(seen.destructive).toEqual(["cancel"]);
  // Names are looked up by the gateway, and this one asks no name servers.
  expect(JSON.parse(errorOf(seen.unnamed))).toMatchObject({ code: "no_names", status: 400 });
  expect(errorOf(seen.foreign)).toContain("this server did not start it");
  expect(errorOf(seen.named)).toContain("without a budget no names are looked up");
  expect(JSON.parse(textOf(seen.free))).toMatchObject({ ...cost, budget_left: 0, fits: false });
  expect(JSON.parse(textOf(seen.allowed))).toMatchObject({ cancelled: false });
});

/** What mcp_client.py prints. */
interface Seen {
  readonly legacy: readonly string[];
  readonly tools: readonly string[];
  readonly measured: { readonly id: string };
  readonly waited: object;
  readonly [call: string]: unknown;
}

function textOf(answer: unknown): string {
  const { error, text } = answer as { readonly error: boolean; readonly text: string };
  expect({ error, text }).toMatchObject({ error: false });
  return text;
}

function errorOf(answer: unknown): string {
  const { error, text } = answer as { readonly error: boolean; readonly text: string };
  expect({ error, text }).toMatchObject({ error: true });
  return text;
}
