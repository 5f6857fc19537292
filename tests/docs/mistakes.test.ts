/** docs/start/mistakes.md: every mistake is made, and answered as the page says. */
import { expect, test } from "bun:test";
import { MistakesScene } from "./mistakes-scene.ts";
import { readPage } from "./page-blocks.ts";
import { PageRun } from "./page-run.ts";

const page = "docs/start/mistakes.md";
const blocks = readPage(page);
const headings = [...new Set(blocks.map(({ heading }) => heading))];

test("there are 28, in order, each with what is answered", () => {
  expect(headings.map((heading) => Number.parseInt(heading, 10))).toEqual(headings.map((_, i) => i + 1));
  expect(headings).toHaveLength(28);
  expect(headings.filter((one) => !blocks.some((b) => b.heading === one && b.language === "text"))).toEqual(
    [],
  );
});

// Mounts, and a root without rights.
test.skipIf(process.getuid?.() !== 0)("each is made, and answered as the page says", async () => {
  await using scene = await MistakesScene.start();
  await using run = PageRun.open(page, { scenes: scene.scenes });
  await run.runAll();
});
