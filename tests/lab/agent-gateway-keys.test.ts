/** How an agent and the real gateway come to know each other, and find each other again. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { longTest } from "../run/long-test.ts";
import { until } from "../run/until.ts";
import { GatewayScene } from "./gateway-scene.ts";
import { Internet } from "./internet.ts";
import { internet } from "./topology.ts";

interface ShownKeys {
  readonly keys: readonly { readonly key_id: string }[];
}

let net: Internet;
let scene: GatewayScene;
beforeAll(async () => {
  net = await Internet.start(internet);
});
afterAll(() => net.stop());
beforeEach(async () => {
  scene = await GatewayScene.open(net);
});
afterEach(() => scene[Symbol.asyncDispose]());

test("an enrolment key lets it in once; it comes back with the key that it kept, and a revoked one it explains", async () => {
  const made = await scene.gateway.admin<{ enrolment_key: string }>("POST", "/admin/enrolment-keys", {
    ...{ label: "lab", granted_prefixes: ["0.0.0.0/0", "::/0"] },
  });
  const keys = { enrolment_key: made.body.enrolment_key };
  const first = await scene.startAgent(keys);
  expect(await first.stop()).toBe(0);
  const path = join(scene.rig.stateDir("east"), "gateway-credentials.json");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const second = await scene.startAgent(keys);

  const [key] = (await scene.gateway.admin<ShownKeys>("GET", "/admin/agents/east")).body.keys;
  await scene.gateway.admin("DELETE", `/admin/agents/east/keys/${key?.key_id}`);
  await until(() => second.stderr().includes("The key was revoked"));
  expect(second.stderr()).toContain("see: gateway.agent_key");
  expect(JSON.parse(await scene.rig.get("east", "/health"))).toEqual({
    status: "degraded",
    holds: [],
    reasons: ["the gateway cannot be reached, or does not accept this agent"],
  });
  expect(await scene.rig.metric("east", "gateway_refusals_total")).toBeGreaterThan(0);
});

longTest(
  "a gateway that is killed and comes back finds the counts it missed, and each probe was sent once",
  async () => {
    await scene.startAgent(await scene.ownKeys());
    await using watch = await scene.watch();
    const id = await scene.submit(3000);
    await watch.until(200);
    await scene.gateway.kill();
    await watch.until(3000);
    await scene.gateway.start();
    await until(() => scene.isComplete(id));
    expect(await scene.part(id)).toMatchObject({ sent_probes: 3000, failed_probes: 0 });
    const ports = await watch.ports();
    expect([ports.length, new Set(ports).size]).toEqual([3000, 3000]);
  },
);

test("the check says whether the gateway takes the key, and an id that is another host's is explained", async () => {
  const keys = await scene.ownKeys();
  const [accepted, clock] = await scene.check(keys);
  expect(accepted).toMatch(/^ok +gateway +http.* accepts the agent's key$/);
  expect(clock).toMatch(/^ok +gateway's clock/);
  const [refused] = await scene.check({ ...keys, agent_key: "of-nobody" });
  expect(refused).toMatch(/^problem +gateway .*401 .*see: gateway.agent_key/);
  await (await scene.startAgent(keys)).stop();

  const stranger = await scene.runAgent({ ...keys, agent_secret: "of-another-host" });
  await until(() => stranger.stderr().includes("another host is registered under this id"));
  await scene.gateway.kill();
  const [away] = await scene.check(keys);
  expect(away).toMatch(/^problem +gateway +Cannot reach the gateway/);
});
