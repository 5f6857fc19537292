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
import { closeSync, futimesSync, mkdirSync, openSync, renameSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { KeptEntries } from "./kept-entries.ts";
import { entriesOf, type KeptEntry } from "./kept-file.ts";
import { keptBytesMax, keptMsMax } from "./limits.ts";
import { RouteHistory } from "./route-history.ts";

export class KeptRoutes implements Disposable {
  /** Earlier files. */
  readonly history: RouteHistory;
  readonly #path: string;
  #file: number | null = null;
  #bytes = 0;
  #begunMs = 0;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#path = join(folder, "routes.log");
    this.history = new RouteHistory(folder);
  }

  /** When it was last written or touched, microseconds since 1970; null = it is not there. */
  get lastAliveUs(): bigint | null {
    const stat = statSync(this.#path, { throwIfNoEntry: false });
    return stat === undefined ? null : BigInt(Math.round(stat.mtimeMs * 1000));
  }

  /** Whether it is to be rewritten: it is large or old. */
  get isDue(): boolean {
    return this.#bytes > keptBytesMax || Date.now() - this.#begunMs > keptMsMax;
  }

  /** Entries in order; none without a file. */
  *read(): Generator<KeptEntry> {
    for (const { entry } of entriesOf(this.#path, 0)) {
      yield entry;
    }
  }

  /** Replaces the file by one with these entries, the routes that stand at this time, and appends after them. */
  rewrite(parts: Iterable<KeptEntries>, nowUs: bigint): void {
    const file = openSync(`${this.#path}.new`, "w", 0o600);
    this.#bytes = 0;
    this.#begunMs = Date.now();
    for (const { bytes } of parts) {
      this.#write(file, bytes);
    }
    renameSync(`${this.#path}.new`, this.#path);
    this.history.keep(this.#path, Number(nowUs), this.#bytes);
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
