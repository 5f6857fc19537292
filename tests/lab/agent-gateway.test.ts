/** An agent and the real gateway: what an operator or a user asks for is what happens on the wire. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import type { AgentInstance } from "../../lib/probing/agent-config.ts";
import type { HealthReport } from "../../lib/probing/agent-report.ts";
import { probesTopic } from "../../lib/wire/target-header.ts";
import { AgentRig, probeRecord, probesTo, type RunningAgent } from "./agent-rig.ts";
import { GatewayRig } from "./gateway-rig.ts";
import { Internet } from "./internet.ts";
import { interfaceTo } from "./routing.ts";
import { internet } from "./topology.ts";
import { WireWatch } from "./wire-watch.ts";

const testMs = 60_000;
const pollMs = 50;
/** What the gateway says acts within it. */
const actMs = 2000;
const source = "10.101.0.7";
const prober = {
  name: "uni",
  interface: interfaceTo("eastAccess"),
  src_ipv4_prefix: "10.101.0.0/24",
  probing_rate: 1000,
};

let net: Internet;
let rig: AgentRig;
let gateway: GatewayRig;
beforeAll(async () => {
  net = await Internet.start(internet);
});
afterAll(() => net.stop());
beforeEach(async () => {
  rig = await AgentRig.open(net);
  gateway = await GatewayRig.open({ net, node: "east", ...rig });
}, testMs);
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

const watchWire = () => WireWatch.start({ net, folder: rig.folder, node: "eastAccess", neighbour: "east" });

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) {
    await Bun.sleep(pollMs);
  }
}

interface ShownAgent {
  readonly online: boolean;
  readonly health: HealthReport | null;
}
interface ShownKeys {
  readonly keys: readonly { readonly key_id: string }[];
}
interface ShownMeasurement {
  readonly measurement_complete: boolean;
  readonly agents: readonly { readonly sent_probes: number; readonly received_replies: number }[];
}

/** Made by the operator, and given its key. */
async function ownKeys(): Promise<object> {
  const made = await gateway.admin<{ agent_key: string }>("POST", "/admin/agents", { id: "east" });
  return { agent_key: made.body.agent_key, agent_secret: "a-secret-of-this-host" };
}

const runAgent = (keys: object): Promise<RunningAgent> =>
  rig.start("east", "east", { prober: [prober], gateway: { url: gateway.url, ...keys } });

async function startAgent(keys: object): Promise<RunningAgent> {
  const agent = await runAgent(keys);
  await until(async () => (await shown()).health?.healthy === true);
  return agent;
}

const shown = async () => (await gateway.user<ShownAgent>("GET", "/api/agent/east")).body;
const detailsOf = async () => (await shown()).health?.details;

async function inForce(): Promise<AgentInstance | undefined> {
  return (await gateway.user<AgentInstance[]>("GET", "/api/agent/east/config")).body[0];
}

/** Each probe has a source port of its own; the first router answers. Returns the measurement's id. */
async function submit(count: number, first = 20_000): Promise<string> {
  const probes = Array.from({ length: count }, (_, i) => ["203.0.113.10", first + i, 33_434, 1, "udp"]);
  const metadata = [{ id: "east", ip_address: source }];
  const { status, body } = await gateway.user<{ id: string; probes: number }>("POST", "/api/probes", {
    metadata,
    probes,
  });
  expect({ status, probes: body.probes }).toEqual({ status: 200, probes: count });
  return body.id;
}

const statusOf = async (id: string) =>
  (await gateway.user<ShownMeasurement>("GET", `/api/measurement/${id}/status`)).body;
const partOf = async (id: string) => (await statusOf(id)).agents[0];
const isComplete = async (id: string) => (await statusOf(id)).measurement_complete;

/** Packets leave, then something is done, and within the time it may take none leaves any more. */
async function expectSilence(watch: WireWatch): Promise<number> {
  await Bun.sleep(actMs);
  const { count } = watch;
  await Bun.sleep(1000);
  expect(watch.count).toBe(count);
  return count;
}

test(
  "it registers, says what is in force and how it is, and a measurement is counted until it is complete",
  async () => {
    const agent = await startAgent(await ownKeys());
    expect(await inForce())?.toMatchObject({
      ...{ name: "uni", probing_rate: 1000, src_ipv4_prefix: "10.101.0.0/24" },
      ...{ paused: false, config_version: 0 },
    });
    await until(async () => (await detailsOf())?.broker?.readable === true);
    const { health, online } = await shown();
    expect(online).toBe(true);
    expect(health?.details).toMatchObject({
      report_interval_ms: 1000,
      capture: { state: "running", dropped: 0 },
      broker: { readable: true, writable: true },
      queues: [{ name: "uni", depth: 0, depth_max: 65_536 }],
    });
    expect(Math.abs(health?.details?.clock?.offset_ms ?? Number.NaN)).toBeLessThan(1500);
    const id = await submit(300);
    await until(() => isComplete(id));
    await until(async () => (await partOf(id))?.received_replies === 300);
    expect(await partOf(id)).toMatchObject({ sent_probes: 300, failed_probes: 0 });
    expect(await agent.stop()).toBe(0);
    expect((await shown()).health).toMatchObject({ healthy: false, message: "The agent was stopped" });
  },
  testMs,
);

