/** How a policy comes into force at a real BIRD, and what stays in force when something goes wrong. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rejectAll } from "../../../lib/peering/policy/policy.ts";
import { policyText } from "../../../lib/peering/policy/policy-text.ts";
import { grantsOf } from "../../exchange/granted.ts";
import { sampleUser } from "../../exchange/samples.ts";
import { GeneratorHome, staleMs } from "./generator-home.ts";

const hour = 3_600_000;
const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();
const endsInAnHour = sampleUser(1, { leases: [{ prefix: "2001:db8:1::/48", end_time: at(hour) }] });
const lasting = sampleUser(2);
const nobody = policyText(rejectAll).text;

let home: GeneratorHome;
beforeEach(async () => {
  home = await GeneratorHome.open([endsInAnHour, lasting]);
});
afterEach(async () => {
  await home[Symbol.asyncDispose]();
});

const granted = () =>
  grantsOf(home.text())
    .map(({ prefix }) => prefix)
    .sort();
const away = () => new Response("away", { status: 503 });

function sourcesAway(): void {
  home.sources.gatewayFailure = away;
  home.sources.headscaleFailure = away;
}

test("a policy is written, BIRD has it in force, and nothing else is left in the folder", async () => {
  const { loop, generator } = home.service();
  expect(await loop.refresh()).toBe(true);
  expect(granted()).toEqual(["2001:db8:1::/48", "2001:db8:2::/48"]);
  expect(await home.versionInForce()).toBe(generator.applied?.text.version ?? "");
  expect(readdirSync(home.folder).filter((name) => /\.(new|check)$/.test(name))).toEqual([]);
  expect(statSync(home.policyFile).mode & 0o777).toBe(0o640);
});

test("what has not changed is not written, and BIRD is not told", async () => {
  const { loop } = home.service();
  await loop.refresh();
  const [before, reconfigured] = [statSync(home.policyFile), await home.lastReconfiguration()];
  expect(await loop.refresh()).toBe(true);
  home.sources.withoutEmails = true;
  expect(await loop.refresh()).toBe(true);
  expect(statSync(home.policyFile).ino).toBe(before.ino);
  expect(await home.lastReconfiguration()).toBe(reconfigured);
  expect(home.text()).toContain("# User: user-2@example.org");
});

test("leases end on time while no source answers, also after a restart", async () => {
  const first = home.service();
  await first.loop.refresh();
  sourcesAway();
  home.nowMs += hour;
  expect(await first.generator.apply()).toBe(true);
  expect(granted()).toEqual(["2001:db8:2::/48"]);

  home.nowMs -= hour;
  const second = home.service();
  expect(await second.generator.parts.knowledge.load()).toBe(true);
  expect(await second.loop.refresh()).toBe(false);
  expect(granted()).toEqual(["2001:db8:1::/48", "2001:db8:2::/48"]);
  home.nowMs += hour;
  await second.generator.apply();
  expect(granted()).toEqual(["2001:db8:2::/48"]);
});

test("one source that is away holds up nothing that the other says", async () => {
  const { loop } = home.service();
  await loop.refresh();
  home.sources.headscaleFailure = away;
  home.sources.change([lasting]);
  expect(await loop.refresh()).toBe(false);
  expect(granted()).toEqual(["2001:db8:2::/48"]);
});

test.each(["gatewayFailure", "headscaleFailure"] as const)(
  "%s for too long: everybody is refused",
  async (which) => {
    const { loop, generator } = home.service();
    await loop.refresh();
    home.sources[which] = away;
    home.nowMs += staleMs - 1;
    await loop.refresh();
    expect(granted()).toEqual(["2001:db8:2::/48"]);
    home.nowMs += 1;
    await loop.refresh();
    expect(home.text()).toBe(nobody);
    expect(generator.applied?.isRejectAll).toBe(true);
    home.sources[which] = null;
    await loop.refresh();
    expect(granted()).toEqual(["2001:db8:2::/48"]);
  },
);

test("who has never known anything refuses everybody", async () => {
  sourcesAway();
  expect(await home.service().loop.refresh()).toBe(false);
  expect(home.text()).toBe(nobody);
});

test.each([
  ["an error", () => new Response("x", { status: 500 })],
  ["a page", () => new Response("<html>")],
  ["another thing", () => Response.json({ users: [] })],
  ["a list", () => Response.json([])],
  ["another key's owner", () => new Response("", { status: 401 })],
  ["elsewhere", () => Response.redirect("http://192.0.2.1/")],
])("a source that answers with %s is one that did not answer", async (_what, answer) => {
  const { loop, generator } = home.service();
  await loop.refresh();
  const before = home.text();
  home.sources.gatewayFailure = answer;
  home.sources.headscaleFailure = answer;
  expect(await loop.refresh()).toBe(false);
  expect(generator.parts.knowledge.ageMs("gateway", home.nowMs + 5)).toBe(5);
  expect(home.text()).toBe(before);
  expect(home.log.join("")).not.toContain("-key");
});

test("a policy that the bird beside cannot read never reaches the file", async () => {
  home.checkCommand = join(home.folder, "refusing-bird");
  writeFileSync(home.checkCommand, "#!/bin/sh\necho 'policy.conf:1:1 no' >&2\nexit 1\n");
  chmodSync(home.checkCommand, 0o755);
  const { loop, generator } = home.service();
  expect(await loop.refresh()).toBe(false);
  expect(home.text()).toBe(nobody);
  expect(generator.failure).toContain("policy.conf:1:1 no");
  expect(readdirSync(home.folder).filter((name) => /\.(new|check)$/.test(name))).toEqual([]);
});

test("when BIRD refuses its configuration, the file before comes back", async () => {
  const { loop, generator } = home.service();
  home.writeBirdConfig("this is not a configuration");
  expect(await loop.refresh()).toBe(false);
  expect(home.text()).toBe(nobody);
  expect(generator.failure).toContain("BIRD refuses");
  home.writeBirdConfig();
  expect(await loop.refresh()).toBe(true);
  expect(granted()).toHaveLength(2);
});

test("while BIRD is away the new file stays, and is what it starts with", async () => {
  const { loop, generator } = home.service();
  await home.stopBird();
  expect(await loop.refresh()).toBe(false);
  expect(granted()).toHaveLength(2);
  await home.startBird();
  expect(await loop.refresh()).toBe(true);
  expect(await home.versionInForce()).toBe(generator.applied?.text.version ?? "");
});

test("a file that BIRD has not read, as after a crash, is put into force though it has not changed", async () => {
  const first = home.service();
  await first.loop.refresh();
  const right = home.text();
  writeFileSync(home.policyFile, nobody);
  await home.bird.ask("configure");
  writeFileSync(home.policyFile, right);
  const { loop, generator } = home.service();
  expect(await loop.refresh()).toBe(true);
  expect(await home.versionInForce()).toBe(generator.applied?.text.version ?? "");
});
