/**
 * Batches of replies on disk while the broker is unreachable: a file for each, oldest first, removed when it is
 * published.
 *
 * A file is written under a temporary name first, so no file is partial; a crash may publish one batch again. In a
 * file, for each record: u32 bytes of JSON `{key, headers, replies}` and u32 bytes of value, little endian, then both.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import type { OutgoingRecord } from "../../../../lib/engines/broker/broker.ts";
import type { Batch } from "./reply-batcher.ts";

const suffix = ".replies";
const nameDigits = 12;

interface SpoolFile {
  readonly name: string;
  readonly bytes: number;
}

/** The spool of an agent. */
export function spoolOf({
  stateDir,
  spoolBytesMax,
}: {
  readonly stateDir: string;
  readonly spoolBytesMax: number;
}): Spool {
  return new Spool(join(stateDir, "spool"), spoolBytesMax);
}

export class Spool {
  readonly #folder: string;
  readonly #bytesMax: number;
  readonly #files: SpoolFile[];
  #bytes: number;

  /** Finds the files of an earlier run. Throws when the folder cannot be made or read. */
  constructor(folder: string, bytesMax: number) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#folder = folder;
    this.#bytesMax = bytesMax;
    this.#files = readdirSync(folder)
      .filter((name) => name.endsWith(suffix))
      .sort()
      .map((name) => ({ name, bytes: statSync(join(folder, name)).size }));
    this.#bytes = this.#files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isEmpty(): boolean {
    return this.#files.length === 0;
  }

  /** False when it does not fit, or cannot be written. */
  add(batch: Batch): boolean {
    const content = encode(batch);
    return this.#bytes + content.length <= this.#bytesMax && this.#write(content);
  }

  /** Also beyond the limit: replies from a killed process's memory, which has its own limit. */
  addLeft(batch: Batch): boolean {
    return this.#write(encode(batch));
  }

  #write(content: Buffer): boolean {
    const last = Number(this.#files.at(-1)?.name.slice(0, nameDigits) ?? 0);
    const name = `${String(last + 1).padStart(nameDigits, "0")}${suffix}`;
    const path = join(this.#folder, name);
    try {
      writeFileSync(`${path}.new`, content);
      renameSync(`${path}.new`, path);
    } catch {
      return false;
    }
    this.#files.push({ name, bytes: content.length });
    this.#bytes += content.length;
    return true;
  }

  /** The oldest batch, which stays until `removeOldest`. A damaged file gives its intact part. */
  oldest(): Batch | null {
    const file = this.#files[0];
    return file === undefined ? null : decodeBatch(readFileSync(join(this.#folder, file.name)));
  }

  removeOldest(): void {
    const file = this.#files.shift();
    if (file !== undefined) {
      this.#bytes -= file.bytes;
      rmSync(join(this.#folder, file.name), { force: true });
    }
  }
}

function encode(batch: Batch): Buffer {
  const parts = batch.records.flatMap(({ key, headers, value }, i) => {
    const replies = i === 0 ? batch.replies : 0;
    const json = Buffer.from(JSON.stringify({ key, headers, replies }));
    const sizes = Buffer.alloc(8);
    sizes.writeUInt32LE(json.length, 0);
    sizes.writeUInt32LE(value.length, 4);
    return [sizes, json, value];
  });
  return Buffer.concat(parts);
}

const headSchema = v.object({
  key: v.string(),
  headers: v.record(v.string(), v.string()),
  /** Replies of the whole batch, in its first record. */
  replies: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
});

/** The intact part of a file, up to the first record that is cut off or damaged. */
export function decodeBatch(content: Buffer): Batch {
  const records: OutgoingRecord[] = [];
  let replies = 0;
  let bytes = 0;
  let at = 0;
  while (at + 8 <= content.length) {
    const jsonAt = at + 8;
    const valueAt = jsonAt + content.readUInt32LE(at);
    const end = valueAt + content.readUInt32LE(at + 4);
    const head = end > content.length ? null : headOf(content.toString("utf8", jsonAt, valueAt));
    if (head === null) {
      break;
    }
    records.push({ key: head.key, headers: head.headers, value: content.subarray(valueAt, end) });
    replies += head.replies;
    bytes += end - valueAt;
    at = end;
  }
  return { records, replies, bytes };
}

function headOf(text: string): v.InferOutput<typeof headSchema> | null {
  try {
    return v.parse(headSchema, JSON.parse(text));
  } catch {
    return null;
  }
}
