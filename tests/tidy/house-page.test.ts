import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { housePage } from "./house-page.ts";

test("ARCHITECTURE.md has the table that the rooms give today", () => {
  const text = readFileSync(join(import.meta.dirname, "../../ARCHITECTURE.md"), "utf8");
  expect(text).toContain("- `lib/net/ip` (pure): addresses, prefixes");
  expect(text).toBe(housePage());
});
