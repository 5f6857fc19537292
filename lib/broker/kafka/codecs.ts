/**
 * Compressed records: gzip is in kafkajs, Zstandard in Bun. Snappy and LZ4 are in neither, and say so.
 */
import { CompressionCodecs, CompressionTypes } from "kafkajs";
import type { KafkaCompression } from "../broker-options.ts";

export const compressionTypes: Readonly<Record<KafkaCompression, CompressionTypes>> = {
  none: CompressionTypes.None,
  gzip: CompressionTypes.GZIP,
  zstd: CompressionTypes.ZSTD,
};

/** kafkajs keeps its codecs in a table of its own; to fill it twice does no harm. */
export function registerCodecs(): void {
  CompressionCodecs[CompressionTypes.ZSTD] = () => ({
    compress: async (encoder: { readonly buffer: Buffer }) =>
      Buffer.from(Bun.zstdCompressSync(encoder.buffer)),
    decompress: async (bytes: Buffer) => Buffer.from(Bun.zstdDecompressSync(bytes)),
  });
}
