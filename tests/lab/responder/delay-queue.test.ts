import { expect, test } from "bun:test";
import { DelayQueue, slotBytes } from "./delay-queue.ts";

const packet = (value: number): Uint8Array => Uint8Array.of(value, value >> 8, value >> 16);
const numberIn = (bytes: Uint8Array | undefined): number =>
  (bytes?.[0] ?? 0) | ((bytes?.[1] ?? 0) << 8) | ((bytes?.[2] ?? 0) << 16);

test("gives packets back in order of their due times, with slots used again", () => {
  const queue = new DelayQueue(100);
  const popped: number[] = [];
  for (let round = 0; round < 50; round++) {
    for (let i = 0; i < 60; i++) {
      const dueUs = (i * 7919 + round * 104_729) % 1000;
      expect(queue.push(packet(dueUs), dueUs)).toBe(true);
    }
    const order: number[] = [];
    while (queue.size > 0) {
      const dueUs = queue.nextDueUs();
      expect(numberIn(queue.pop())).toBe(dueUs);
      order.push(dueUs);
    }
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    popped.push(...order);
  }
  expect(popped.length).toBe(3000);
});

test("refuses a packet when it is full, and one larger than a slot", () => {
  const queue = new DelayQueue(2);
  expect(queue.push(new Uint8Array(slotBytes + 1), 1)).toBe(false);
  expect(queue.push(packet(1), 1)).toBe(true);
  expect(queue.push(packet(2), 2)).toBe(true);
  expect(queue.push(packet(3), 3)).toBe(false);
});

test("has nothing due and nothing to give when it is empty", () => {
  const queue = new DelayQueue(1);
  expect(queue.nextDueUs()).toBe(Number.POSITIVE_INFINITY);
  expect(queue.pop()).toBeUndefined();
});
