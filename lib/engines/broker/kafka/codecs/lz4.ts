/**
 * Unpacks an LZ4 frame. Checksums are ignored: Kafka has its own over the whole batch.
 *
 *   frame   04 22 4d 18, flags 1, block size 1, [content size 8], [dictionary 4], header checksum 1,
 *           then for each block: length 4 (little endian; highest bit = not packed), block, [checksum 4];
 *           length 0 ends it, [checksum 4]
 *   block   sequences: token (literals << 4 | copied - 4; 15 = bytes to be added follow, up to one below 255),
 *           literals, distance 2 (missing in the last sequence)
 *
 * (lz4 lz4_Frame_format.md 1.6, lz4_Block_format.md)
 */
import { ByteReader } from "./byte-reader.ts";
import { GrowingBytes } from "./growing-bytes.ts";

const frameMark = 0x184d2204;
const flag = { blockChecksum: 0x10, contentSize: 0x08, dictionary: 0x01 } as const;
const notPacked = 0x8000_0000;

/** Throws RangeError on bytes that are not an LZ4 frame, or unpack to more than `unpackedBytesMax`. */
export function unpackLz4(packed: Uint8Array): Uint8Array {
  const input = new ByteReader(packed);
  if (input.littleEndian(4) !== frameMark) {
    throw new RangeError("Cannot decompress: this is not an LZ4 frame");
  }
  const flags = input.byte();
  const sizes = ((flags & flag.contentSize) !== 0 ? 8 : 0) + ((flags & flag.dictionary) !== 0 ? 4 : 0);
  input.take(1 + sizes + 1);
  const output = new GrowingBytes(4 * packed.length);
  for (let length = input.littleEndian(4); length !== 0; length = input.littleEndian(4)) {
    const block = input.take(length % notPacked);
    if (length >= notPacked) {
      output.append(block);
    } else {
      unpackBlock(new ByteReader(block), output);
    }
    input.take((flags & flag.blockChecksum) !== 0 ? 4 : 0);
  }
  return output.taken();
}

/** Copies may reach back into earlier blocks. */
function unpackBlock(input: ByteReader, output: GrowingBytes): void {
  while (input.left > 0) {
    const token = input.byte();
    output.append(input.take(lengthOf(token >> 4, input)));
    if (input.left > 0) {
      const distance = input.littleEndian(2);
      output.repeat(distance, 4 + lengthOf(token & 15, input));
    }
  }
}

function lengthOf(nibble: number, input: ByteReader): number {
  let length = nibble;
  for (let more = nibble === 15 ? 255 : 0; more === 255; ) {
    more = input.byte();
    length += more;
  }
  return length;
}
