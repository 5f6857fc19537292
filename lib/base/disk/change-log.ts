/**
 * A file of changes, each a line of JSON that is on disk before `append` returns. A partial last line, left by a kill,
 * is removed at the next start.
 */
import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { systemReason } from "../failure/system-reason.ts";
import { lockDirectory } from "./directory-lock.ts";

export const journalFile = "journal.ndjson";
const lineEnd = 0x0a;
/** Bytes of the file read at a time. */
const readBytes = 1 << 20;

export class ChangeLog<Change> implements Disposable {
  readonly #path: string;
  readonly #owner: string;
  readonly #lock: Disposable;
  readonly #file: number;
  #bytes = 0;

  /**
   * Passes each stored change to `onChange`; `owner` names the folder's owner, as in "a campaign". Throws an Error,
   * with the next step.
   */
  constructor(folder: string, owner: string, onChange: (change: Change) => void) {
    this.#path = join(folder, journalFile);
    this.#owner = owner;
    this.#lock = lockDirectory(folder, owner);
    this.#file = openSync(this.#path, "a+", 0o600);
    try {
      this.#read(onChange);
      if (fstatSync(this.#file).size > this.#bytes) {
        ftruncateSync(this.#file, this.#bytes);
      }
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  /** Throws an Error when the write fails; then the change did not happen. */
  append(change: Change): void {
    const line = Buffer.from(`${JSON.stringify(change)}\n`);
    try {
      for (let from = 0; from < line.length; ) {
        from += writeSync(this.#file, line, from);
      }
      fdatasyncSync(this.#file);
    } catch (cause) {
      ftruncateSync(this.#file, this.#bytes);
      throw new Error(`Cannot write to ${this.#path}: ${systemReason(cause)}`, { cause });
    }
    this.#bytes += line.length;
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
    this.#lock[Symbol.dispose]();
  }

  /** Whole lines, a chunk of the file at a time. */
  #read(onChange: (change: Change) => void): void {
    const piece = Buffer.alloc(readBytes);
    let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0);
    let number = 0;
    for (let got = -1, at = 0; got !== 0; at += got) {
      got = readSync(this.#file, piece, 0, piece.length, at);
      rest = Buffer.concat([rest, piece.subarray(0, got)]);
      let from = 0;
      for (let end = rest.indexOf(lineEnd); end >= 0; end = rest.indexOf(lineEnd, from)) {
        number++;
        onChange(this.#changeOf(rest.toString("utf8", from, end), number));
        this.#bytes += end + 1 - from;
        from = end + 1;
      }
      rest = rest.subarray(from);
    }
  }

  #changeOf(line: string, number: number): Change {
    try {
      return JSON.parse(line) as Change;
    } catch (cause) {
      const advice = "restore the file, or start over in another folder";
      throw new Error(`${this.#path}:${number}: is not a line of ${this.#owner}'s journal: ${advice}`, {
        cause,
      });
    }
  }
}
