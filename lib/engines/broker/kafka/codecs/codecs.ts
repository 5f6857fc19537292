/**
 * Registers codecs with kafkajs to read records packed by other programs. Gzip and Zstandard come from Bun: kafkajs has
 * a gzip of its own, which unpacks without a limit. Snappy and LZ4 are our own, read only.
 */
import { promisify } from "node:util";
import { gunzip, gzip, zstdCompressSync, zstdDecompressSync } from "node:zlib";
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

/** The codec interface of kafkajs; `buffer` is the output of its encoder. */
type Pack = (encoder: { readonly buffer: Buffer }) => Promise<Buffer>;

const pack = promisify(gzip) as (bytes: Uint8Array) => Promise<Buffer>;
const unpack = promisify(gunzip) as (
  bytes: Uint8Array,
  limits: { maxOutputLength: number },
) => Promise<Buffer>;

/** kafkajs keeps its codecs in its own table; filling it twice is harmless. */
export function registerCodecs(): void {
  CompressionCodecs[CompressionTypes.GZIP] = () => ({
    compress: (({ buffer }) => pack(buffer)) satisfies Pack,
    decompress: (packed: Buffer) => unpack(packed, { maxOutputLength: unpackedBytesMax }),
  });
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
