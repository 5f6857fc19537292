import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generatedFiles } from "./wire-files.ts";

test("generated code, layout and page are what their sources give today", async () => {
  const files = await generatedFiles();
  expect([...files.keys()].sort()).toEqual([
    "docs/reference/reply-fields.md",
    "lib/net/wire/layout.ts",
    "tests/capnp/probe.ts",
    "tests/capnp/reply.ts",
    "tests/capnp/update.ts",
  ]);
  for (const [path, text] of files) {
    expect(readFileSync(join(import.meta.dirname, "../..", path), "utf8")).toBe(text);
  }
});

test("layout.ts holds nothing that AssemblyScript cannot compile", async () => {
  const text = (await generatedFiles()).get("lib/net/wire/layout.ts") ?? "";
  const code = text
    .replace(/\/\*\*.*?\*\//s, "")
    .split("\n")
    .filter((line) => line !== "");
  expect(code.length).toBeGreaterThan(30);
  for (const line of code) {
    expect(line).toMatch(/^export const [a-z][A-Za-z0-9]* = \d+;$/);
  }
});
