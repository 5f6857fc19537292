import { expect, test } from "bun:test";
import { type FairSlot, FairSlots } from "./fair-slots.ts";

const limits = { placesMax: 4, ofOneMax: 3, lineMax: 3, waitMs: 60_000, safeMs: 1000 };

/** What the promise is at now. */
function now<Value>(promise: Promise<Value>): Promise<Value | "waits"> {
  return Promise.race([promise, Bun.sleep(0).then(() => "waits" as const)]);
}

async function taken(places: FairSlots, ...names: string[]): Promise<FairSlot[]> {
  const all = await Promise.all(names.map((who) => places.take(who)));
  return all.filter((place) => place !== null);
}

/** As a holder does that ends at once when its place is taken back. */
function yielding(held: readonly FairSlot[]): void {
  for (const place of held) {
    place.signal.addEventListener("abort", () => place[Symbol.dispose]());
  }
}

const gone = (held: readonly FairSlot[]) => held.map(({ signal }) => signal.aborted);

test("while there is room everybody may have several, and waits who has all of theirs", async () => {
  const places = new FairSlots(limits);
  const [first] = await taken(places, "a", "a", "a");
  const fourth = places.take("a");
  expect(await now(fourth)).toBe("waits");
  expect(await places.take("b")).not.toBeNull();
  first?.[Symbol.dispose]();
  expect(await fourth).not.toBeNull();
  expect([places.taken, places.heldBy("a"), places.heldBy("b")]).toEqual([4, 3, 1]);
});

test("when all are taken, the slowest of who has most goes, until shares are equal", async () => {
  const places = new FairSlots(limits);
  const held = await taken(places, "a", "a", "a", "b");
  yielding(held);
  held[0]?.moved(100);
  held[2]?.moved(50);
  expect(await places.take("c")).not.toBeNull();
  expect(gone(held)).toEqual([false, true, false, false]);
  // a has two, the others one each: there is nothing that b could be given.
  expect(await now(places.take("b"))).toBe("waits");
  expect(gone(held)).toEqual([false, true, false, false]);
});

test("without waiting, a place of who has most is had at once, and none where shares are equal", async () => {
  const places = new FairSlots(limits);
  const held = ["a", "a", "a", "b"].flatMap((who) => places.takeNow(who) ?? []);
  yielding(held);
  held[0]?.moved(100);
  held[2]?.moved(50);
  expect(places.takeNow("a")).toBeNull();
  const own = places.takeNow("c");
  expect([own?.signal.aborted, gone(held)]).toEqual([false, [false, true, false, false]]);
  expect([places.takeNow("b"), places.taken]).toEqual([null, 4]);
});

test("when everybody has one, the slowest goes once it is old enough, and who has one gets no second", async () => {
  let nowMs = 0;
  const places = new FairSlots(limits, () => nowMs);
  const held = await taken(places, "a", "b", "c", "d");
  yielding(held);
  for (const [i, place] of held.entries()) {
    place.moved(10 - i);
  }
  const [fifth, second] = [places.take("e"), places.take("a")];
  expect([await now(fifth), gone(held)]).toEqual(["waits", [false, false, false, false]]);
  nowMs = 1000;
  expect(await fifth).not.toBeNull();
  expect([await now(second), gone(held)]).toEqual(["waits", [false, false, false, true]]);
});

test("a place whose holder waits for no client is not taken back", async () => {
  const places = new FairSlots(limits);
  const held = await taken(places, "a", "a", "a", "b");
  for (const place of held) {
    place.keep();
  }
  expect(await now(places.take("c"))).toBe("waits");
  expect(gone(held)).toEqual([false, false, false, false]);
});

test("who has least is next, and the line has room for who has not waited in it", async () => {
  const places = new FairSlots(limits);
  const [first] = await taken(places, "a", "a", "a", "b");
  first?.keep();
  const line = [places.take("a"), places.take("a"), places.take("a")];
  const ofC = places.take("c");
  expect(await line[2]).toBeNull();
  expect(await now(ofC)).toBe("waits");
  first?.[Symbol.dispose]();
  expect(await ofC).not.toBeNull();
  expect(await now(line[0] ?? ofC)).toBe("waits");
});

test("a full or slow line refuses requests, and no slot goes to a client that has left", async () => {
  const places = new FairSlots({ ...limits, waitMs: 1 });
  const held = await taken(places, "a", "a", "a");
  const line = [places.take("a"), places.take("a"), places.take("a")];
  expect(await now(places.take("a"))).toBeNull();
  expect(await Promise.all(line)).toEqual([null, null, null]);
  held[0]?.[Symbol.dispose]();
  held[0]?.[Symbol.dispose]();
  expect(places.taken).toBe(2);
  expect(await places.take("a")).not.toBeNull();
});
