import { expect, test } from "bun:test";
import { RoundRobin } from "./round-robin.ts";

function turnsOf(...members: string[]): RoundRobin<string> {
  const turns = new RoundRobin<string>();
  for (const member of members) {
    turns.add(member);
  }
  return turns;
}

const all = () => true;

test("everyone has a turn before anyone has a second", () => {
  const turns = turnsOf("a", "b", "c");
  expect(Array.from({ length: 7 }, () => turns.next(all))).toEqual(["a", "b", "c", "a", "b", "c", "a"]);
});

test("one who cannot is passed over, and the one behind does not lose the turn", () => {
  const turns = turnsOf("a", "b", "c");
  turns.next(all);
  expect([turns.next((member) => member !== "b"), turns.next(all), turns.next(all)]).toEqual(["c", "a", "b"]);
});

test("nobody is next when nobody can", () => {
  expect([turnsOf().next(all), turnsOf("a").next(() => false)]).toEqual([null, null]);
});

test("who leaves does not cost another a turn", () => {
  const turns = turnsOf("a", "b", "c", "d");
  turns.next(all);
  turns.next(all);
  turns.keep((member) => member !== "a");
  expect([turns.next(all), turns.next(all), turns.next(all)]).toEqual(["c", "d", "b"]);
});
