import { expect, mock, test } from "bun:test";
import { FairSlots } from "./fair-slots.ts";
import { derivedWorkSlots } from "./limits.ts";
import { Turns } from "./turns.ts";
import { Work, type WorkBounds } from "./work.ts";
import { WorkRoom } from "./work-room.ts";

const usual = {
  ...{ caller: "anna", signal: new AbortController().signal, slots: null },
  ...{ msMax: 100, bytesMax: 1000, room: new WorkRoom() },
};

/** On a clock that goes forward when the test says so. */
function workOf(bounds: Partial<WorkBounds> = {}) {
  const clock = { nowMs: 0 };
  const onRefusal = mock((code: string) => code);
  const clockwork = { turns: new Turns(), nowMs: () => clock.nowMs };
  const work = new Work(() => ({ ...usual, onRefusal, ...bounds }), clockwork);
  return { work, clock, onRefusal };
}

test("it holds the loop for 10 ms, then waits for its turn; waiting is not counted", async () => {
  const { work, clock } = workOf();
  await work.next();
  for (let step = 0; step < 8; step++) {
    clock.nowMs += 11;
    await work.next();
  }
  work.rest();
  clock.nowMs += 1000;
  await work.next();
  work.rest();
  // 88 ms of the 100 are used: the second is free of charge.
  await work.next();
});

test("beyond its time it ends, with a counter", async () => {
  const { work, clock, onRefusal } = workOf();
  await work.next();
  clock.nowMs += 101;
  expect(work.next()).rejects.toMatchObject({ status: 503, code: "work_too_long" });
  await Promise.resolve();
  expect(onRefusal.mock.calls).toEqual([["work_too_long"]]);
});

test("what is charged counts, and ends it with a counter", () => {
  const { work, onRefusal } = workOf();
  work.charge(60);
  expect(() => work.charge(60)).toThrow("0.1 s to compute");
  expect(onRefusal.mock.calls).toEqual([["work_too_long"]]);
});

test("it ends with its client, also while it waits", async () => {
  const end = new AbortController();
  const { work, clock, onRefusal } = workOf({ signal: end.signal });
  await work.next();
  clock.nowMs += 11;
  const next = work.next();
  end.abort();
  expect(next).rejects.toMatchObject({ status: 499, code: "client_gone" });
  await next.catch(() => {});
  expect(onRefusal.mock.calls).toEqual([["client_gone"]]);
});

test("derived work of one caller runs one after another, though there is room; that of others beside it", async () => {
  const slots = new FairSlots(derivedWorkSlots);
  const begun = async (caller: string) => {
    const { work } = workOf({ caller, slots });
    await work.next();
    return work;
  };
  const [first] = await Promise.all([begun("anna"), begun("ben")]);
  expect(slots.taken).toBe(2);
  const second = begun("anna");
  await Bun.sleep(1);
  expect(slots.heldBy("anna")).toBe(1);
  first?.[Symbol.dispose]();
  (await second)[Symbol.dispose]();
  expect(slots.heldBy("anna")).toBe(0);
});

test("what finds no slot is refused, with a counter", async () => {
  const slots = new FairSlots({ ...derivedWorkSlots, lineMax: 0 });
  const [one, other] = [workOf({ slots }), workOf({ slots })];
  await one.work.next();
  expect(other.work.next()).rejects.toMatchObject({ status: 503, code: "work_busy" });
  await other.work.next().catch(() => {});
  expect(other.onRefusal.mock.calls).toEqual([["work_busy"]]);
});

test("memory has a limit of its own and one of all, and is released at the end, with a counter for each refusal", () => {
  const room = new WorkRoom(1500);
  const [one, other] = [workOf({ room }), workOf({ room })];
  one.work.hold(600);
  expect(() => one.work.hold(600)).toThrow("of memory to compute; request less");
  one.work.hold(400);
  other.work.hold(500);
  expect(() => other.work.hold(100)).toThrow("Others are being served");
  expect(room.bytes).toBe(1500);
  one.work[Symbol.dispose]();
  other.work.hold(100);
  other.work[Symbol.dispose]();
  expect(room.bytes).toBe(0);
  expect([one, other].map(({ onRefusal }) => onRefusal.mock.calls)).toEqual([
    [["work_too_large"]],
    [["work_busy"]],
  ]);
});
