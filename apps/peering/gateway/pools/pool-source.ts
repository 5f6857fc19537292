/** The configured prefix pool: its digest, and its runs. A file of a million lines is never completely in memory. */
import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import { PoolError, PoolReader } from "../../../../lib/peering/lease/pool-reader.ts";
import type { PrefixRun } from "../../../../lib/peering/lease/prefix-number.ts";
import type { LeasesConfig } from "../config.ts";
import { poolFileBytesMax, poolLineBytesMax } from "../limits.ts";

export interface PoolSource {
  /** Digest of the text, to see whether it has changed. */
  readonly digest: string;
  /** Rejects with an Error that names the place, the line and what is wrong. */
  readonly runs: () => Promise<PrefixRun[]>;
}

/** Rejects with an Error when the file cannot be read. */
export async function poolSource(pool: LeasesConfig["pool"]): Promise<PoolSource> {
  const name = "file" in pool ? pool.file : "leases.pool";
  const chunks = () => ("file" in pool ? fileChunks(pool.file) : [Buffer.from(pool.lines.join("\n"))]);
  const digest = createHash("sha256");
  for await (const chunk of chunks()) {
    digest.update(chunk);
  }
  return { digest: digest.digest("hex"), runs: () => runsOf(name, chunks()) };
}

async function* fileChunks(path: string): AsyncGenerator<Uint8Array> {
  try {
    const { size } = statSync(path);
    if (size > poolFileBytesMax) {
      throw new Error(`it has ${size} bytes, more than ${poolFileBytesMax}`);
    }
    yield* createReadStream(path);
  } catch (cause) {
    const reason = systemReason(cause);
    throw new Error(`Cannot read the prefix pool ${path}: ${reason}`, { cause });
  }
}

async function runsOf(
  name: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<PrefixRun[]> {
  const reader = new PoolReader();
  try {
    for await (const line of linesOf(chunks)) {
      reader.push(line);
    }
    return reader.finish();
  } catch (error) {
    if (error instanceof PoolError) {
      throw new Error(`Cannot use the prefix pool ${name}: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

async function* linesOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > poolLineBytesMax) {
      throw new PoolError(`it has a line of more than ${poolLineBytesMax} characters`);
    }
    yield* lines;
  }
  yield rest + decoder.decode();
}
