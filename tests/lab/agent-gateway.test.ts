/** An agent and the real gateway: what an operator or a user asks for is what happens on the wire. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { probesTopic } from "../../lib/net/wire/target-header.ts";
import { until } from "../run/until.ts";
import { probeRecord, probesTo } from "./agent-rig.ts";
import { GatewayScene } from "./gateway-scene.ts";
import { Internet } from "./internet.ts";
import { internet } from "./topology.ts";
import type { WireWatch } from "./wire-watch.ts";

/** An agent that is held up by others' work on the machine is not silent for so long. */
const quietMs = 2000;

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

/** Until nothing leaves any more. Returns what had left by then. */
async function untilSilent(watch: WireWatch): Promise<number> {
  for (let before = -1; ; ) {
    const { count } = watch;
    if (count === before) {
      return count;
    }
    before = count;
    await Bun.sleep(quietMs);
  }
}

test("it registers, says what is in force and how it is, and a measurement is counted until it is complete", async () => {
  const agent = await scene.startAgent(await scene.ownKeys());
  expect(await scene.inForce())?.toMatchObject({
    ...{ name: "uni", probing_rate: 1000, src_ipv4_prefix: "10.101.0.0/24" },
    ...{ paused: false, config_version: 0 },
  });
  await until(async () => (await scene.details())?.broker?.readable === true);
  const { health, online } = await scene.shown();
  expect(online).toBe(true);
  expect(health?.details).toMatchObject({
    report_interval_ms: 1000,
    capture: { state: "running", dropped: 0 },
    broker: { readable: true, writable: true },
    queues: [{ name: "uni", depth: 0, depth_max: 65_536 }],
  });
  // One machine, one clock. The first answer is what the second report compares.
  await until(async () => ((await scene.details())?.clock?.within_ms ?? null) !== null);
  const { offset_ms: offsetMs, within_ms: withinMs } = (await scene.details())?.clock ?? {};
  expect(Math.abs(offsetMs ?? Number.NaN)).toBeLessThanOrEqual(withinMs ?? 0);
  const id = await scene.submit(300);
  await until(() => scene.isComplete(id));
  await until(async () => (await scene.part(id))?.received_replies === 300);
  expect(await scene.part(id)).toMatchObject({ sent_probes: 300, failed_probes: 0 });
  expect(await agent.stop()).toBe(0);
  expect((await scene.shown()).health).toMatchObject({ healthy: false, message: "The agent was stopped" });
});

test("its rate, its sources and its pause change while it runs; what it cannot do it refuses and says so", async () => {
  await scene.startAgent(await scene.ownKeys());
  await using watch = await scene.watch();
  await scene.desire({ probing_rate: 200 });
  await until(async () => (await scene.inForce())?.probing_rate === 200);
  const slow = await scene.submit(3000);
  await watch.until(100);
  const [slowAtMs, slowCount] = [performance.now(), watch.count];
  await watch.until(slowCount + 400);
  // 400 packets take 2 s at 200/s, and 0.4 s at the file's rate.
  expect(performance.now() - slowAtMs).toBeGreaterThan(1500);

  await scene.desire({ probing_rate: 5000 });
  await until(() => scene.isComplete(slow));
  await scene.desire({ probing_rate: 5000, paused: true });
  await until(async () => (await scene.inForce())?.paused === true);
  await scene.submit(100, 40_000);
  const before = watch.count;
  await untilSilent(watch);
  expect(watch.count).toBe(before);

  await scene.desire({ probing_rate: 30_000_000, src_ipv4_prefix: "10.101.0.0/25" });
  await until(async () => (await scene.inForce())?.src_ipv4_prefix === "10.101.0.0/25");
  const refusal = { instance: "uni", key: "probing_rate", reason: "must be at most 20000000 packets/s" };
  await until(async () => (await scene.details())?.refused?.length === 1);
  expect((await scene.details())?.refused).toEqual([refusal]);
  expect((await scene.shown()).health?.message).toContain("refused: uni.probing_rate must be at most");
  expect((await scene.inForce())?.probing_rate).toBe(1000);
  await watch.until(before + 100);
});

test("a cancelled measurement stops, ring and records, and the next one is sent", async () => {
  await scene.startAgent(await scene.ownKeys());
  await using watch = await scene.watch();
  const id = await scene.submit(20_000);
  await watch.until(500);
  expect((await scene.gateway.user("POST", `/api/measurement/${id}/cancel`, {})).status).toBe(200);
  const count = await untilSilent(watch);
  expect(count).toBeLessThan(10_000);
  await until(async () => (await scene.part(id))?.sent_probes === count);
  expect(await scene.rig.metric("east", "sender_cancelled_total")).toBeGreaterThan(0);
  const next = await scene.submit(100, 50_000);
  await until(() => scene.isComplete(next));
  // The watch reads behind the wire.
  await watch.until(count + 100);
  expect(watch.count).toBe(count + 100);
});

test("the kill switch and a paused agent send nothing, also after a restart without the gateway", async () => {
  const keys = await scene.ownKeys();
  const agent = await scene.startAgent(keys);
  await using watch = await scene.watch();
  await scene.submit(20_000);
  await watch.until(500);
  await scene.gateway.admin("PATCH", "/admin/agents/east", { paused: true });
  await untilSilent(watch);
  await scene.gateway.admin("PUT", "/admin/kill-switch", { reason: "a test" });
  await scene.gateway.admin("PATCH", "/admin/agents/east", { paused: false });
  const count = await untilSilent(watch);
  expect(JSON.parse(await scene.rig.get("east", "/health")).reasons).toContain(
    "the platform's kill switch is on; nothing is sent",
  );

  await scene.gateway.kill();
  agent.process.kill("SIGKILL");
  await agent.process.exited;
  await scene.runAgent(keys);
  await untilSilent(watch);
  expect(watch.count).toBe(count);
  await scene.gateway.start();
  await scene.gateway.admin("DELETE", "/admin/kill-switch");
  await watch.until(count + 500);
});

test("what is on the gateway's blocklist is not sent, also not from records that it did not see", async () => {
  await scene.startAgent(await scene.ownKeys());
  const fetches = () => scene.rig.metric("east", "gateway_blocklist_fetches_total");
  // The first list may come after the first report.
  await until(async () => (await fetches()) > 0);
  const before = await fetches();
  await scene.gateway.admin("POST", "/admin/blocklist", {
    prefix: "203.0.113.10/32",
    reason: "asked by its owner",
  });
  await until(async () => (await fetches()) > before);
  const probes = probesTo("203.0.113.10", { ports: [20_000, 20_001], ttls: [1] });
  await scene.rig.broker.publish(probesTopic, [probeRecord("east", { measurementId: "direct" }, probes)]);
  await until(async () => (await scene.rig.metric("east", "probes_blocked_total")) === 2);
  expect(await scene.rig.metric("east", "sender_sent_total")).toBe(0);
});
