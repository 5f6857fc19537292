import { expect, test } from "bun:test";
import { configChangeMs, configChangesMax } from "../limits.ts";
import { ChangePace } from "./change-pace.ts";

test("an agent may make some changes at once, then one after each pause; others are apart", () => {
  const pace = new ChangePace();
  const taken = Array.from({ length: configChangesMax + 1 }, () => pace.take("west", 1000));
  expect(taken).toEqual([...Array(configChangesMax).fill(0), configChangeMs / 1000]);
  expect(pace.take("east", 1000)).toBe(0);
  expect(pace.take("west", 1000 + configChangeMs - 1)).toBe(1);
  expect(pace.take("west", 1000 + configChangeMs)).toBe(0);
  expect(pace.take("west", 1000 + configChangeMs)).toBeGreaterThan(0);
});