test(
  "its rate, its sources and its pause change while it runs; what it cannot do it refuses and says so",
  async () => {
    await startAgent(await ownKeys());
    await using watch = await watchWire();
    const desire = (uni: object) => gateway.admin("PUT", "/admin/agents/east/desired", { uni });
    await desire({ probing_rate: 200 });
    await until(async () => (await inForce())?.probing_rate === 200);
    const slow = await submit(3000);
    await watch.until(100);
    const [slowAtMs, slowCount] = [performance.now(), watch.count];
    await watch.until(slowCount + 400);
    // 400 packets take 2 s at 200/s, and 0.4 s at the file's rate.
    expect(performance.now() - slowAtMs).toBeGreaterThan(1500);

    await desire({ probing_rate: 5000 });
    await until(() => isComplete(slow));
    await desire({ probing_rate: 5000, paused: true });
    await until(async () => (await inForce())?.paused === true);
    await submit(100, 40_000);
    const before = watch.count;
    await expectSilence(watch);
    expect(watch.count).toBe(before);

    await desire({ probing_rate: 30_000_000, src_ipv4_prefix: "10.101.0.0/25" });
    await until(async () => (await inForce())?.src_ipv4_prefix === "10.101.0.0/25");
    const refusal = { instance: "uni", key: "probing_rate", reason: "must be at most 20000000 packets/s" };
    await until(async () => (await detailsOf())?.refused?.length === 1);
    expect((await detailsOf())?.refused).toEqual([refusal]);
    expect((await shown()).health?.message).toContain("refused: uni.probing_rate must be at most");
    expect((await inForce())?.probing_rate).toBe(1000);
    await watch.until(before + 100);
  },
  testMs,
);

test(
  "a cancelled measurement stops within 2 s, ring and records, and the next one is sent",
  async () => {
    await startAgent(await ownKeys());
    await using watch = await watchWire();
    const id = await submit(20_000);
    await watch.until(500);
    expect((await gateway.user("POST", `/api/measurement/${id}/cancel`, {})).status).toBe(200);
    const count = await expectSilence(watch);
    expect(count).toBeLessThan(10_000);
    await until(async () => (await partOf(id))?.sent_probes === count);
    expect(await rig.metric("east", "sender_cancelled_total")).toBeGreaterThan(0);
    const next = await submit(100, 50_000);
    await until(() => isComplete(next));
    expect(watch.count).toBe(count + 100);
  },
  testMs,
);

test(
  "the kill switch and a paused agent send nothing within 2 s, also after a restart without the gateway",
  async () => {
    const keys = await ownKeys();
    const agent = await startAgent(keys);
    await using watch = await watchWire();
    await submit(20_000);
    await watch.until(500);
    await gateway.admin("PATCH", "/admin/agents/east", { paused: true });
    await expectSilence(watch);
    await gateway.admin("PUT", "/admin/kill-switch", { reason: "a test" });
    await gateway.admin("PATCH", "/admin/agents/east", { paused: false });
    const count = await expectSilence(watch);
    expect(JSON.parse(await rig.get("east", "/health")).reasons).toContain(
      "the platform's kill switch is on; nothing is sent",
    );

    await gateway.kill();
    agent.process.kill("SIGKILL");
    await agent.process.exited;
    await runAgent(keys);
    await expectSilence(watch);
    expect(watch.count).toBe(count);
    await gateway.start();
    await gateway.admin("DELETE", "/admin/kill-switch");
    await watch.until(count + 500);
  },
  testMs,
);

test(
  "an enrolment key lets it in once; it comes back with the key that it kept, and a revoked one it explains",
  async () => {
    const made = await gateway.admin<{ enrolment_key: string }>("POST", "/admin/enrolment-keys", {
      label: "lab",
    });
    const keys = { enrolment_key: made.body.enrolment_key };
    const first = await startAgent(keys);
    expect(await first.stop()).toBe(0);
    const path = join(rig.stateDir("east"), "gateway-credentials.json");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const second = await startAgent(keys);

    const [key] = (await gateway.admin<ShownKeys>("GET", "/admin/agents/east")).body.keys;
    await gateway.admin("DELETE", `/admin/agents/east/keys/${key?.key_id}`);
    await until(() => second.stderr().includes("The key was revoked"));
    expect(second.stderr()).toContain("see: gateway.agent_key");
    expect(JSON.parse(await rig.get("east", "/health"))).toEqual({
      status: "degraded",
      reasons: ["the gateway cannot be reached, or does not accept this agent"],
    });
    expect(await rig.metric("east", "gateway_refusals_total")).toBeGreaterThan(0);
  },
  testMs,
);

test(
  "a gateway that is killed and comes back finds the counts it missed, and each probe was sent once",
  async () => {
    await startAgent(await ownKeys());
    await using watch = await watchWire();
    const id = await submit(3000);
    await watch.until(200);
    await gateway.kill();
    await watch.until(3000);
    await gateway.start();
    await until(() => isComplete(id));
    expect(await partOf(id)).toMatchObject({ sent_probes: 3000, failed_probes: 0 });
    const ports = await watch.ports();
    expect([ports.length, new Set(ports).size]).toEqual([3000, 3000]);
  },
  testMs,
);

test(
  "what is on the gateway's blocklist is not sent, also not from records that it did not see",
  async () => {
    await startAgent(await ownKeys());
    await gateway.admin("POST", "/admin/blocklist", {
      prefix: "203.0.113.10/32",
      reason: "asked by its owner",
    });
    await until(async () => (await rig.metric("east", "gateway_blocklist_fetches_total")) > 1);
    const probes = probesTo("203.0.113.10", { ports: [20_000, 20_001], ttls: [1] });
    await rig.broker.publish(probesTopic, [probeRecord("east", { measurementId: "direct" }, probes)]);
    await until(async () => (await rig.metric("east", "probes_blocked_total")) === 2);
    expect(await rig.metric("east", "sender_sent_total")).toBe(0);
  },
  testMs,
);
