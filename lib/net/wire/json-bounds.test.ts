import { expect, test } from "bun:test";
import { jsonExcess } from "./json-bounds.ts";
import { jsonDepthMax, jsonValuesMax } from "./limits.ts";

const utf8 = new TextEncoder();
const excess = (text: string) => jsonExcess(utf8.encode(text));
const nested = (levels: number, open = "[", close = "]") => open.repeat(levels) + close.repeat(levels);

test.each([
  ["lists", "[", "]"],
  ["objects", '{"a":', "}"],
  ["objects in lists", '[{"a":', "}]"],
])("%s may be nested so deep, and no deeper", (_, open, close) => {
  const levels = jsonDepthMax / (open.match(/[[{]/g)?.length ?? 1);
  expect(excess(nested(levels, open, close))).toBeNull();
  expect(excess(nested(levels + 1, open, close))).toBe("depth");
});

test("depth is that of the moment: lists beside one another, and brackets in texts, add none", () => {
  const deep = nested(jsonDepthMax - 1);
  expect(excess(`[${[deep, deep, deep].join()}]`)).toBeNull();
  expect(excess(JSON.stringify(["[".repeat(1000), '"[{\\'.repeat(1000)]))).toBeNull();
  expect(excess(`["\\"", ${nested(jsonDepthMax)}]`)).toBe("depth");
});

test("so many values, and no more", () => {
  const items = (count: number) => `[${Array(count).fill(0).join()}]`;
  expect(excess(items(jsonValuesMax))).toBeNull();
  expect(excess(items(jsonValuesMax + 1))).toBe("values");
});
