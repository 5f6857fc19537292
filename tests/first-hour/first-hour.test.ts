/** The first hour of somebody who unpacks a release. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { ownArchive, run, SharedRelease } from "./shared-release.ts";

/** Mounts and namespaces. */
const asRoot = test.skipIf(process.getuid?.() !== 0);
let release: SharedRelease;
beforeAll(async () => {
  release = await SharedRelease.open();
});
afterAll(() => release?.[Symbol.dispose]());

asRoot("the first hour goes as the guides say, from the archive, in an empty folder", async () => {
  const main = join(import.meta.dirname, "main.ts");
  const table = await run([process.execPath, main, release.at(`${ownArchive}.tar.gz`)], release.work);
  console.log(table);
  const headings = ["Install", "A platform of your own", "Log in", "Measure", "An AS number and a prefix"];
  for (const heading of [...headings, "Look", "Give it back", "Together"]) {
    expect(table).toMatch(new RegExp(`^ *[\\d.]+ s  ${heading}`, "m"));
  }
});
