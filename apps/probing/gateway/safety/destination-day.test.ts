import { expect, test } from "bun:test";
import { address, mapped } from "../../../../lib/net/ip/address.ts";
import { networksListedMax } from "../limits.ts";
import { DestinationDay } from "./destination-day.ts";

const dayMs = 86_400_000;

function added(day: DestinationDay, probes: number, text = "192.0.2.1") {
  const share = day.begin();
  for (let i = 0; i < probes; i++) {
    share.add(address(text));
  }
  return share;
}

test("a network gets no more than its share of a day, over all submissions and agents", () => {
  const day = new DestinationDay(10, () => 0);
  expect(added(day, 2).finish(3)).toBe(true);
  expect(added(day, 1, "192.0.2.200").finish(5)).toBe(false);
  expect(added(day, 2, "192.0.2.200").finish(2)).toBe(true);
  expect(added(day, 1).finish(1)).toBe(false);
  expect(added(day, 1, "192.0.3.1").finish(10)).toBe(true);
});

test("what was refused, and what is taken back, does not count", () => {
  const day = new DestinationDay(10, () => 0);
  expect(added(day, 11).finish(1)).toBe(false);
  const share = added(day, 10);
  expect(share.finish(1)).toBe(true);
  share.undo();
  share.undo();
  expect(added(day, 10).finish(1)).toBe(true);
  expect(added(day, 1).finish(1)).toBe(false);
});

test("each UTC day begins at nothing", () => {
  let nowMs = 3 * dayMs - 1;
  const day = new DestinationDay(10, () => nowMs);
  expect([added(day, 10).finish(1), added(day, 1).finish(1)]).toEqual([true, false]);
  nowMs++;
  expect(added(day, 10).finish(1)).toBe(true);
});

test("a submission to very many networks is held to the same", () => {
  const day = new DestinationDay(1000, () => 0);
  const wide = () => {
    const share = added(day, 100);
    for (let network = 0; network <= networksListedMax; network++) {
      share.add(mapped([1, network >> 8, network & 0xff, 1]));
    }
    return share;
  };
  const share = wide();
  expect(share.finish(6)).toBe(true);
  expect(wide().finish(5)).toBe(false);
  share.undo();
  expect(wide().finish(5)).toBe(true);
});
