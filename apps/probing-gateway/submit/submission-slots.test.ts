import { expect, test } from "bun:test";
import { SubmissionSlots } from "./submission-slots.ts";

const limits = { slotsMax: 4, slotsOfUserMax: 2, lineMax: 3, waitMs: 60_000 };
const short = { ...limits, waitMs: 1 };

/** What the promise is at now. */
function now<Value>(promise: Promise<Value>): Promise<Value | "waits"> {
  return Promise.race([promise, Bun.sleep(0).then(() => "waits" as const)]);
}

function free(slot: Disposable | null): void {
  expect(slot).not.toBeNull();
  slot?.[Symbol.dispose]();
}

test("a user who has all of theirs waits, and others do not", async () => {
  const slots = new SubmissionSlots(limits);
  const [first] = [await slots.take("a"), await slots.take("a")];
  const third = slots.take("a");
  expect(await now(third)).toBe("waits");
  expect(await slots.take("b")).not.toBeNull();
  free(first);
  expect(await third).not.toBeNull();
});

test("when all are taken the line moves in order, past those who have all of theirs", async () => {
  const slots = new SubmissionSlots(limits);
  const ofB = [await slots.take("b"), await slots.take("b")];
  const ofA = [await slots.take("a"), await slots.take("a")];
  const [third, fourth] = [slots.take("a"), slots.take("c")];
  free(ofB[0] ?? null);
  expect(await fourth).not.toBeNull();
  expect(await now(third)).toBe("waits");
  free(ofA[0] ?? null);
  expect(await third).not.toBeNull();
});

test("a line that is full, or moves too slowly, is told so, and a slot goes to nobody who has left", async () => {
  const slots = new SubmissionSlots(short);
  const taken = [await slots.take("a"), await slots.take("a")];
  const line = [slots.take("a"), slots.take("a"), slots.take("a")];
  expect(await now(slots.take("a"))).toBeNull();
  expect(await Promise.all(line)).toEqual([null, null, null]);
  free(taken[0] ?? null);
  const again = await slots.take("a");
  expect(again).not.toBeNull();
  expect(await slots.take("a")).toBeNull();
  free(again);
  free(taken[1] ?? null);
  expect([await slots.take("a"), await slots.take("a")]).not.toContain(null);
});
