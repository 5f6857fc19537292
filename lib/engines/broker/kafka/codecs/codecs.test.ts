import { describe, expect, test } from "bun:test";
import { gzipSync, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { CompressionCodecs, CompressionTypes } from "kafkajs";
import { registerCodecs } from "./codecs.ts";
import { unpackedBytesMax } from "./growing-bytes.ts";
import { unpackLz4 } from "./lz4.ts";
import { unpackSnappy } from "./snappy.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytesOf = (...parts: (string | number)[]) =>
  new Uint8Array(
    parts.flatMap((part) => (typeof part === "string" ? [...new TextEncoder().encode(part)] : [part])),
  );

describe("Snappy", () => {
  test.each([
    ["a literal", bytesOf(3, 2 << 2, "abc"), "abc"],
    ["a literal with its length in a byte", bytesOf(70, 60 << 2, 69, "x".repeat(70)), "x".repeat(70)],
    ["a copy of 11 bits that overlaps itself", bytesOf(9, 0, "a", 1 | (4 << 2), 1), "a".repeat(9)],
    ["a copy of 2 bytes", bytesOf(6, 2 << 2, "abc", 2 | (2 << 2), 3, 0), "abcabc"],
    ["a copy of 4 bytes", bytesOf(6, 2 << 2, "abc", 3 | (2 << 2), 3, 0, 0, 0), "abcabc"],
    [
      "two blocks in a frame",
      bytesOf(
        0x82,
        "SNAPPY",
        ...[0, 0, 0, 0, 1, 0, 0, 0, 1],
        ...[0, 0, 0, 3, 1, 0],
        "a",
        ...[0, 0, 0, 3, 1, 0],
        "b",
      ),
      "ab",
    ],
  ])("%s", (_what, packed, unpacked) => {
    expect(text(unpackSnappy(packed))).toBe(unpacked);
  });

  test.each([
    ["it ends in a literal", bytesOf(3, 2 << 2, "ab"), "end too early"],
    ["a copy begins before the data", bytesOf(3, 0, "a", 2 | (2 << 2), 2, 0), "before the data"],
    ["a copy has no distance", bytesOf(3, 0, "a", 2 | (2 << 2), 0, 0), "before the data"],
  ])("is refused when %s", (_what, packed, reason) => {
    expect(() => unpackSnappy(packed)).toThrow(reason);
  });
});

describe("LZ4", () => {
  const frame = (...blocks: number[]) =>
    bytesOf(0x04, 0x22, 0x4d, 0x18, 0x40, 0x40, 0, ...blocks, 0, 0, 0, 0);

  test.each([
    ["literals", frame(4, 0, 0, 0, 0x30, 97, 98, 99), "abc"],
    ["a copy that overlaps itself", frame(6, 0, 0, 0, 0x11, 97, 1, 0, 0x10, 98), "aaaaaab"],
    ["long lengths", frame(6, 0, 0, 0, 0x1f, 97, 1, 0, 255, 1), "a".repeat(1 + 4 + 15 + 256)],
    ["a block that is not packed", frame(2, 0, 0, 0x80, 97, 98), "ab"],
    ["a copy out of the block before", frame(2, 0, 0, 0x80, 97, 98, 3, 0, 0, 0, 0x00, 2, 0), "ababab"],
  ])("%s", (_what, packed, unpacked) => {
    expect(text(unpackLz4(packed))).toBe(unpacked);
  });

  test.each([
    ["it is something else", bytesOf("something else"), "not an LZ4 frame"],
    ["it ends in a block", frame(9, 0, 0, 0, 0x30).subarray(0, 12), "end too early"],
    ["a copy begins before the data", frame(4, 0, 0, 0, 0x11, 97, 2, 0), "before the data"],
  ])("is refused when %s", (_what, packed, reason) => {
    expect(() => unpackLz4(packed)).toThrow(reason);
  });

  test("what unpacks to too much is refused, not held in memory", () => {
    const length = unpackedBytesMax / 255 + 10;
    const block = [0x1f, 97, 1, 0, ...new Array<number>(Math.ceil(length)).fill(255), 0];
    const sizes = [block.length & 255, (block.length >> 8) & 255, (block.length >> 16) & 255, 0];
    expect(() => unpackLz4(frame(...sizes, ...block))).toThrow(`more than ${unpackedBytesMax} bytes`);
  });
});

test.each([
  ["Snappy", unpackSnappy],
  ["LZ4", unpackLz4],
])("any bytes as %s: bytes or a RangeError", (_name, unpack) => {
  const starts = fc.constantFrom<number[]>([], [0x04, 0x22, 0x4d, 0x18, 0x40, 0x40, 0, 9, 0, 0, 0]);
  fc.assert(
    fc.property(starts, fc.uint8Array({ maxLength: 200 }), (start, rest) => {
      try {
        unpack(Uint8Array.of(...start, ...rest));
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }),
    { numRuns: 5000 },
  );
});

test.each([
  ["gzip", CompressionTypes.GZIP, gzipSync],
  ["Zstandard", CompressionTypes.ZSTD, zstdCompressSync],
] as const)("kafkajs unpacks %s, and no more of it than the limit", async (_name, type, pack) => {
  registerCodecs();
  const unpack = (bytes: Uint8Array): Promise<Buffer> => CompressionCodecs[type]?.().decompress(pack(bytes));
  expect(text(await unpack(bytesOf("abc")))).toBe("abc");
  expect((await unpack(new Uint8Array(unpackedBytesMax))).length).toBe(unpackedBytesMax);
  expect(await unpack(new Uint8Array(unpackedBytesMax + 1)).catch((error: Error) => error.name)).toBe(
    "RangeError",
  );
});
