/**
 * What kafkajs must be told to read records packed by other programs: it knows gzip itself. Zstandard is Bun's; Snappy
 * and LZ4 are unpacked by us, and not written.
 */
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { CompressionCodecs, CompressionTypes } from "kafkajs";
import type { KafkaCompression } from "../../broker-options.ts";
import { unpackedBytesMax } from "./growing-bytes.ts";
import { unpackLz4 } from "./lz4.ts";
import { unpackSnappy } from "./snappy.ts";

export const compressionTypes: Readonly<Record<KafkaCompression, CompressionTypes>> = {
  none: CompressionTypes.None,
  gzip: CompressionTypes.GZIP,
  zstd: CompressionTypes.ZSTD,
};

/** As kafkajs calls them; `buffer` is what its encoder has written. */
type Pack = (encoder: { readonly buffer: Buffer }) => Promise<Buffer>;

/** kafkajs keeps its codecs in a table of its own; to fill it twice does no harm. */
export function registerCodecs(): void {
  CompressionCodecs[CompressionTypes.ZSTD] = () => ({
    compress: (async ({ buffer }) => zstdCompressSync(buffer)) satisfies Pack,
    decompress: async (packed: Buffer) => zstdDecompressSync(packed, { maxOutputLength: unpackedBytesMax }),
  });
  CompressionCodecs[CompressionTypes.Snappy] = readOnly("Snappy", unpackSnappy);
  CompressionCodecs[CompressionTypes.LZ4] = readOnly("LZ4", unpackLz4);
}

function readOnly(name: string, unpack: (packed: Uint8Array) => Uint8Array) {
  return () => ({
    compress: (async () => {
      throw new Error(`${name} is only read`);
    }) satisfies Pack,
    decompress: async (packed: Buffer) => {
      const bytes = unpack(packed);
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    },
  });
}
