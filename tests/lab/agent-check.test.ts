/** `vantage agent check`: a host that has everything, and one that lacks something of each kind. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runToEnd } from "../run/said.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { Internet } from "./internet.ts";
import { run } from "./namespaces.ts";
import { interfaceTo } from "./routing.ts";
import { internet } from "./topology.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-check-"));

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(internet);
});
afterAll(async () => {
  await net.stop();
  rmSync(folder, { recursive: true, force: true });
});

const uplink = interfaceTo("eastAccess");

async function check(config: object, wrapper: readonly string[] = []) {
  const path = join(folder, "agent.yaml");
  writeFileSync(path, JSON.stringify({ kafka: { brokers: `embedded:${folder}/broker` }, ...config }));
  const command = [...wrapper, ...vantageCommand, "agent", "check", "--config", path];
  const { stdout, stderr, exitCode } = await runToEnd(net.at("east", command));
  const lines = stdout.trim().split("\n");
  const problems = lines
    .filter((line) => line.startsWith("problem"))
    .map((line) => line.replaceAll(/\s+/g, " "));
  return { exitCode, lines, problems, stderr };
}

const agent = { id: "east", state_dir: join(folder, "state") };
const good = { interface: uplink, src_ipv4_prefix: "10.101.0.0/24", src_ipv6_prefix: "2001:db8:e000::/48" };

test("all is well where all is well", async () => {
  const { exitCode, lines, problems, stderr } = await check({ agent, prober: [good] });
  expect({ exitCode, problems, stderr }).toEqual({ exitCode: 0, problems: [], stderr: "" });
  expect(lines.length).toBeGreaterThan(8);
  // A folder or log that root created here could not be used by the agent's user.
  expect(["state", "broker"].filter((name) => existsSync(join(folder, name)))).toEqual([]);
});

test("what it writes into an existing state folder belongs to the folder's owner", async () => {
  const path = join(folder, "of another");
  const nobody = 65_534;
  mkdirSync(path);
  chownSync(path, nobody, nobody);
  chmodSync(folder, 0o755);
  const { problems } = await check({ agent: { id: "east", state_dir: path }, prober: [good] });
  expect(problems).toEqual([]);
  expect(readdirSync(path).map((name) => statSync(join(path, name)).uid)).toEqual([nobody]);
});

test("a prefix that would be sent back up the default route is found, with the command that helps", async () => {
  const inNamespace = (...args: string[]) => run(net.at("east", ["ip", ...args]));
  const prober = [{ interface: uplink, src_ipv6_prefix: "2001:db8:dddd::/48" }];
  const bad = await check({ agent, prober });
  expect(bad.exitCode).toBe(1);
  const command = "ip -6 route add blackhole 2001:db8:dddd::/48";
  expect(bad.problems).toEqual([
    `problem source of prober0 answers to 2001:db8:dddd::/48 would go back to ${uplink}: ${command}`,
  ]);
  await inNamespace("-6", "route", "add", "blackhole", "2001:db8:dddd::/48");
  expect((await check({ agent, prober })).problems).toEqual([]);
});

test.each([
  [
    "an interface that is not there",
    { agent, prober: [{ ...good, interface: "eth9" }] },
    "there is no eth9 (see: ip link)",
  ],
  [
    "an interface that is not there, and no prefixes",
    { agent, prober: [{ interface: "eth9" }] },
    "eth9 is not there (see: ip link)",
  ],
  [
    "a list that is not there",
    { agent: { ...agent, blocklist_file: "/nonexistent" }, prober: [good] },
    "Cannot read the list /nonexistent: there is no such file",
  ],
  [
    "a state folder that cannot be made",
    { agent: { id: "e", state_dir: "/proc/none" }, prober: [good] },
    "Cannot use the folder /proc/none: there is no such file",
  ],
  [
    "a broker that is not there",
    { agent, prober: [good], kafka: { brokers: "embedded:/proc/none" } },
    "problem broker embedded:/proc/none",
  ],
])("%s is a problem", async (_, config, problem) => {
  const { exitCode, problems } = await check(config);
  expect([exitCode, problems.length]).toEqual([1, 1]);
  expect(problems[0]).toContain(problem);
});

test("a neighbour that does not answer is a problem", async () => {
  const dead = "192.0.2.5";
  await run(net.at("east", ["ip", "route", "add", "198.18.0.0/15", "via", dead, "dev", uplink]));
  const { problems } = await check({ agent, prober: [good] });
  expect(problems).toEqual([
    `problem IPv4 gateways of prober0 ${dead} does not answer on ${uplink}; is it up, and on this link?`,
  ]);
  await run(net.at("east", ["ip", "route", "del", "198.18.0.0/15"]));
});

test("a missing privilege is a problem, unless nothing is sent", async () => {
  const without = ["setpriv", "--bounding-set", "-net_raw", "--inh-caps", "-net_raw"];
  const { problems } = await check({ agent, prober: [good] }, without);
  expect(problems).toEqual([
    "problem capability no CAP_NET_RAW: run as root, or grant it (setcap cap_net_raw+ep FILE)",
  ]);
  const dry = await check({ agent, prober: [{ ...good, dry_run: true }] }, without);
  expect([dry.exitCode, dry.problems]).toEqual([0, []]);
});

test("a wrong configuration ends with 2 and says where", async () => {
  const { exitCode, stderr } = await check({ agent, prober: [{ probing_rat: 5 }] });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('prober.0.probing_rat: unknown key; did you mean "probing_rate"?');
});

test("the doctor says the same, and that capture does not work and the agent does not run", async () => {
  const path = join(folder, "agent.yaml");
  const kafka = { brokers: `embedded:${folder}/broker` };
  writeFileSync(path, JSON.stringify({ agent, prober: [good], kafka }));
  const without = ["setpriv", "--bounding-set", "-net_raw", "--inh-caps", "-net_raw"];
  const command = [...without, ...vantageCommand, "doctor", "agent", "-c", path, "-o", "json"];
  const child = Bun.spawn(net.at("east", command), { stdout: "pipe", stderr: "inherit" });
  const findings = JSON.parse(await new Response(child.stdout).text()) as Record<string, string>[];
  expect(await child.exited).toBe(1);
  const bad = findings.filter(({ level }) => level !== "ok");
  expect(bad.map(({ level, what, found }) => `${level} ${what}: ${found}`)).toEqual([
    "fail capability: no CAP_NET_RAW: run as root, or grant it (setcap cap_net_raw+ep FILE)",
    expect.stringMatching(/^fail capture on \S+: .*it needs CAP_NET_RAW/),
    "fail agent: http://127.0.0.1:8080/health does not answer: nothing listens there",
  ]);
});
