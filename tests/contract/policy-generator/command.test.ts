/** `vantage policy-generator` as it is run: once, dry, and until a signal. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { grantsOf } from "../../exchange/granted.ts";
import { sampleUser } from "../../exchange/samples.ts";
import { until } from "../../exchange/until.ts";
import { saidBy } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { GeneratorHome } from "./generator-home.ts";

let home: GeneratorHome;
beforeEach(async () => {
  home = await GeneratorHome.open([sampleUser(1), sampleUser(2)]);
  writeFileSync(join(home.folder, "generator.yaml"), home.config());
});
afterEach(async () => {
  await home[Symbol.asyncDispose]();
});

function start(...options: string[]) {
  const command = [...vantageCommand, "policy-generator", "-c", "generator.yaml", ...options];
  return Bun.spawn(command, { cwd: home.folder, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
}

async function run(...options: string[]) {
  const child = start(...options);
  const { stdout, stderr, exitCode: code } = await saidBy(child);
  return { code, stdout, stderr };
}

test("--dry-run shows what would change, and changes nothing", async () => {
  const before = home.text();
  const { code, stdout } = await run("--dry-run");
  expect(code).toBe(0);
  expect(stdout).toContain("+    if !(net ~ [ 2001:db8:1::/48 ]) then reject;");
  expect(home.text()).toBe(before);
  expect(existsSync(join(home.folder, "state"))).toBe(false);
});

test("--once puts the policy into force and ends; a second time nothing would change", async () => {
  expect((await run("--once")).code).toBe(0);
  expect(grantsOf(home.text())).toHaveLength(2);
  expect(home.sources.approved.get("1")).toEqual(["2001:db8:1::/48"]);
  expect((await run("--dry-run")).stdout).toBe("Nothing would change\n");
  // It would end, as nobody renews it.
  expect(home.bird.said()).not.toContain("configure timeout");
});

test("--once says by its exit code that a source did not answer", async () => {
  home.sources.gatewayFailure = () => new Response("", { status: 503 });
  expect((await run("--once")).code).toBe(1);
});

test("a change that the gateway tells of is in force at once; a signal leaves the policy as it is", async () => {
  writeFileSync(join(home.folder, "generator.yaml"), home.config().replace("watch: false", "watch: true"));
  const child = start();
  await until("the first policy", () => grantsOf(home.text()).length === 2);
  await until("the timer that ends it", () => home.bird.said().includes("configure timeout 60"));
  home.sources.change([sampleUser(2)]);
  await until("the second", () => grantsOf(home.text()).length === 1);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  expect(grantsOf(home.text())).toHaveLength(1);
});

test.each([
  [["--once", "--dry-run"], "--once does not go with --dry-run"],
  [["x"], 'There is an argument too many: "x"'],
])("%j is refused", async (options, said) => {
  const { code, stderr } = await run(...options);
  expect([code, stderr.includes(said)]).toEqual([2, true]);
});

test("a configuration with mistakes is refused with all of them", async () => {
  const text = home.config().replace("asn: 64500", "asn: 0, asn_pool_start: 9").replace("issuer", "isuer");
  writeFileSync(join(home.folder, "generator.yaml"), text);
  const { code, stderr } = await run("--once");
  expect(code).toBe(2);
  expect(stderr).toContain('did you mean "issuer"?');
  expect(stderr).toContain("platform.asn: must be a whole number");
});
