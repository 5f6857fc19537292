/** Every route of the probing gateway, by requests made from its document: no failure 500, none undocumented. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { longTest } from "../../run/long-test.ts";
import { inTier } from "../../run/tier.ts";
import { adminKey, FuzzedGateway } from "./fuzzed-gateway.ts";
import { fuzz } from "./schemathesis.ts";

const examples = inTier({ usual: 1, long: 3 });
const agentId = "fuzzed";

let gateway: FuzzedGateway;
let agentKey = "";
beforeAll(async () => {
  gateway = await FuzzedGateway.start("probing-gateway", {});
  agentKey = await makeAgent();
});
afterAll(() => gateway[Symbol.asyncDispose]());

async function post(path: string, token: string, body: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return fetch(`${gateway.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

async function makeAgent(): Promise<string> {
  const made = await post("admin/agents", adminKey, { id: agentId });
  const { agent_key: key } = (await made.json()) as { agent_key: string };
  await post("agent-api/agent/register", key, { id: agentId, secret: "a secret of the agent" });
  const instance = { name: "one", instance_id: 0, src_ipv4_prefix: "192.0.2.0/24" };
  await post(`agent-api/agent/${agentId}/config`, key, [instance]);
  await post(`agent-api/agent/${agentId}/health`, key, { healthy: true, message: null, details: {} });
  return key;
}

test("users and the public", async () => {
  const token = await gateway.issuer.tokenFor("fuzzer");
  const { passed, said } = await fuzz({ url: gateway.url, token, paths: "^/(api|source|opt)", examples });
  expect(passed ? "" : said).toBe("");
});

longTest("agents", async () => {
  const order = { url: gateway.url, token: agentKey, paths: "^/agent-api", examples };
  const { passed, said } = await fuzz({ ...order, parameters: { id: agentId } });
  expect(passed ? "" : said).toBe("");
});

longTest("admins", async () => {
  const { passed, said } = await fuzz({ url: gateway.url, token: adminKey, paths: "^/admin", examples });
  expect(passed ? "" : said).toBe("");
});
