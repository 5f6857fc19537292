/** What an operator reads from the archive to a platform that is backed up, restored and upgraded. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../deploy/compose-file.ts";

const pages = ["from-the-archive", "backup", "upgrade"] as const;

test("the pages of the afternoon have at most 3,000 words together", () => {
  const texts = pages.map((name) => readFileSync(join(projectRoot, `docs/operate/${name}.md`), "utf8"));
  expect(texts.join("\n").trim().split(/\s+/).length).toBeLessThanOrEqual(3000);
});

test("the way to a doctor that finds nothing is on one page, in order", () => {
  const page = readFileSync(join(projectRoot, "docs/operate/from-the-archive.md"), "utf8");
  const way = [
    "## Install",
    "## Decide",
    "## Set up the platform",
    "`vantage doctor` until nothing fails",
    "## Users",
  ];
  const places = [...way, "## An agent", "## Alerts"].map((text) => page.indexOf(text));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
});
