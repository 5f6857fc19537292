import { expect, test } from "bun:test";
import { streamMessages } from "./stream-messages.ts";

/** One byte of length in front. */
const lengthAt = (bytes: Uint8Array, at: number) => bytes[at] ?? null;

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.slice(at, at + size);
  }
}

test("messages are the same, whatever the pieces are", async () => {
  const bytes = Uint8Array.from([3, 1, 2, 1, 5, 9, 8, 7, 6, 2, 4]);
  for (const size of [1, 2, 3, 4, 11]) {
    const found: number[][] = [];
    for await (const messages of streamMessages(inPieces(bytes, size), lengthAt)) {
      found.push(...messages.map((message) => [...message]));
    }
    expect(found).toEqual([[3, 1, 2], [1], [5, 9, 8, 7, 6], [2, 4]]);
  }
});

test("a message that comes byte by byte is looked at when it is whole", async () => {
  let looks = 0;
  const counted = (bytes: Uint8Array, at: number) => {
    looks++;
    return lengthAt(bytes, at);
  };
  for await (const [message] of streamMessages(inPieces(new Uint8Array(250).fill(250), 1), counted)) {
    expect(message).toHaveLength(250);
  }
  // For the first byte, for the whole, and for what comes behind it.
  expect(looks).toBe(3);
});

test("a stream that ends within a message is refused", async () => {
  const read = Array.fromAsync(streamMessages(inPieces(Uint8Array.of(3, 1), 1), lengthAt));
  await expect(read).rejects.toThrow("ends within a message");
});
