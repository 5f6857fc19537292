/**
 * The current routes in a file that outlives the collector: the messages as they came, so that the next start
 * has the table, and reports what went down meanwhile.
 *
 * | bytes | entry                                                                                    |
 * |-------|------------------------------------------------------------------------------------------|
 * | 4     | length of what follows the head                                                          |
 * | 1     | kind: 1 update, 2 all before is with the broker, 3 how far a file of MRT was read        |
 * | 1     | of an update: 1 = it has a path id                                                       |
 * | 2     | zeros                                                                                    |
 * | 4     | path id                                                                                  |
 * |       | 1: messages of update.capnp, one where it has a path id; 3: JSON                         |
 *
 * Integers are little endian. An entry at the end that a kill has cut off is ignored. The file's time of
 * change says when the collector was last alive.
 */
import {
  closeSync,
  futimesSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { type FilePosition, headBytes, KeptEntries, kinds } from "./kept-entries.ts";
import { keptBytesMax } from "./limits.ts";

const pieceBytes = 4 * 1024 * 1024;

interface KeptUpdates {
  readonly pathId: number | null;
  /** Messages of update.capnp, one after another. */
  readonly messages: Uint8Array;
}

type KeptEntry =
  | ({ readonly kind: "updates" } & KeptUpdates)
  | { readonly kind: "published" }
  | ({ readonly kind: "position" } & FilePosition);

export class KeptRoutes implements Disposable {
  readonly #path: string;
  #file: number | null = null;
  #bytes = 0;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#path = join(folder, "routes.log");
  }

  /** When it was last written or touched, microseconds since 1970; null = it is not there. */
  get lastAliveUs(): bigint | null {
    const stat = statSync(this.#path, { throwIfNoEntry: false });
    return stat === undefined ? null : BigInt(Math.round(stat.mtimeMs * 1000));
  }

  get isLarge(): boolean {
    return this.#bytes > keptBytesMax;
  }

  /** Entries in order; none without a file. */
  *read(): Generator<KeptEntry> {
    const file = openOrNull(this.#path);
    if (file === null) {
      return;
    }
    try {
      let rest = Buffer.alloc(0);
      for (;;) {
        const piece = Buffer.alloc(pieceBytes);
        const count = readSync(file, piece);
        if (count === 0) {
          return;
        }
        rest = Buffer.concat([rest, piece.subarray(0, count)]);
        let at = 0;
        for (; rest.length - at >= headBytes; ) {
          const end = at + headBytes + rest.readUInt32LE(at);
          if (end > rest.length) {
            break;
          }
          yield* entryIn(rest.subarray(at, end));
          at = end;
        }
        rest = rest.subarray(at);
      }
    } finally {
      closeSync(file);
    }
  }

  /** Replaces the file by one with these entries, and appends after them. */
  rewrite(parts: Iterable<KeptEntries>): void {
    const file = openSync(`${this.#path}.new`, "w", 0o600);
    this.#bytes = 0;
    for (const { bytes } of parts) {
      this.#write(file, bytes);
    }
    renameSync(`${this.#path}.new`, this.#path);
    if (this.#file !== null) {
      closeSync(this.#file);
    }
    this.#file = file;
  }

  append({ bytes }: KeptEntries): void {
    if (this.#file === null) {
      throw new TypeError("Cannot append before the file is written anew");
    }
    this.#write(this.#file, bytes);
  }

  /** Marks that the broker has all that was appended. */
  mark(): void {
    const entries = new KeptEntries();
    entries.addPublished();
    this.append(entries);
  }

  /** A sign of life. */
  touch(nowMs: number): void {
    if (this.#file !== null) {
      futimesSync(this.#file, nowMs / 1000, nowMs / 1000);
    }
  }

  [Symbol.dispose](): void {
    if (this.#file !== null) {
      closeSync(this.#file);
      this.#file = null;
    }
  }

  #write(file: number, bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      at += writeSync(file, bytes, at);
    }
    this.#bytes += bytes.length;
  }
}

function openOrNull(path: string): number | null {
  try {
    return openSync(path, "r");
  } catch {
    return null;
  }
}

function* entryIn(bytes: Buffer): Generator<KeptEntry> {
  const body = bytes.subarray(headBytes);
  if (bytes[4] === kinds.update) {
    yield { kind: "updates", pathId: bytes[5] === 1 ? bytes.readUInt32LE(8) : null, messages: body };
  } else if (bytes[4] === kinds.published) {
    yield { kind: "published" };
  } else if (bytes[4] === kinds.position) {
    yield { kind: "position", ...(JSON.parse(body.toString()) as FilePosition) };
  }
}
