import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { apiDocuments } from "./documents.ts";
import { referencePages } from "./generate.ts";
import { shapeText } from "./shape-text.ts";
import { withSharedSchemas } from "./shared-schemas.ts";

const root = join(import.meta.dirname, "../..");

test("the pages of the HTTP APIs and the types of the SDKs are what the routes say of themselves today", async () => {
  const pages = await referencePages();
  expect(pages.size).toBe(7);
  for (const [path, text] of pages) {
    expect(readFileSync(join(root, path), "utf8")).toBe(text);
  }
});

test("shared schemas stand in for what was written out", async () => {
  const document = (await apiDocuments())["probing-gateway"];
  const { paths, components } = withSharedSchemas(document, new Map());
  const schemas = new Map<string, unknown>(Object.entries(components?.schemas ?? {}));
  const written = (part: unknown): unknown => {
    if (typeof part !== "object" || part === null) {
      return part;
    }
    const name = "$ref" in part ? String(part.$ref).split("/").at(-1) : undefined;
    if (name !== undefined && name !== "Problem") {
      return written(schemas.get(name));
    }
    return Array.isArray(part)
      ? part.map(written)
      : Object.fromEntries(Object.entries(part).map(([key, value]) => [key, written(value)]));
  };
  expect(schemas.size).toBeGreaterThan(20);
  expect(written(paths)).toEqual(document.paths);
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
