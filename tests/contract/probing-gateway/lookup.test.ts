/** Names that a gateway looks up for programs, by a name server of the test. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { GatewayHome } from "./gateway-home.ts";
import { NameServer } from "./name-server.ts";

const addresses = { "public.example": "1.1.1.1", "private.example": "10.0.0.1" };
let engine: EngineHome;
let home: GatewayHome;
let server: NameServer;

beforeAll(async () => {
  server = await NameServer.start(addresses);
  engine = await startEngine();
  home = await startHome("names: true");
});
afterAll(async () => {
  await home?.[Symbol.asyncDispose]();
  await engine?.[Symbol.asyncDispose]();
  server?.[Symbol.dispose]();
});

async function startHome(names: string): Promise<GatewayHome> {
  const context = `context: { ${names}, resolvers: ["127.0.0.1:${server.port}"] }`;
  return await GatewayHome.start({
    databaseAddress: await engine.freshDatabase(),
    yaml: context,
    safety: "{ block_reserved_ranges: true }",
  });
}

const lookUp = (name: string, who = "ann", gateway = home) =>
  gateway.json(who, `/api/lookup?${new URLSearchParams({ name })}`);

test("a name has its address, unless nothing may be probed there", async () => {
  expect(await lookUp("public.example")).toEqual({
    status_code: 200,
    name: "public.example",
    address: "1.1.1.1",
  });
  expect(await lookUp("private.example")).toMatchObject({ status_code: 422, code: "no_address" });
  expect(await lookUp("unknown.example")).toMatchObject({ status_code: 422, code: "no_address" });
  // The machine's own file of hosts is not read.
  expect(await lookUp("localhost")).toMatchObject({ status_code: 422, code: "no_address" });
  expect(await lookUp("a b")).toMatchObject({ status_code: 400 });
});

test("who may not measure, who asks too often, and whom the operator does not let: nothing is asked", async () => {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ name: "read", scopes: ["measurements:read"] });
  const { token } = await home.json("bob", "/api/tokens", { method: "POST", headers, body });
  expect(await lookUp("secret.example", String(token))).toMatchObject({ code: "missing_scope" });
  await using closed = await startHome("names: false");
  expect(await lookUp("secret.example", "bob", closed)).toMatchObject({ status_code: 400, code: "no_names" });
  expect(server.asked).not.toContain("secret.example");
  let status: unknown = 200;
  for (let i = 0; i < 200 && status === 200; i++) {
    status = (await lookUp("public.example", "bob")).status_code;
  }
  expect(status).toBe(429);
  expect(server.asked.length).toBeLessThan(300);
});
