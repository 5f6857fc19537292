/** An agent hears from a real gateway who else measures at a destination, and which prefixes were not granted. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import * as v from "valibot";
import { gatewayCounterNames } from "../../../apps/probing/agent/agent-counters.ts";
import { CrowdBoard } from "../../../apps/probing/agent/consume/crowd-board.ts";
import { Counters } from "../../../apps/probing/agent/engine/counters.ts";
import { SendInhibit } from "../../../apps/probing/agent/engine/send-inhibit.ts";
import { GatewayClient } from "../../../apps/probing/agent/gateway/gateway-client.ts";
import { agentInstanceSchema } from "../../../lib/measuring/probing/agent-config.ts";
import { bucketOf, networkHash } from "../../../lib/measuring/probing/destination-bucket.ts";
import { address } from "../../../lib/net/ip/address.ts";
import { until } from "../../exchange/until.ts";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { GatewayHome } from "../probing-gateway/gateway-home.ts";
import { cancel, stopped } from "../probing-gateway/measurement-helpers.ts";
import { AgentCaller } from "./callers.ts";

let database: EngineHome;
let gateway: GatewayHome;
let server: Bun.Server<undefined>;
beforeAll(async () => {
  database = await startEngine();
  gateway = await GatewayHome.start({ databaseAddress: await database.freshDatabase() });
  server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => gateway.fetch(request) });
});
afterAll(async () => {
  await server.stop(true);
  await gateway[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const target = "2001:db8:fee1::7";
const bucket = bucketOf(networkHash(address(target)));

async function flood(user: string, agent: string): Promise<string> {
  const options = { type: "text/csv", query: `?agents=${agent}` };
  const response = await gateway.submit(user, `${target},24000,33434,9,udp\n`, options);
  return ((await response.json()) as { id: string }).id;
}

test("each report brings what has changed", async () => {
  const east = await AgentCaller.ready(gateway, "east");
  const agent = await AgentCaller.create(gateway, "west");
  const board = new CrowdBoard();
  const said: string[] = [];
  const stop = new SharedArrayBuffer(4);
  const keys = { agentKey: agent.key, agentSecret: "s".repeat(16), enrolmentKey: null };
  const client = new GatewayClient(
    {
      ...{ agentId: "west", stateDir: join(gateway.folder), stop },
      gateway: { url: server.url.origin, ...keys, reportIntervalMs: 500 },
      ...{ sendInhibit: SendInhibit.allocate().buffer, crowd: board.buffer },
      counters: new Counters(gatewayCounterNames).buffer,
    },
    (text) => said.push(text),
    () => {},
  );
  const claims = { name: "main", src_ipv4_prefix: "0.0.0.0/0", src_ipv6_prefix: "2001:db8:1::/48" };
  client.hear({
    kind: "state",
    health: { healthy: true, message: null },
    instances: [v.parse(agentInstanceSchema, claims)],
  });
  const running = client.run();
  const told = (knownAtMs: number) => board.agentsAt(bucket, { agents: 7, knownAtMs });
  await until("a first table", () => told(0) === 1);
  expect(told(Date.now() + 3_600_000)).toBe(7);
  expect(said.join()).toContain("has not granted this agent the source prefixes 0.0.0.0/0");

  const ids = [await flood("second", east.id)];
  await until("one agent there", () => told(0) === 1);
  const other = await AgentCaller.ready(gateway, "north");
  ids.push(await flood("third", other.id));
  await until("two agents there", () => told(0) === 2);
  await cancel(gateway, "third", ids[1] ?? "");
  await stopped(gateway, [ids[1] ?? ""], other.id);
  await until("one agent again", () => told(0) === 1);
  new Int32Array(stop)[0] = 1;
  await running;
});
