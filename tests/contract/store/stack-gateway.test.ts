/** `vantage stack` with its gateway: log in, let an agent in, measure; what is left when the gateway dies. */
import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { readAgentConfig } from "../../../apps/probing/agent/config/config.ts";
import { deviceLogin } from "../../issuer/device-login.ts";
import { until } from "../../run/until.ts";
import { Folder, Part } from "./processes.ts";

function start(folder: Folder, ...more: readonly string[]): Promise<Part> {
  const places = ["listen", "gateway-listen", "peering-listen"].map((name) => `--${name}=127.0.0.1:0`);
  return Part.start("--dir", folder.below("data"), ...places, "--issuer-port", "0", ...more);
}

function printed(stack: Part, name: string): string {
  const line = stack.said.find((one) => one.trim().startsWith(`${name} `));
  return line?.trim().split(/\s+/)[1] ?? "";
}

async function secret(folder: Folder, name: string): Promise<string> {
  const path = folder.below(`data/gateway/${name}`);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  return readFileSync(path, "utf8").trim();
}

test("anybody logs in, agents come in by the key, probes go to the store, and a gateway that dies comes back", async () => {
  using folder = new Folder();
  await using stack = await start(folder);
  await until(() => printed(stack, "metrics") !== "");
  const gateway = printed(stack, "gateway");
  const call = (path: string, token: string, init: RequestInit = {}) =>
    fetch(gateway + path, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } });
  const post = async (path: string, token: string, body: unknown) => {
    const headers = { "content-type": "application/json" };
    const answer = await call(path, token, { method: "POST", body: JSON.stringify(body), headers });
    expect(answer.status).toBe(200);
    return answer;
  };

  const { access_token: token } = await deviceLogin(printed(stack, "issuer"), "anna");
  expect(await (await call("api/user/me", token)).json()).toMatchObject({ used: 0, limit: 100_000_000 });
  const peering = `${printed(stack, "peering")}api/announcements`;
  const announcements = await fetch(peering, { headers: { authorization: `Bearer ${token}` } });
  expect(await announcements.json()).toMatchObject({ budget: { left: 600, prefix_minutes: 0 } });

  const secrets = { id: "west", secret: "a secret of the host" };
  const enrolment = await secret(folder, "enrolment.key");
  const registered = await (await post("agent-api/agent/register", enrolment, secrets)).json();
  const key = (registered as { agent_key: string }).agent_key;
  await post("agent-api/agent/west/config", key, [{ name: "one", src_ipv4_prefix: "192.0.2.0/24" }]);
  await post("agent-api/agent/west/health", key, { healthy: true, message: null, details: {} });

  const submitted = await call("api/probes?agents=west", token, {
    method: "POST",
    headers: { "content-type": "text/csv" },
    body: "8.8.8.8,24000,33434,1,udp\n8.8.8.8,24000,33434,2,udp\n",
  });
  expect(submitted.status).toBe(200);
  const { id } = (await submitted.json()) as { id: string };
  await until(async () => {
    const rows = (await (await call(`api/measurements/${id}/probes`, token)).json()) as unknown[];
    return rows.length === 2;
  });

  const admin = await secret(folder, "admin.key");
  expect((await call("admin/users", admin)).status).toBe(200);

  const children = await Bun.file(`/proc/${stack.process.pid}/task/${stack.process.pid}/children`).text();
  const pids = children.trim().split(" ").map(Number);
  const isGateway = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("\0gateway\0");
  process.kill(pids.find(isGateway) ?? 0, "SIGKILL");
  const health = async () => (await (await fetch(printed(stack, "health"))).json()) as { status: string };
  await until(async () => (await health()).status === "degraded");
  await until(async () => (await health()).status === "ok");
  expect(stack.said).toContain("gateway ended with SIGKILL; starting it again in 250 ms");
  stack.process.kill("SIGTERM");
  expect(await stack.ended()).toBe(0);
});

test("what it prints can be opened and pasted, and it says nothing that is for machines", async () => {
  using folder = new Folder();
  await using stack = await start(folder);
  await until(() => stack.said.includes("END"));
  await deviceLogin(printed(stack, "issuer"), "anna");
  const titleAt = async (name: string) =>
    /<title>(.*)<\/title>/.exec(await (await fetch(printed(stack, name))).text())?.[1];
  expect([await titleAt("issuer"), await titleAt("peering")]).toEqual(["Log in", "Vantage peering gateway"]);

  const begin = stack.said.findIndex((line) => line.startsWith("cat >agent.yaml"));
  const pasted = stack.said.slice(begin, stack.said.indexOf("END") + 1).join("\n");
  Bun.spawnSync(["sh", "-c", pasted], { cwd: folder.path });
  const file = readFileSync(folder.below("agent.yaml"), "utf8");
  expect(file).toContain(`  enrolment_key: "${await secret(folder, "enrolment.key")}"\n`);
  const config = readAgentConfig({ name: "agent.yaml", text: file }, {});
  expect(config.gateway?.url).toBe(printed(stack, "gateway").replace(/\/$/, ""));

  expect(stack.said.filter((line) => /\{"at"|Deprecation/.test(line))).toEqual([]);
});
