import { expect, test } from "bun:test";
import { ByteBuffer, nativeBlock } from "./native-block.ts";

function hex(buffer: ByteBuffer): string {
  return buffer.taken().toHex();
}

test.each([
  [0, "00"],
  [127, "7f"],
  [128, "8001"],
  [300, "ac02"],
  [16_384, "808001"],
  [2 ** 35, "808080808001"],
])("varuint %p is %p", (value, bytes) => {
  const buffer = new ByteBuffer(1);
  buffer.varuint(value);
  expect(hex(buffer)).toBe(bytes);
});

test("integers are little endian, counts fill 8 bytes, buffers grow", () => {
  const buffer = new ByteBuffer(1);
  buffer.u8(1);
  buffer.u16(0x0203);
  buffer.u32(0x04050607);
  buffer.u64(0x08090a0b0c0d0e0fn);
  buffer.count(2 ** 32 * 5 + 6);
  buffer.text(new TextEncoder().encode("ab"));
  expect(hex(buffer)).toBe(
    ["01", "0302", "07060504", "0f0e0d0c0b0a0908", "0600000005000000", "026162"].join(""),
  );
});

test("a block is its counts, then name, type and data of each column", () => {
  const [ends, values] = [new ByteBuffer(), new ByteBuffer()];
  ends.count(1);
  ends.count(1);
  values.u8(9);
  const block = nativeBlock([{ name: "a", type: "Array(UInt8)", data: [ends, values] }], 2);
  const type = `0c${new TextEncoder().encode("Array(UInt8)").toHex()}`;
  expect(block.toHex()).toBe(`01020161${type}0100000000000000010000000000000009`);
});
