/** The console where nobody need log in, where nobody can, where it is turned off, and while others are away. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { gatewayApp } from "../../../apps/probing/gateway/app.ts";
import type { OpenServices } from "../../../apps/probing/gateway/gateway.ts";
import { bypassVerifier } from "../../../lib/engines/auth/token-verifier.ts";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { addAgent, GatewayHome } from "../probing-gateway/gateway-home.ts";

let engine: EngineHome;
let home: GatewayHome;

beforeAll(async () => {
  engine = await startEngine();
  home = await GatewayHome.start({ databaseAddress: await engine.freshDatabase() });
  await addAgent(home, "west");
});
afterAll(async () => {
  await home?.[Symbol.asyncDispose]();
  await engine?.[Symbol.asyncDispose]();
});

function appWith(changes: Partial<OpenServices>) {
  return gatewayApp({ ...home.services, ...changes });
}

test("where everybody is one user, all is there without a login, and forms need their token", async () => {
  const app = appWith({ tokens: bypassVerifier() });
  const page = await (await app.request("/console/measurements")).text();
  expect(page).toContain("All users are test-user-id");
  expect(page).toContain("You have not measured yet");
  const probes = { metadata: [{ id: "west" }], probes: [["192.0.2.1", 24_000, 33_434, 1, "udp"]] };
  const order = (csrf: string) => ({
    method: "POST",
    headers: { "content-type": "application/json", "x-csrf": csrf },
    body: JSON.stringify(probes),
  });
  expect((await app.request("/console/call/api/probes", order("x"))).status).toBe(403);
  const csrf = /<meta name="csrf" content="([^"]+)"/.exec(page)?.[1] ?? "";
  expect((await app.request("/console/call/api/probes", order(csrf))).status).toBe(200);
  expect(await (await app.request("/console/measurements")).text()).toContain("0 of 1");
});

test("without an issuer the public pages are there, and a login says what is missing", async () => {
  const page = await (await home.ask(null, "/console")).text();
  expect(page).toContain("No logins here");
  expect(page).toContain("west");
  const login = await home.json(null, "/console/login");
  expect(login).toMatchObject({ status_code: 404, code: "no_identity_provider" });
});

test("turned off, there is nothing of it, and the gateway's address shows its documentation", async () => {
  const { config } = home.services;
  const app = appWith({ config: { ...config, console: { ...config.console, enabled: false } } });
  expect(await (await app.request("/")).text()).toContain("<h1>Vantage probing gateway</h1>");
  for (const path of ["/console", "/console/login", "/console/call/api/agents"]) {
    expect((await app.request(path)).status).toBe(404);
  }
});

test("while the peering gateway is away, its page says so, and the token goes nowhere", async () => {
  const { config } = home.services;
  const away = { ...config, peeringGateway: "http://127.0.0.1:1" };
  const app = appWith({ tokens: bypassVerifier(), config: away });
  const answer = await app.request("/console/peering");
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain("The peering gateway is unreachable");
});

test("an issuer that does not answer is said, not waited for", async () => {
  const { config } = home.services;
  const oidc = {
    issuer: "http://127.0.0.1:1",
    audiences: [],
    jwksUri: null,
    operators: operatorsNone,
    nameClaims: [],
  };
  const app = appWith({ config: { ...config, oidc } });
  const answer = await app.request("http://127.0.0.1/console/login");
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
    503,
    "issuer_unavailable",
  ]);
});

const operatorsNone = { subjects: [], claim: null, role: "" };
