/** An agent's host on its own machine: its pause and limits hold on the wire, and users and operators see why. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { hostPauseGraceMs } from "../../apps/probing/agent/limits.ts";
import { until } from "../run/until.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { GatewayScene } from "./gateway-scene.ts";
import { Internet } from "./internet.ts";
import { internet } from "./topology.ts";

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

interface Shown {
  readonly held_by_host: string | null;
}

interface Part extends Shown {
  readonly status: string;
  readonly error: string | null;
  readonly sent_probes: number;
}

async function host(action: "status" | "pause" | "resume", ...more: string[]): Promise<string> {
  const command = [...vantageCommand, "agent", action, "--config", `${scene.rig.folder}/east.yaml`, ...more];
  const child = Bun.spawn(scene.rig.at("east", command), { stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return await child.exited.then((code) => (code === 0 ? out : `${code}: ${out}${err}`));
}

const agent = async () => (await scene.gateway.user<Shown>("GET", "/api/agent/east")).body;
const part = async (id: string) => {
  const { body } = await scene.gateway.user<{ agents: Part[] }>("GET", `/api/measurement/${id}/status`);
  return body.agents[0];
};
const refusal = async () => {
  const probes = [["203.0.113.10", 20_000, 33_434, 1, "udp"]];
  const metadata = [{ id: "east", ip_address: "10.101.0.7" }];
  type Answer = { readonly rejected: readonly { readonly reason: string }[] };
  return (await scene.gateway.user<Answer>("POST", "/api/probes", { metadata, probes })).body.rejected[0]
    ?.reason;
};

test("paused by its host, also over a restart, it sends nothing, is listed so, and takes nothing new", async () => {
  const keys = await scene.ownKeys();
  const running = await scene.startAgent(keys);
  await using watch = await scene.watch();
  const id = await scene.submit(20_000);
  await watch.until(500);
  expect(await host("pause")).toBe("east is paused: nothing is sent\n");
  await until(async () => (await agent()).held_by_host === "paused by its host");
  const [listed] = (await scene.gateway.admin<Shown[]>("GET", "/admin/agents")).body;
  expect(listed?.held_by_host).toBe("paused by its host");
  expect(await refusal()).toBe("the agent is paused by its host");
  expect((await part(id))?.held_by_host).toBe("paused by its host");

  expect(await running.stop()).toBe(0);
  // Paused for longer than a measurement waits.
  const long = new Date(Date.now() - 2 * hostPauseGraceMs);
  utimesSync(join(scene.rig.stateDir("east"), "paused-by-host"), long, long);
  await scene.startAgent(keys);
  await until(async () => (await agent()).held_by_host === "paused by its host");
  const before = watch.count;
  await until(async () => (await scene.rig.metric("east", "held_by_host")) === 1);
  await until(async () => (await part(id))?.status === "failed");
  expect(await part(id)).toMatchObject({ error: "The agent is paused by its host", held_by_host: null });
  expect(watch.count).toBe(before);
  expect(await scene.rig.metric("east", "measurements_refused_by_host_total")).toBe(1);

  expect(await host("resume")).toBe("east is not paused any more\n");
  await until(async () => (await agent()).held_by_host === null);
  const next = await scene.submit(100, 50_000);
  await until(() => scene.isComplete(next));
  // The agent writes its figures every 2 s.
  const shown = async () => JSON.parse(await host("status", "-o", "json"));
  await until(async () => (await shown()).measurements[0].sent_probes === 100);
  const status = await shown();
  expect(status).toMatchObject({ agent: "east", running: true, paused_since: null, reasons: [] });
  expect(status.measurements[0]).toMatchObject({ measurement_id: next, sources: ["10.101.0.7"] });
  // What the wire has seen is what the host is shown.
  await watch.until(status.days[0].packets);
  expect(watch.count).toBe(status.days[0].packets);
});

test("a limit of the day is never exceeded, and the rest of a measurement ends with the reason", async () => {
  await scene.startAgent(await scene.ownKeys(), { probes_per_day: 300 });
  await using watch = await scene.watch();
  const id = await scene.submit(1000);
  await until(async () => (await part(id))?.status === "failed");
  expect((await part(id))?.error).toStartWith("The agent is at its host's limit of 300 probes a day until ");
  await until(async () => (await part(id))?.sent_probes === 300);
  await watch.until(300);
  expect(watch.count).toBe(300);
  // The gateway learns of it by the agent's next report.
  await until(async () => (await agent()).held_by_host !== null);
  expect(await refusal()).toStartWith("the agent is at its host's limit of 300 probes a day until ");
  expect(await host("status")).toContain("300 probes a day (300 sent today)");
});
