import { expect, test } from "bun:test";
import fc from "fast-check";
import { ByteRing } from "./byte-ring.ts";

test("bytes come out in order, whatever the sizes of writes and reads", () => {
  const step = fc.record({ write: fc.integer({ min: 0, max: 60 }), read: fc.integer({ min: 0, max: 60 }) });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.array(step, { maxLength: 200 }), (capacity, steps) => {
      const writer = ByteRing.allocate(capacity);
      const reader = new ByteRing(writer.buffer);
      const queue: number[] = [];
      let next = 0;
      for (const { write, read } of steps) {
        const bytes = Uint8Array.from({ length: write }, (_, i) => (next + i) & 255);
        const fits = write <= capacity - queue.length;
        expect(writer.write(bytes)).toBe(fits);
        if (fits) {
          next += write;
          queue.push(...bytes);
        }
        const into = new Uint8Array(read);
        const count = reader.peek(into);
        expect([...into.subarray(0, count)]).toEqual(queue.slice(0, read));
        reader.advance(count);
        queue.splice(0, count);
        expect(reader.usedBytes()).toBe(queue.length);
      }
    }),
  );
});

test("a full ring takes nothing, and what is peeked at stays", () => {
  const ring = ByteRing.allocate(4);
  expect(ring.write(Uint8Array.of(1, 2, 3))).toBe(true);
  expect(ring.write(Uint8Array.of(4, 5))).toBe(false);
  expect(ring.write(Uint8Array.of(4))).toBe(true);
  const into = new Uint8Array(8);
  expect(ring.peek(into)).toBe(4);
  expect(ring.peek(into)).toBe(4);
  expect(into).toEqual(Uint8Array.of(1, 2, 3, 4, 0, 0, 0, 0));
});
