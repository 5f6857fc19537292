import { expect, test } from "bun:test";
import { RoundRobin } from "./round-robin.ts";

function roundRobinOf(...members: string[]): RoundRobin<string> {
  const roundRobin = new RoundRobin<string>();
  for (const member of members) {
    roundRobin.add(member);
  }
  return roundRobin;
}

const all = () => true;

test("everyone has a turn before anyone has a second", () => {
  const roundRobin = roundRobinOf("a", "b", "c");
  expect(Array.from({ length: 7 }, () => roundRobin.next(all))).toEqual(["a", "b", "c", "a", "b", "c", "a"]);
});

test("one who cannot is passed over, and the one behind does not lose the turn", () => {
  const roundRobin = roundRobinOf("a", "b", "c");
  roundRobin.next(all);
  expect([roundRobin.next((member) => member !== "b"), roundRobin.next(all), roundRobin.next(all)]).toEqual([
    "c",
    "a",
    "b",
  ]);
});

test("nobody is next when nobody can", () => {
  expect([roundRobinOf().next(all), roundRobinOf("a").next(() => false)]).toEqual([null, null]);
});

test("who leaves does not cost another a turn", () => {
  const roundRobin = roundRobinOf("a", "b", "c", "d");
  roundRobin.next(all);
  roundRobin.next(all);
  roundRobin.keep((member) => member !== "a");
  expect([roundRobin.next(all), roundRobin.next(all), roundRobin.next(all)]).toEqual(["c", "d", "b"]);
});
