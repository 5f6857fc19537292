import { expect, test } from "bun:test";
import { MeasurementBoard } from "./measurement-board.ts";

const nothing = { sent: 0, failed: 0, replied: 0 };

test("counts are collected once, by measurement", () => {
  const board = MeasurementBoard.allocate(8);
  board.open(3);
  board.open(4);
  new MeasurementBoard(board.buffer).add(3, "sent", 2);
  board.add(3, "sent", 5);
  board.add(3, "replied", 1);
  board.add(4, "failed", 9);
  expect(board.take(3)).toEqual({ sent: 7, failed: 0, replied: 1 });
  expect(board.take(3)).toEqual(nothing);
  expect(board.take(4)).toEqual({ ...nothing, failed: 9 });
});

test("an entry that is another measurement's now neither counts nor stops for the former one", () => {
  const board = MeasurementBoard.allocate(8);
  board.open(3);
  board.stop(3);
  expect(board.isStopped(3)).toBe(true);
  board.open(11);
  board.add(3, "sent", 1);
  board.stop(3);
  expect([board.isStopped(3), board.isStopped(11)]).toEqual([false, false]);
  expect(board.take(11)).toEqual(nothing);
});

test("no measurement is never on the board", () => {
  const board = MeasurementBoard.allocate(8);
  board.add(0, "sent", 1);
  board.stop(0);
  expect(board.isStopped(0)).toBe(false);
  expect(board.take(0)).toEqual(nothing);
});
