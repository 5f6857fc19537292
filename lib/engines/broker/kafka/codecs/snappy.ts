/**
 * Unpacks Snappy, as Kafka's clients write it: blocks in the frame of snappy-java, or one block without a frame.
 *
 *   frame   82 "SNAPPY" 00, version 4, compatible version 4, then for each block: length 4 (big endian), block
 *   block   length when unpacked (7 bits a byte, lowest first), then elements, by the low 2 bits of their tag byte:
 *           0  literal: upper 6 bits + 1 bytes follow; 60 to 63 = that length is in the next 1 to 4 bytes
 *           1  copy: 3 bits + 4 bytes from a distance of 11 bits
 *           2  copy: 6 bits + 1 bytes from a distance of 2 bytes;  3  of 4 bytes
 *
 * (google/snappy format_description.txt)
 */
import { ByteReader } from "./byte-reader.ts";
import { GrowingBytes } from "./growing-bytes.ts";

const frameMark = Uint8Array.of(0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00);
const frameVersionBytes = 8;

/** Throws RangeError on bytes that are not Snappy, or unpack to more than `unpackedBytesMax`. */
export function unpackSnappy(packed: Uint8Array): Uint8Array {
  const output = new GrowingBytes(4 * packed.length);
  const isFramed = frameMark.every((byte, index) => packed[index] === byte);
  if (!isFramed) {
    unpackBlock(new ByteReader(packed), output);
    return output.taken();
  }
  const input = new ByteReader(packed);
  input.take(frameMark.length + frameVersionBytes);
  while (input.left > 0) {
    unpackBlock(new ByteReader(input.take(input.bigEndian())), output);
  }
  return output.taken();
}

function unpackBlock(input: ByteReader, output: GrowingBytes): void {
  // The length is not needed: the output grows, under its own limit.
  while (input.byte() >= 0x80) {}
  while (input.left > 0) {
    const tag = input.byte();
    const upper = tag >> 2;
    switch (tag & 3) {
      case 0:
        output.append(input.take(1 + (upper < 60 ? upper : input.littleEndian(upper - 59))));
        break;
      case 1:
        output.repeat(((tag >> 5) << 8) + input.byte(), 4 + (upper & 7));
        break;
      case 2:
        output.repeat(input.littleEndian(2), 1 + upper);
        break;
      default:
        output.repeat(input.littleEndian(4), 1 + upper);
    }
  }
}
