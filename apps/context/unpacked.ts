/** A data file as a stream of its unpacked bytes: gzip, bzip2, or as it is. */

import { createReadStream } from "node:fs";
import { Bzip2Reader } from "../../ffi/bzip2.ts";
import { DataFileError } from "../../lib/context/data-file-error.ts";
import { gunzipped, isGzip } from "../../lib/disk/gunzipped.ts";
import { systemReason } from "../../lib/failure/system-reason.ts";

/** @param onBytes receives every byte of the file as stored, for its checksum */
export async function* unpacked(
  path: string,
  onBytes: (bytes: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  const chunks = heard(createReadStream(path, { highWaterMark: 1024 * 1024 }), onBytes);
  const first = await chunks.next();
  if (first.done === true) {
    throw new DataFileError("the whole file", "it is empty");
  }
  const all = behind(first.value, chunks);
  const [a, b, c] = first.value;
  if (isGzip(first.value)) {
    yield* unzipped(all);
  } else if (a === 0x42 && b === 0x5a && c === 0x68) {
    yield* bunzipped(all);
  } else {
    yield* all;
  }
}

async function* unzipped(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* gunzipped(chunks);
  } catch (cause) {
    throw damaged(cause);
  }
}

async function* bunzipped(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  using reader = new Bzip2Reader();
  try {
    for await (const chunk of chunks) {
      yield* reader.unpack(chunk);
    }
  } catch (cause) {
    throw damaged(cause);
  }
  if (!reader.isAtEnd) {
    throw damaged(new Error("the file ends within a packed block"));
  }
}

function damaged(cause: unknown): unknown {
  if (cause instanceof DataFileError) {
    return cause;
  }
  const reason = systemReason(cause);
  return new DataFileError("the packed file", reason, { cause });
}

async function* heard(
  chunks: AsyncIterable<Uint8Array>,
  onBytes: (bytes: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onBytes(chunk);
    yield chunk;
  }
}

/** The pieces of a stream whose first one was looked at. */
export async function* behind(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}
