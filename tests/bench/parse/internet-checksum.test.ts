import { expect, test } from "bun:test";
import { internetChecksum } from "./internet-checksum.ts";

test("the example of RFC 1071 s.3 has the sum ddf2", () => {
  expect(internetChecksum(Uint8Array.from([0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7]))).toBe(
    0xffff - 0xddf2,
  );
});

test("an odd last byte counts as the high half of a word", () => {
  expect(internetChecksum(Uint8Array.of(0x12))).toBe(0xffff - 0x1200);
});
