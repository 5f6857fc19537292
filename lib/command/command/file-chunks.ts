/**
 * The only place in which commands open files named by arguments: each is read once, from start to end, so that pipes
 * and FIFOs work like files. "-" is standard input. gzip and bzip2 are decompressed.
 */
import { createReadStream } from "node:fs";
import { PackedFileError, unpacked } from "../../base/disk/unpacked.ts";
import { systemReason } from "../../base/failure/system-reason.ts";
import { CutShort } from "../../base/list/cut-short.ts";
import { cannot } from "./command-error.ts";

/** Large enough that reading costs little compared with processing. */
const readBytes = 256 * 1024;

/** The file's name in messages. */
export function fileWords(path: string): string {
  return path === "-" ? "standard input" : path;
}

/**
 * The unpacked bytes of a file, in chunks cut anywhere. Throws CommandError when it cannot be read.
 *
 * @param onBytes receives every byte as stored, for a checksum
 */
export async function* fileChunks(
  path: string,
  onBytes: (bytes: Uint8Array) => void = () => {},
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* unpacked(storedBytes(path, onBytes));
  } catch (error) {
    const reason = error instanceof PackedFileError ? error.message : systemReason(error);
    throw cannot(`Cannot read ${fileWords(path)}: ${reason}`, { cause: error });
  }
}

/** All of a file as text. Throws CommandError as `fileChunks` does, and what `tooLong` makes beyond `bytesMax`. */
export async function wholeText(path: string, bytesMax: number, tooLong: () => Error): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of fileChunks(path)) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      throw tooLong();
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * As `fileChunks`, for readers of records: a compressed file whose first part could be unpacked, but not its rest, ends
 * with CutShort, so that the records before count.
 */
export async function* recordChunks(
  path: string,
  onBytes: (bytes: Uint8Array) => void = () => {},
): AsyncGenerator<Uint8Array, void> {
  let hasAny = false;
  try {
    for await (const chunk of fileChunks(path, onBytes)) {
      hasAny ||= chunk.length > 0;
      yield chunk;
    }
  } catch (error) {
    const packed = error instanceof Error ? error.cause : null;
    throw hasAny && packed instanceof PackedFileError && packed.isDamage
      ? new CutShort(packed.message, { cause: error })
      : error;
  }
}

async function* storedBytes(
  path: string,
  onBytes: (bytes: Uint8Array) => void,
): AsyncGenerator<Uint8Array, void> {
  const options = { highWaterMark: readBytes };
  const chunks: AsyncIterable<Uint8Array> =
    path === "-"
      ? createReadStream("", { ...options, fd: 0, autoClose: false })
      : createReadStream(path, options);
  for await (const chunk of chunks) {
    onBytes(chunk);
    yield chunk;
  }
}
