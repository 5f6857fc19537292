/**
 * An operator with nothing but the package or the archive, in a fresh Debian made by debootstrap: an afternoon that
 * ends with a wiped and restored machine, and an upgrade from the former release.
 *
 * @tier long: Keycloak starts three times, alerts wait for minutes, and the Debian is 1.4 GB
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { ownArchive, ownPackage, project, run, SharedRelease } from "./shared-release.ts";

const asRoot = test.skipIf(process.getuid?.() !== 0);
/** Some thirteen minutes of which most is waiting: an alert has to last before it is delivered. */
const playMsMax = 1_700_000;
let release: SharedRelease;
beforeAll(async () => {
  release = await SharedRelease.open();
});
afterAll(() => release?.[Symbol.dispose]());

const plays = [
  [
    "whole",
    ownPackage,
    ["wipe the machine; install again", "log in, and see what was measured and leased before"],
  ],
  [
    "upgrade",
    `${ownArchive}.tar.gz`,
    ["vantage upgrade --check", "what was measured and leased before is there"],
  ],
] as const;

asRoot.each(plays)(
  "%s",
  async (what, file, steps) => {
    const main = join(project, "tests/operator-day/main.ts");
    const table = await run([process.execPath, main, release.at(file), what], release.work);
    console.log(table);
    for (const step of [...steps, "together"]) {
      expect(table).toMatch(new RegExp(`^ *[\\d.]+ s  ${step}`, "m"));
    }
  },
  playMsMax,
);
