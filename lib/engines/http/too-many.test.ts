/** Too many items are found without a look at any of them. */
import { expect, test } from "bun:test";
import * as v from "valibot";
import { desiredConfigSchema } from "../../measuring/probing/agent-config.ts";
import { tooMany } from "./too-many.ts";

let checks = 0;
const item = v.pipe(
  v.string(),
  v.check(() => {
    checks++;
    return true;
  }),
);
const list = v.pipe(v.array(item), v.maxLength(3));
const named = v.pipe(v.record(v.string(), item), v.maxEntries(2, "names too many"));
const four = ["a", "b", "c", "d"];

test.each([
  [list, four, ""],
  [v.optional(list), four, ""],
  [v.object({ agents: list }), { agents: four }, "agents"],
  [v.object({ of: v.optional(v.object({ agents: list })) }), { of: { agents: four } }, "of.agents"],
  [named, { a: "a", b: "b", c: "c" }, ""],
] as const)("%#: too many", (schema, value, path) => {
  expect(tooMany(schema, value)).toMatchObject({ path });
  expect(checks).toBe(0);
});

test.each([
  [list, ["a", "b", "c"]],
  [list, "text"],
  [list, null],
  [v.object({ agents: list }), { others: four }],
  [named, { a: "a", b: "b" }],
] as const)("%#: not too many", (schema, value) => {
  expect(tooMany(schema, value)).toBeNull();
});

test("an agent's desired configuration is one of these", () => {
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`i${i}`, {}]));
  expect(tooMany(desiredConfigSchema, many)?.reason).toBe("names too many instances");
});
