/** `vantage exchange` as it is run, with a real BIRD to check by. */
import { afterAll, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { birdVersionOf, isUpToDate } from "../../../lib/peering/bird/version.ts";
import { birds, debianBird, newerBirds, type TestBird } from "../../exchange/birds.ts";
import { runToEnd } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";

const root = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "vantage-exchange-command-"));
const golden = readFileSync(join(root, "tests/golden/exchange/large.yaml"), "utf8");
afterAll(() => rmSync(folder, { recursive: true }));

beforeEach(() => {
  const here = golden
    .replace(/policy_file: .*/, `policy_file: ${folder}/peering_generated.conf`)
    .replace(/tunnel_device: .*/, "tunnel_device: lo");
  writeFileSync(join(folder, "exchange.yaml"), here);
});

function run(...args: string[]) {
  return runWith(debianBird, ...args);
}

/** As on a machine with this BIRD. */
async function runWith({ program }: TestBird, ...args: string[]) {
  const command = [...vantageCommand, "exchange", ...args];
  const env = { ...process.env, PATH: `${dirname(program)}:${process.env.PATH}` };
  const { stdout, stderr, exitCode: code } = await runToEnd(command, { cwd: folder, env });
  return { code, stdout, stderr };
}

test("check says what is missing and what to do; after render all is good", async () => {
  const before = await run("check", "-c", "exchange.yaml", "--installed", "bird.conf");
  expect(before.code).toBe(1);
  expect(before.stdout).toContain("BAD   bird.conf is missing: run vantage exchange render");
  const rendered = await run("render", "-c", "exchange.yaml", "--out", ".");
  expect(rendered.stdout.split("\n").filter((line) => line.startsWith("wrote "))).toHaveLength(4);
  const after = await run("check", "-c", "exchange.yaml", "--installed", "bird.conf");
  expect([after.code, after.stdout.includes("BAD")]).toEqual([0, false]);
  expect(statSync(join(folder, "bird.conf")).mode & 0o777).toBe(0o640);
});

test("render leaves the generator's policy alone", async () => {
  const policy = join(folder, "peering_generated.conf");
  writeFileSync(policy, "# the generator's\n");
  await run("render", "-c", "exchange.yaml", "--out", ".");
  expect(readFileSync(policy, "utf8")).toBe("# the generator's\n");
});

test("check finds a policy that BIRD cannot read, in BIRD's own words", async () => {
  writeFileSync(join(folder, "peering_generated.conf"), "no policy;\n");
  const { code, stdout } = await run("check", "-c", "exchange.yaml");
  expect(code).toBe(1);
  expect(stdout).toContain(`${folder}/peering_generated.conf:1:1 syntax error`);
});

test.each(birds)("check says what BIRD $version is good for", async (bird) => {
  const { version } = bird;
  const isGood = isUpToDate(birdVersionOf(version) ?? [0, 0, 0]);
  const settings = golden.replace("exchange:\n", `exchange:\n  bird_version: "${version}"\n`);
  writeFileSync(join(folder, "exchange.yaml"), settings);
  const { stdout } = await runWith(bird, "check", "-c", "exchange.yaml");
  expect(stdout).toContain(
    isGood ? `BIRD ${version} has no known vulnerability` : `warn  BIRD ${version} has known holes`,
  );
  const isRefused = version.startsWith("3.");
  expect(stdout.includes(`warn  BIRD ${version} is not supported on an exchange server`)).toBe(isRefused);
  expect(stdout).toContain("BIRD reads the configuration");
  expect(stdout.includes("passes on attributes")).toBe(version === debianBird.version);
  expect(stdout).not.toContain("exchange.bird_version is");
});

test.each(newerBirds)("check says that BIRD $version can do more than its configuration", async (bird) => {
  const { stdout } = await runWith(bird, "check", "-c", "exchange.yaml");
  expect(stdout).toContain(
    `warn  exchange.bird_version is ${debianBird.version}, BIRD here is ${bird.version}`,
  );
});

test("render without --out prints BIRD's configuration", async () => {
  const { code, stdout } = await run("render", "-c", "exchange.yaml");
  expect([code, stdout.startsWith("# BIRD on an exchange server.")]).toEqual([0, true]);
});

test("status without a generator says what to do", async () => {
  const { code, stderr } = await run("status", "--url", "http://127.0.0.1:1");
  expect(code).toBe(1);
  expect(stderr).toContain("nothing listens there; is the policy generator running?");
});

test.each([
  [[], "COMMAND is missing: give one of render, check, status"],
  [["sing"], 'There is no command "sing"'],
  [["check"], "--config is missing"],
  [["status", "--out", "x"], 'There is no option "--out"'],
  [["status", "-o", "xml"], "is not one of table"],
])("%j is wrong usage", async (args, said) => {
  const { code, stderr } = await run(...args);
  expect([code, stderr.includes(said)]).toEqual([2, true]);
});
