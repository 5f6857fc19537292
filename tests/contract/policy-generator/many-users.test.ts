/** A platform that has grown: the generator and a real BIRD with 10,000 users, of whom none is left out. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { grantsOf } from "../../exchange/granted.ts";
import { sampleUser } from "../../exchange/samples.ts";
import { GeneratorHome } from "./generator-home.ts";

const count = 10_000;
const hour = 3_600_000;
/** It takes 0.1 s of a core, and took 4. */
const cpuSecMax = 1;
const users = Array.from({ length: count }, (_, n) =>
  n === 0
    ? sampleUser(n, {
        leases: [{ prefix: "2001:db8::/48", end_time: new Date(Date.UTC(2026, 0, 1) + hour).toISOString() }],
      })
    : sampleUser(n),
);

let home: GeneratorHome;
beforeAll(async () => {
  home = await GeneratorHome.open(users);
});
afterAll(async () => {
  await home[Symbol.asyncDispose]();
});

test("all of them are in the policy that BIRD has in force, leases end on time, and health is good", async () => {
  const { loop, generator, app } = home.service(false, { pool: [65_000, 65_000 + count] });
  expect(await loop.refresh()).toBe(true);
  expect(grantsOf(home.text())).toHaveLength(count);
  expect(await home.versionInForce()).toBe(generator.applied?.text.version ?? "");
  home.nowMs += hour;
  expect(await loop.refresh()).toBe(true);
  expect(grantsOf(home.text())).toHaveLength(count - 1);
  const health = await app.request("/health");
  expect([health.status, await health.json()]).toMatchObject([200, { status: "healthy" }]);
});

test("BIRD reads them in a moment, not in time that grows with their square", () => {
  const read = Bun.spawnSync(["bird", "-p", "-c", home.birdConfig], { cwd: home.folder });
  expect(read.exitCode).toBe(0);
  expect(Number(read.resourceUsage.cpuTime.total) / 1e6).toBeLessThan(cpuSecMax);
});
