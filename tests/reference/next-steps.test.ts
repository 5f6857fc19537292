/** What the command line advises on refusals: of codes that gateways and clients have, with commands that there are. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../apps/commands.ts";
import { describe } from "../../lib/command/command/describe.ts";
import { nextSteps } from "../../lib/command/command/gateway/advice.ts";

const top = join(import.meta.dirname, "../..");
const sources = [
  "apps/probing/{gateway,campaigns}/**/*.ts",
  "apps/peering/{gateway,bootstrap}/**/*.ts",
  "lib/engines/{http,auth,service}/**/*.ts",
  "apps/user/trace/remote/*.ts",
]
  .flatMap((glob) => [...new Bun.Glob(glob).scanSync(top)])
  .filter((path) => !path.endsWith(".test.ts"))
  .map((path) => readFileSync(join(top, path), "utf8"))
  .join("\n");

test.each(Object.entries(nextSteps))("%s", async (code, step) => {
  expect([code, sources.includes(`"${code}"`)]).toEqual([code, true]);
  const names = (await describe(root, "")).map(({ name }) => `vantage ${name}`);
  const named = step.match(/vantage( [a-z]+)+/g) ?? [];
  for (const command of named) {
    expect(names.some((name) => command.startsWith(name) && name !== "vantage ")).toBe(true);
  }
});

test("a lease too many says what to do", () => {
  expect(nextSteps.lease_limit).toContain("vantage peering prefix release");
});
