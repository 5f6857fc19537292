import { expect, test } from "bun:test";
import { ByteRing } from "./byte-ring.ts";
import { RingWaiter } from "./ring-waiter.ts";

/** Longer than the test may take: only what happens ends a wait. */
const forEverMs = 600_000;

function bell() {
  const rings = [ByteRing.allocate(64), ByteRing.allocate(64)];
  const flag = new Int32Array(new SharedArrayBuffer(4));
  return { rings, flag, bell: new RingWaiter(rings, flag, () => rings.some((ring) => ring.usedBytes() > 0)) };
}

test.each([0, 1])("a write to ring %i wakes who waits", async (index) => {
  const { rings, bell: waiter } = bell();
  const waiting = waiter.wait(0, forEverMs);
  rings[index]?.write(new Uint8Array(3));
  await waiting;
});

test("a ring that has something already is not waited for", async () => {
  const { rings, bell: waiter } = bell();
  rings[1]?.write(new Uint8Array(3));
  await waiter.wait(0, forEverMs);
});

test("the flag wakes too, and a flag that has changed already is not waited for", async () => {
  const { flag, bell: waiter } = bell();
  const waiting = waiter.wait(0, forEverMs);
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
  await waiting;
  await waiter.wait(0, forEverMs);
});

test("a wait ends by itself, and data already read from a ring wakes no waiter", async () => {
  const { rings, bell: waiter } = bell();
  rings[0]?.write(new Uint8Array(3));
  rings[0]?.advance(3);
  await waiter.wait(0, 10);
  expect(rings[0]?.usedBytes()).toBe(0);
});
