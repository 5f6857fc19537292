/**
 * Three gateways on one PostgreSQL behind a real Caddy are restarted one by one, as docs/operate/upgrade.md says,
 * while users read and submit: no request fails, and none is sent again.
 *
 * @alone: it starts several gateways
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../lib/engines/store/postgres/open.ts";
import { insertAgent, probeText } from "../contract/probing-gateway/gateway-home.ts";
import { GatewayProcess } from "../contract/probing-gateway/gateway-process.ts";
import { until } from "../exchange/until.ts";
import { sharedPostgres } from "../postgres/shared-postgres.ts";
import { freePortsFor } from "../server/free-ports.ts";

const names = ["one", "two", "three"] as const;
type Name = (typeof names)[number];
const clients = 6;
/** Answered between two restarts, at least. */
const answersEach = 50;

const folder = mkdtempSync(join(tmpdir(), "vantage-rolling-"));
const stack = new AsyncDisposableStack();
const gateways = new Map<Name, GatewayProcess>();
const ports = freePortsFor("proxy", "admin");
const address = `http://127.0.0.1:${ports.proxy}`;
let database: Database;

beforeAll(async () => {
  const databaseAddress = await stack.use(await sharedPostgres()).createDatabase();
  for (const name of names) {
    const config = [
      `gateway: { address: "127.0.0.1:0", state_dir: "${folder}/${name}", bypass_authentication: true }`,
      `database: { address: "${databaseAddress}" }`,
      `kafka: { brokers: "embedded:${folder}/broker" }`,
      "limits: { probes_per_day: 100000000, submissions_per_minute: 100000, user_address_rate: 0 }",
      "safety: { block_reserved_ranges: false }",
    ];
    writeFileSync(configOf(name), config.join("\n"));
    gateways.set(name, await GatewayProcess.start(configOf(name)));
  }
  database = stack.use(await openDatabase(databaseAddress, { applicationName: "test" }));
  await insertAgent(database.sql, "west");
});

afterAll(async () => {
  await Promise.all([...gateways.values()].map((gateway) => gateway.kill()));
  await stack.disposeAsync();
  rmSync(folder, { recursive: true, force: true });
});

function configOf(name: Name): string {
  return join(folder, `${name}.yaml`);
}

/** The proxy's configuration with these gateways. */
function proxyTo(to: readonly Name[]): string {
  const upstreams = to.map((name) => ({ dial: new URL(gateways.get(name)?.url ?? "").host }));
  const routes = [{ handle: [{ handler: "reverse_proxy", upstreams }] }];
  const site = { listen: [`127.0.0.1:${ports.proxy}`], automatic_https: { disable: true }, routes };
  return JSON.stringify({
    admin: { listen: `127.0.0.1:${ports.admin}` },
    apps: { http: { servers: { site } } },
  });
}

async function startProxy(): Promise<void> {
  const file = join(folder, "caddy.json");
  writeFileSync(file, proxyTo(names));
  const child = Bun.spawn(["caddy", "run", "--config", file], {
    env: { ...process.env, XDG_DATA_HOME: join(folder, "caddy"), XDG_CONFIG_HOME: join(folder, "caddy") },
    stdio: ["ignore", "ignore", "ignore"],
  });
  stack.defer(async () => {
    child.kill();
    await child.exited;
  });
  await until("the proxy", async () => (await fetch(`${address}/ready`).catch(() => null))?.ok);
}

/** Without interruption: `caddy reload`. */
async function reload(to: readonly Name[]): Promise<void> {
  const headers = { "content-type": "application/json" };
  const url = `http://127.0.0.1:${ports.admin}/load`;
  const { ok } = await fetch(url, { method: "POST", headers, body: proxyTo(to) });
  expect(ok).toBe(true);
}

test.skipIf(Bun.which("caddy") === null)("no request fails while all three are restarted", async () => {
  await startProxy();
  const failed: string[] = [];
  let answered = 0;
  let isOver = false;
  const submit = { method: "POST", headers: { "content-type": "text/csv" }, body: probeText(50) };
  const asking = Array.from({ length: clients }, async (_, client) => {
    while (!isOver) {
      const isSubmission = client % 2 === 0;
      const url = isSubmission ? `${address}/api/probes?agents=west` : `${address}/api/measurements`;
      const response = await fetch(url, isSubmission ? submit : {}).catch((error: unknown) => String(error));
      const isGood = typeof response !== "string" && response.ok && (await response.text()) !== "";
      if (!isGood) {
        failed.push(typeof response === "string" ? response : `${response.status} ${await response.text()}`);
      }
      answered++;
    }
  });
  for (const name of names) {
    const enough = answered + answersEach;
    await until("requests", () => answered >= enough);
    await reload(names.filter((other) => other !== name));
    expect(await gateways.get(name)?.stop()).toBe(0);
    gateways.set(name, await GatewayProcess.start(configOf(name)));
    await until("its readiness", async () => (await fetch(`${gateways.get(name)?.url}ready`)).ok);
    await reload(names);
  }
  isOver = true;
  await Promise.all(asking);
  expect(failed).toEqual([]);
  expect(answered).toBeGreaterThanOrEqual(names.length * answersEach);
});
