import { expect, test } from "bun:test";
import { TickTable } from "./tick-table.ts";

const tick = 17_952_519_000_123;

test("a tick gives its measurement back, in another thread's view too", () => {
  const table = TickTable.allocate();
  table.set(tick, 4_000_000_000);
  expect(new TickTable(table.buffer).get(tick)).toBe(4_000_000_000);
});

test("a tick that was never set, or whose place a later wrap has taken, is unknown", () => {
  const table = TickTable.allocate();
  expect(table.get(tick)).toBe(-1);
  table.set(tick, 1);
  table.set(tick + 65535, 2);
  expect([table.get(tick), table.get(tick + 65535)]).toEqual([-1, 2]);
});

test("neighbouring ticks do not mix, around the wrap either", () => {
  const table = TickTable.allocate();
  const wrap = 65535 * 1000;
  [-1, 0, 1].forEach((offset, i) => {
    table.set(wrap + offset, i);
  });
  expect([-1, 0, 1].map((offset) => table.get(wrap + offset))).toEqual([0, 1, 2]);
});
