import { expect, test } from "bun:test";
import { listed } from "./listed.ts";

test("all that fit are listed, of more the first ones and how many others there are", () => {
  expect(listed([], 2)).toBe("");
  expect(listed(["a", "b"], 2)).toBe("a, b");
  expect(listed(["a", "b", "c", "d"], 2)).toBe("a, b and 2 more");
});
