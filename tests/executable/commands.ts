/** Every command of the executable does its work without Bun: templates, SQL, pages and WebAssembly are inside. */
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exchangeDevice, Tailscaled } from "../contract/bootstrap/tailscaled.ts";
import { embeddedHome } from "../postgres/embedded.ts";
import { alone, folder, run } from "./built.ts";
import { saidBy } from "./said-by.ts";

const golden = join(import.meta.dirname, "../golden");

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test("every command loads, and explains itself", async () => {
  const { stdout } = await run(alone(["--help"]));
  const names = [...stdout.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(25);
  const help = await Promise.all(names.map((name) => run(alone([name, "--help"]))));
  expect(help.map(({ exitCode, stderr }) => `${exitCode}${stderr}`)).toEqual(names.map(() => "0"));
  for (const [i, { stdout: text }] of help.entries()) {
    expect(text).toStartWith(`vantage ${names[i]}`);
  }
});

test("agent check looks at everything; client gives the agent's broker probe lines", async () => {
  const broker = `kafka: {brokers: "embedded:${join(folder, "checked")}"}`;
  const agent = `agent: {id: west, state_dir: ${folder}}\nprober: [{interface: lo, dry_run: true}]\n${broker}\n`;
  const checked = await run(alone(["agent", "check", "-c", write("checked.yaml", agent)]));
  expect(checked.exitCode, checked.stdout + checked.stderr).toBe(0);
  expect(checked.stdout).toMatch(/broker +embedded:/);
  const submit = ["client", "--no-wait", "-o", "json", "-c", write("client.yaml", broker), "west"];
  const lines = (await run(alone(["probes", "--ttl", "1-3", "192.0.2.1"]))).stdout;
  const sent = await run(alone(submit), lines);
  expect(sent.exitCode, sent.stderr).toBe(0);
  expect(JSON.parse(sent.stdout)).toMatchObject({ probes: lines.trim().split("\n").length });
});

test("a gateway serves its API and pages on a database inside the executable", async () => {
  using home = await embeddedHome();
  const section = `{address: "127.0.0.1:0", state_dir: ${join(folder, "gateway")}, bypass_authentication: true}`;
  const text = `gateway: ${section}\ndatabase: {address: "${home.address}"}\n`;
  const config = write("gateway.yaml", text);
  await using gateway = Bun.spawn(alone(["probing-gateway", "-c", config]), {
    stdout: "ignore",
    stderr: "pipe",
  });
  const url = await saidBy(gateway.stderr, /"url":"([^"]+)\/"/);
  const me = await fetch(`${url}/api/user/me`);
  expect([me.status, await me.json()]).toMatchObject([200, { submission_count: 0 }]);
  expect(await (await fetch(`${url}/docs`)).text()).toContain("<html");
  gateway.kill("SIGTERM");
  expect(await gateway.exited).toBe(0);
});

test("exchange renders the configuration of its golden file", async () => {
  const { stdout, stderr, exitCode } = await run(
    alone(["exchange", "render", "-c", join(golden, "exchange/small.yaml")]),
  );
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(stdout).toBe(readFileSync(join(golden, "exchange/small.conf"), "utf8"));
});

test.each(["bird", "frr"])("bootstrap renders the configuration of %s", async (daemon) => {
  await using vpn = new Tailscaled(join(folder, `${daemon}.sock`), [exchangeDevice(1)]);
  const config = write(
    "bootstrap.yaml",
    `platform: {asn: 64500}\nvpn: {socket: ${vpn.socket}}\nbootstrap: {state_dir: ${folder}}\n`,
  );
  const environment = { USER_ASN: "65011", USER_PREFIXES: "2001:db8:1000::/48" };
  const command = alone(["bootstrap", "render", "--daemon", daemon, "-c", config], environment);
  const { stdout, stderr, exitCode } = await run(command);
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("65011");
  expect(stdout).toContain("2001:db8:1000::/48");
});
