import { expect, test } from "bun:test";
import { TickTable } from "./tick-table.ts";

const tick = 17_952_519_000_123;

/** As a sender that leaves at the start of a tick. */
function set(table: TickTable, at: number, measurement: number): void {
  table.set(at, measurement, at * 100);
}

test("a tick gives its measurement back, in another thread's view too", () => {
  const table = TickTable.allocate();
  set(table, tick, 4_000_000_000);
  expect(new TickTable(table.buffer).get(tick)).toBe(4_000_000_000);
});

test("a tick that was never set, or whose place a later wrap has taken, is unknown", () => {
  const table = TickTable.allocate();
  expect([table.get(tick), table.departureNs(tick)]).toEqual([-1, -1]);
  set(table, tick, 1);
  set(table, tick + 65535, 2);
  expect([table.get(tick), table.get(tick + 65535)]).toEqual([-1, 2]);
  expect([table.departureNs(tick), table.departureNs(tick + 65535)]).toEqual([-1, 0]);
});

test("neighbouring ticks do not mix, around the wrap either", () => {
  const table = TickTable.allocate();
  const wrap = 65535 * 1000;
  [-1, 0, 1].forEach((offset, i) => {
    table.set(wrap + offset, i, (wrap + offset) * 100 + 10 * i);
  });
  expect([-1, 0, 1].map((offset) => table.get(wrap + offset))).toEqual([0, 1, 2]);
  expect([-1, 0, 1].map((offset) => table.departureNs(wrap + offset))).toEqual([0, 10_000, 20_000]);
});

test("a tick knows when its batch left, to a quarter of a microsecond, until another batch shares it", () => {
  const table = TickTable.allocate();
  table.set(tick, 7, tick * 100 + 42.25);
  expect(new TickTable(table.buffer).departureNs(tick)).toBe(42_250);
  table.setShared(tick);
  expect([table.get(tick), table.departureNs(tick)]).toEqual([7, -1]);
});

test("memory that an earlier version left has measurements, and no departures", () => {
  const table = TickTable.allocate();
  set(table, tick, 7);
  const shorter = 2 * 65536 * 4;
  const grown = new SharedArrayBuffer(table.buffer.byteLength);
  new Uint8Array(grown).set(new Uint8Array(table.buffer, 0, shorter));
  const taken = new TickTable(grown);
  expect([taken.get(tick), taken.departureNs(tick)]).toEqual([7, -1]);
});
