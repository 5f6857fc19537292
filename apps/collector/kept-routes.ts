/**
 * What stands, in a file that outlives the collector: the messages as they came, so that the next start has the table,
 * and says what went down meanwhile.
 *
 * | bytes | entry                                                                                    |
 * |-------|------------------------------------------------------------------------------------------|
 * | 4     | length of what follows the head                                                          |
 * | 1     | kind: 1 update, 2 all before is with the broker, 3 how far a file of MRT was read        |
 * | 1     | of an update: 1 = it has a path id                                                       |
 * | 2     | zeros                                                                                    |
 * | 4     | path id                                                                                  |
 * |       | 1: a message of update.capnp; 3: JSON                                                    |
 *
 * Integers are little endian. An entry that a kill has cut off at the end is left out. The file's time of change says
 * when the collector was last alive.
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
import { keptBytesMax } from "./limits.ts";

const headBytes = 12;
const pieceBytes = 4 * 1024 * 1024;
const kinds = { update: 1, published: 2, position: 3 } as const;

/** How far a file was read; `inode` changes when another is put in its place. */
export interface FilePosition {
  readonly file: string;
  readonly inode: number;
  readonly offset: number;
}

interface KeptUpdate {
  readonly pathId: number | null;
  /** A message of update.capnp. */
  readonly message: Uint8Array;
}

export type KeptEntry =
  | ({ readonly kind: "update" } & KeptUpdate)
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

  /** In order; without a file nothing. */
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

  /** Replaces the file by one with these entries, and goes on behind them. */
  rewrite(entries: Iterable<KeptEntry>): void {
    const file = openSync(`${this.#path}.new`, "w", 0o600);
    this.#bytes = 0;
    let pending: KeptEntry[] = [];
    for (const entry of entries) {
      pending.push(entry);
      if (pending.length === 10_000) {
        this.#write(file, pending);
        pending = [];
      }
    }
    this.#write(file, pending);
    renameSync(`${this.#path}.new`, this.#path);
    if (this.#file !== null) {
      closeSync(this.#file);
    }
    this.#file = file;
  }

  append(entries: readonly KeptEntry[]): void {
    if (this.#file === null) {
      throw new TypeError("Cannot append before the file is written anew");
    }
    this.#write(this.#file, entries);
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

  #write(file: number, entries: readonly KeptEntry[]): void {
    const bytes = Buffer.concat(entries.flatMap(partsOf));
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

function partsOf(entry: KeptEntry): Uint8Array[] {
  const head = Buffer.alloc(headBytes);
  head[4] = kinds[entry.kind];
  if (entry.kind === "published") {
    return [head];
  }
  if (entry.kind === "update") {
    head.writeUInt32LE(entry.message.length, 0);
    head[5] = entry.pathId === null ? 0 : 1;
    head.writeUInt32LE(entry.pathId ?? 0, 8);
    return [head, entry.message];
  }
  const { file, inode, offset } = entry;
  const text = Buffer.from(JSON.stringify({ file, inode, offset }));
  head.writeUInt32LE(text.length, 0);
  return [head, text];
}

function* entryIn(bytes: Buffer): Generator<KeptEntry> {
  const body = bytes.subarray(headBytes);
  if (bytes[4] === kinds.update) {
    yield { kind: "update", pathId: bytes[5] === 1 ? bytes.readUInt32LE(8) : null, message: body };
  } else if (bytes[4] === kinds.published) {
    yield { kind: "published" };
  } else if (bytes[4] === kinds.position) {
    yield { kind: "position", ...(JSON.parse(body.toString()) as FilePosition) };
  }
}
