/** A file as a stream of its unpacked bytes: gzip, bzip2, or as it is. */
import { Bzip2Reader } from "../../../ffi/bzip2.ts";
import { systemReason } from "../failure/system-reason.ts";
import { begun } from "../list/first-bytes.ts";
import { gunzipped } from "./gunzipped.ts";

interface Packing {
  readonly name: "gzip" | "bzip2" | "xz" | "zstd" | "zip" | "lz4" | "lzip" | "compress";
  /** First bytes, in hexadecimal; more than two where text could begin with them. */
  readonly magic: string;
  /** Command that prints the unpacked file; null = `unpacked` reads it. */
  readonly command: string | null;
}

const packings: readonly Packing[] = [
  { name: "gzip", magic: "1f8b", command: null },
  // A digit from 1 to 9 follows: `packingOf`.
  { name: "bzip2", magic: "425a68", command: null },
  { name: "xz", magic: "fd377a585a00", command: "xz -dc" },
  { name: "zstd", magic: "28b52ffd", command: "zstd -dc" },
  { name: "zip", magic: "504b0304", command: "unzip -p" },
  { name: "lz4", magic: "04224d18", command: "lz4 -dc" },
  { name: "lzip", magic: "4c5a495001", command: "lzip -dc" },
  { name: "compress", magic: "1f9d", command: "uncompress -c" },
];

const [headBytes, bzip2Bytes] = [8, 4];

/** Null = not compressed; undefined = more bytes are needed. */
function packingOf(first: Uint8Array): Packing | null | undefined {
  const head = first.subarray(0, headBytes).toHex();
  const found = packings.find(({ magic }) => head.startsWith(magic));
  if (found?.name === "bzip2") {
    const isLevel = /^.{6}3[1-9]/.test(head);
    return first.length < bzip2Bytes ? undefined : isLevel ? found : null;
  }
  const isOpen = found === undefined && packings.some(({ magic }) => magic.startsWith(head));
  return isOpen ? undefined : (found ?? null);
}

/**
 * Unpacked bytes per packed one, beyond a free allowance. Routes and results have ratios of 5 to 50; a few kB of zeros
 * that unpack to gigabytes would occupy a machine for hours.
 */
const ratioMax = 250;
const freeBytes = 64 << 20;

/** A compressed file that cannot be read; the message is the reason. */
export class PackedFileError extends Error {
  override readonly name = "PackedFileError";

  /** @param isDamage it is truncated or damaged: the part before is good */
  constructor(
    message: string,
    readonly isDamage: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Rejects with PackedFileError, also when the ratio is exceeded; and with any error of `chunks`. */
export async function* unpacked(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const sourced = new SourceErrors();
  const { first, all } = await begun(sourced.of(chunks), (bytes) => packingOf(bytes) !== undefined);
  const packing = packingOf(first) ?? null;
  if (packing === null) {
    yield* all;
    return;
  }
  const { name, command } = packing;
  if (command !== null) {
    const advice = `unpack it first, or use standard input: ${command} FILE | vantage … -`;
    throw new PackedFileError(`it is compressed with ${name}, which is not read here: ${advice}`, false);
  }
  try {
    const bytes = name === "gzip" ? gunzipped(all) : bunzipped(all);
    yield* inProportion(bytes, () => sourced.bytes);
  } catch (cause) {
    throw sourced.has(cause) || cause instanceof PackedFileError
      ? cause
      : new PackedFileError(`the packed file: ${systemReason(cause)}`, true, { cause });
  }
}

async function* inProportion(
  chunks: AsyncIterable<Uint8Array>,
  packedBytes: () => number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > freeBytes + ratioMax * packedBytes()) {
      const advice = "if that is expected, unpack it and pass it on standard input";
      throw new PackedFileError(
        `it unpacks to more than ${bytes - chunk.length} bytes, ${ratioMax} times its own size and more: ${advice}`,
        false,
      );
    }
    yield chunk;
  }
}

/** Distinguishes errors of the source from those of the unpacker, and counts the source's bytes. */
class SourceErrors {
  readonly #errors = new Set<unknown>();
  bytes = 0;

  async *of(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    try {
      for await (const chunk of chunks) {
        this.bytes += chunk.length;
        yield chunk;
      }
    } catch (cause) {
      this.#errors.add(cause);
      throw cause;
    }
  }

  has(cause: unknown): boolean {
    return this.#errors.has(cause);
  }
}

async function* bunzipped(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  using reader = new Bzip2Reader();
  for await (const chunk of chunks) {
    yield* reader.unpack(chunk);
  }
  if (!reader.isAtEnd) {
    throw new Error("the file ends within a packed block");
  }
}
