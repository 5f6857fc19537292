/**
 * An operator with nothing but the package or the archive, in a fresh Debian made by debootstrap: an afternoon that
 * ends with a wiped and restored machine, and an upgrade from the former release.
 *
 * @tier long: Keycloak starts three times, alerts wait for minutes, and the Debian is 1.4 GB
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { machines } from "../release/machines.ts";
import { makeRelease } from "../release/release.ts";
import { makeLargeFolder } from "../run/large-folder.ts";
import { runToEnd } from "../run/said.ts";

const asRoot = test.skipIf(process.getuid?.() !== 0);
const folder = makeLargeFolder("vantage-whole-day-");

beforeAll(async () => {
  const kinds = machines.filter(({ name }) => name === process.arch);
  await makeRelease(folder, { kinds, packing: "quick" });
});
afterAll(() => rmSync(folder, { recursive: true }));

const plays = [
  [
    "whole",
    ".deb",
    ["wipe the machine; install again", "log in, and see what was measured and leased before"],
  ],
  ["upgrade", ".tar.gz", ["vantage upgrade --check", "what was measured and leased before is there"]],
] as const;

asRoot.each(plays)("%s", async (what, ending, steps) => {
  const file = readdirSync(folder).find((name) => name.endsWith(ending)) ?? "";
  const main = join(import.meta.dirname, "main.ts");
  const { stdout, stderr, exitCode } = await runToEnd([process.execPath, main, join(folder, file), what]);
  console.log(stdout);
  expect([exitCode, exitCode === 0 ? "" : stdout + stderr]).toEqual([0, ""]);
  for (const step of [...steps, "together"]) {
    expect(stdout).toMatch(new RegExp(`^ *[\\d.]+ s  ${step}`, "m"));
  }
});
