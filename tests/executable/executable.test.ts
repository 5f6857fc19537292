/** The one executable does its work where there is no Bun: empty PATH, empty environment, another folder. */
import "./built.ts";
import "./commands.ts";
import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inNamespace } from "../lab/namespaces.ts";
import { alone, executable, folder, run } from "./built.ts";
import { saidBy } from "./said-by.ts";
import { hops, TwoHops } from "./two-hops.ts";

const traceLimitMs = 30_000;
/** Namespaces and raw sockets. */
const asRoot = test.skipIf(process.getuid?.() !== 0);

test("it says its version and the commit it was made from", async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
  const { stdout, exitCode } = await run(alone(["--version"]));
  expect(exitCode).toBe(0);
  expect(stdout).toContain(version);
  if (existsSync(join(import.meta.dirname, "../../.git"))) {
    expect(stdout).toMatch(/\b[0-9a-f]{12}\b/);
  }
});

test("it carries no path of the machine that built it", () => {
  const root = join(import.meta.dirname, "../..");
  expect(readFileSync(executable).includes(`${root}/`)).toBe(false);
});

test("it runs an agent with all its workers, until SIGTERM", async () => {
  const file = join(folder, "agent.yaml");
  writeFileSync(
    file,
    `agent: {id: west, state_dir: ${join(folder, "state")}, metrics_address: "127.0.0.1:0"}
prober: [{name: one, interface: lo, dry_run: true}]
gateway: {url: "http://127.0.0.1:1", enrolment_key: of-sixteen-or-more-characters}
kafka: {brokers: "embedded:${join(folder, "broker")}"}
`,
  );
  await using agent = Bun.spawn(alone(["agent", "--config", file]), { stdout: "pipe", stderr: "pipe" });
  const url = await saidBy(agent.stdout, /(http:\S+metrics)/);
  const metrics = await (await fetch(url)).text();
  const up = [...metrics.matchAll(/^vantage_agent_worker_up\{worker="([^"]+)".*\} 1$/gm)];
  expect(up.map(([, worker]) => worker)).toEqual([
    ...["sender one", "consumer", "producer", "gateway client", "recorder"],
  ]);
  agent.kill("SIGTERM");
  expect(await agent.exited).toBe(0);
});

for (const family of [4, 6] as const) {
  for (const protocol of ["udp", "icmp", "tcp"]) {
    asRoot(
      `it traces two hops with ${protocol} over IPv${family}, workers and WebAssembly inside`,
      async () => {
        using path = await TwoHops.make();
        const [first, target] = hops[family];
        const args = ["trace", "-p", protocol, "--flows", "1", "-q", "1", target];
        const { stdout, stderr, exitCode } = await run(inNamespace(path.vantagePoint, alone(args)));
        expect(exitCode, `${stdout}${stderr}`).toBe(0);
        // Hop, mark, address, loss, best RTT.
        const found = [...stdout.matchAll(/^ +(\d+) +\S +(\S+) +0 % +\d+\.\d+/gm)];
        expect(found.map(([, hop, address]) => [Number(hop), address])).toEqual([
          [1, first],
          [2, target],
        ]);
      },
      traceLimitMs,
    );
  }
}
