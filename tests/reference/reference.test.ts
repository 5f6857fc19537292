import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { referencePages } from "./generate.ts";
import { shapeText } from "./shape-text.ts";

const root = join(import.meta.dirname, "../..");

test("the pages of the HTTP APIs and the types of the SDKs are what the routes say of themselves today", async () => {
  const pages = await referencePages();
  expect(pages.size).toBe(7);
  for (const [path, text] of pages) {
    expect(readFileSync(join(root, path), "utf8")).toBe(text);
  }
});

test("a shape is what its schema says, without the limits of JavaScript's numbers", () => {
  const nothing = { type: "null" };
  const count = { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
  const items = { anyOf: [{ type: "string", format: "uuid" }, nothing] };
  const properties = { count, ids: { type: "array", items }, kind: { enum: ["a", "b"] } };
  expect(shapeText({ type: "object", properties, required: ["count"] })).toBe(
    '{ count: integer (1 to), ids?: (string (uuid) | null)[], kind?: "a" | "b" }',
  );
});
