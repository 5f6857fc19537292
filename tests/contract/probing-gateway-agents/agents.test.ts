/** The agent API, public agents, the admin API and safety, on both engines of the database. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type EngineHome, engines, startEngine } from "../../postgres/engines.ts";
import { addKnownUser, GatewayHome } from "../probing-gateway/gateway-home.ts";
import { adminSuite } from "./admin.ts";
import { AgentCaller } from "./callers.ts";
import { configurationSuite } from "./configuration.ts";
import { existingAgentSuite } from "./existing-agent.ts";
import { grantsSuite } from "./grants.ts";
import { healthSuite } from "./health.ts";
import { keysSuite } from "./keys.ts";
import { listSuite } from "./list.ts";
import { packetsSuite } from "./packets.ts";
import { progressSuite } from "./progress.ts";
import { registrationSuite } from "./registration.ts";
import { safetySuite } from "./safety.ts";
import { sourceSuite } from "./source.ts";
import { togetherSuite } from "./together.ts";

describe.each(engines)("on %s", (engine) => {
  let database: EngineHome;
  let address: string;
  let gateway: GatewayHome;

  beforeAll(async () => {
    database = await startEngine(engine);
    address = await database.freshDatabase();
    gateway = await GatewayHome.start({ databaseAddress: address, contact: "noc@example.net" });
    await addKnownUser(gateway);
  });
  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    await database?.[Symbol.asyncDispose]();
  });

  existingAgentSuite(() => gateway);
  keysSuite(() => gateway);
  registrationSuite(() => gateway);
  healthSuite(() => gateway);
  configurationSuite(() => gateway);
  progressSuite(() => gateway);
  togetherSuite(() => gateway);
  packetsSuite(() => gateway);
  listSuite(() => gateway);
  adminSuite(() => gateway);
  safetySuite(() => gateway);
  sourceSuite(() => gateway);
  grantsSuite(() => gateway);

  test("a restart keeps agents, keys, configuration and health", async () => {
    const agent = await AgentCaller.ready(gateway, "lasting");
    const before = await agent.seen();
    await gateway[Symbol.asyncDispose]();
    gateway = await GatewayHome.start({ databaseAddress: address });
    const same = new AgentCaller(gateway, agent.id, agent.key);
    const after = await same.seen();
    expect(after).toMatchObject({
      id: "lasting",
      config: before.config as object,
      health: before.health as object,
    });
    expect((await same.post("/health", { healthy: true })).status).toBe(200);
  });
});
