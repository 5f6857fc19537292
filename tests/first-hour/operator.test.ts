/** An operator's afternoon from a release, as `docs/operate/from-the-archive.md` tells it. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inTier, isLongRun } from "../run/tier.ts";
import { ownArchive, ownPackage, project, run, SharedRelease } from "./shared-release.ts";

/** Mounts and namespaces. */
const asRoot = test.skipIf(process.getuid?.() !== 0);
let release: SharedRelease | null = null;
beforeAll(async () => {
  release = isLongRun ? await SharedRelease.open() : null;
});
afterAll(() => release?.[Symbol.dispose]());

type Afternoon = readonly [what: string, file: string];

/** In the usual tier the page of the same is played: tests/docs/operate.test.ts. */
const afternoons = inTier<readonly Afternoon[]>({
  usual: [],
  long: [
    ["the package, a platform and an agent on two machines", ownPackage],
    ["the archive, everything on one machine", `${ownArchive}.tar.gz`],
  ],
});

asRoot.each(afternoons)("an operator's afternoon with %s", async (_, file) => {
  const main = join(project, "tests/operator-day/main.ts");
  if (release === null) {
    throw new Error("No release was made");
  }
  const table = await run([process.execPath, main, release.at(file)], release.work);
  console.log(table);
  for (const step of ["vantage setup: the platform", "vantage setup again", "log in over TLS", "together"]) {
    expect(table).toMatch(new RegExp(`^ *[\\d.]+ s  ${step}`, "m"));
  }
});

test("what an operator reads for that has at most 3,000 words", () => {
  const page = readFileSync(join(project, "docs/operate/from-the-archive.md"), "utf8");
  expect(page.split(/\s+/).length).toBeLessThan(3000);
});
