/** The version is said in one place, and what else belongs to a release says the same. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { releases } from "../upgrade/release-files.ts";

const changelog = readFileSync(join(import.meta.dirname, "../../CHANGELOG.md"), "utf8");
const headings = [...changelog.matchAll(/^## (.+)$/gm)].map(([, text = ""]) => text);

test("the changelog has what is not released yet, then this version with its day", () => {
  const [unreleased, newest = ""] = headings;
  expect(unreleased).toBe("[Unreleased]");
  expect(newest).toMatch(/^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/);
  expect(newest).toStartWith(`[${packageJson.version}] `);
});

test("what this version writes is kept for later ones", () => {
  expect(releases()).toContain(packageJson.version);
});
