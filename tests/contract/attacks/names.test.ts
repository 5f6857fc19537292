/** Names that mean something else where they end up: NUL, dots of a path, members that every object has. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { adminKey, PeeringHome, serviceKey } from "../peering-gateway/peering-home.ts";
import { addAgent, GatewayHome, probeArrays } from "../probing-gateway/gateway-home.ts";
import { AgentCaller, admin, call } from "../probing-gateway-agents/callers.ts";

const stack = new AsyncDisposableStack();
let engine: EngineHome;
let probing: GatewayHome;
let peering: PeeringHome;
let agent: AgentCaller;
beforeAll(async () => {
  engine = stack.use(await startEngine());
  probing = stack.use(await GatewayHome.start({ databaseAddress: await engine.freshDatabase() }));
  await addAgent(probing, "west");
  agent = await AgentCaller.ready(probing, "east");
  const database = await openDatabase(await engine.freshDatabase(), { applicationName: "test" });
  stack.use(database);
  peering = stack.use(await PeeringHome.start({ database }));
});
afterAll(() => stack.disposeAsync());

/** As a part of a path, encoded as an attacker would. */
const parts = [
  ...["%00", "a%00b", "%2e", "%2e%2e", "%2e%2e%2f%2e%2e%2fetc", "..%5c", "%c0%ae", "%ff", "%25%30%30"],
  ...["__proto__", "constructor", "%F0%9F%92%A3", "%ED%A0%80", "%E2%80%AE", "'%3B--", "a".repeat(8000)],
];
const queries = ["limit=%00", "after=%00", "agent=%00&format=%00", "__proto__=1", "a=1&".repeat(1500)];

interface NameTarget {
  readonly name: string;
  readonly document: () => Promise<{ paths: Record<string, Record<string, unknown>> }>;
  readonly ask: (key: string, path: string, method: string) => Promise<number>;
  readonly keyOf: (path: string) => string;
}

const init = (method: string) =>
  method === "GET" || method === "DELETE"
    ? {}
    : { body: "{}", headers: { "content-type": "application/json" } };

const targets: NameTarget[] = [
  {
    name: "probing gateway",
    document: async () => (await (await probing.ask(null, "/openapi.json")).json()) as never,
    ask: async (key, path, method) => (await probing.ask(key, path, { method, ...init(method) })).status,
    keyOf: (path) =>
      path.startsWith("/admin")
        ? probing.services.adminKey
        : path.startsWith("/agent-api")
          ? agent.key
          : "anna",
  },
  {
    name: "peering gateway",
    document: async () => (await peering.send(null, "GET", "/openapi.json")).body,
    ask: async (key, path, method) =>
      (await peering.send(key, method, path, method === "GET" || method === "DELETE" ? undefined : {}))
        .status,
    keyOf: (path) =>
      path.startsWith("/admin") ? adminKey : path.startsWith("/service") ? serviceKey : "anna",
  },
];

describe.each(targets)("every route of the $name, with the right key", ({ document, ask, keyOf }) => {
  const routes = async () =>
    Object.entries((await document()).paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ path, method: method.toUpperCase() })),
    );

  test("answers no part of a path with a mistake of its own", async () => {
    const failed: string[] = [];
    for (const { path, method } of await routes()) {
      for (const part of path.includes("{") ? parts : []) {
        const asked = path.replaceAll(/\{[^}]+\}/g, part);
        const status = await ask(keyOf(path), asked, method);
        if (status === 500) {
          failed.push(`${method} ${asked.slice(0, 100)}: ${status}`);
        }
      }
    }
    expect(failed).toEqual([]);
  });

  test("answers no query with a mistake of its own", async () => {
    const failed: string[] = [];
    for (const { path, method } of await routes()) {
      for (const query of queries) {
        const status = await ask(keyOf(path), `${path.replaceAll(/\{[^}]+\}/g, "x")}?${query}`, method);
        if (status === 500) {
          failed.push(`${method} ${path}?${query.slice(0, 40)}: ${status}`);
        }
      }
    }
    expect(failed).toEqual([]);
  });
});

test("a NUL is refused in a path, a query and a body", async () => {
  const own = (path: string) => call(probing, agent.key, path);
  expect(await own("/api/agent/a%00b")).toMatchObject({ status: 400, body: { code: "malformed_path" } });
  expect(await call(probing, "anna", "/api/measurements?agent=%00")).toMatchObject({ status: 400 });
  expect(await admin(probing, "/agents", { body: { id: "n", location: "a\0b" } })).toMatchObject({
    status: 422,
  });
  expect((await peering.admin("POST", "/admin/service-keys", { name: "a\0b" })).status).toBe(422);
  const metadata = [{ id: "we\0st" }];
  const submitted = await probing.submit("anna", { metadata, probes: probeArrays(1) });
  expect(submitted.status).toBe(422);
});

test.each([".", "..", "__proto__", "constructor", "prototype"])("nothing is called %p", async (name) => {
  expect((await admin(probing, "/agents", { body: { id: name } })).status).toBe(422);
  const { body } = await admin(probing, "/enrolment-keys", { body: { label: "names" } });
  const registration = { body: { id: name, secret: "s" } };
  const key = String(body.enrolment_key);
  expect((await call(probing, key, "/agent-api/agent/register", registration)).status).toBe(422);
  expect((await agent.post("/config", [{ name }])).status).toBe(422);
  const query = `?agents=${name}`;
  const line = await probing.submit("anna", "192.0.2.1,1,2,3,udp\n", { type: "text/csv", query });
  expect(line.status).toBe(400);
  const metadata = [{ id: name }, { id: "west" }];
  expect((await probing.submit("anna", { metadata, probes: probeArrays(1) })).status).toBe(422);
});

test.each([
  '{"__proto__":{"probing_rate":1}}',
  '{"main":{"\\u005f_proto__":{"paused":true}}}',
  '{"constructor":{"prototype":{}}}',
])("a body with the member of every object is refused: %s", async (body) => {
  const response = await probing.ask(probing.services.adminKey, "/admin/agents/east/desired", {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body,
  });
  expect([response.status, await response.json()]).toMatchObject([422, { code: "invalid_body" }]);
});

test("metadata of a prototype is ignored", async () => {
  const text = `{"__proto__":{"metadata":[{"id":"west"}]},"probes":[["192.0.2.1",1,2,3,"udp"]]}`;
  const response = await probing.submit("anna", text);
  expect([response.status, await response.json()]).toMatchObject([422, { code: "invalid_body" }]);
});
