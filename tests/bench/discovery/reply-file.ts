/**
 * Replies in a file, sorted by unit, as a column store gives them: read from front to back, one unit in memory at a
 * time.
 *
 *     unit, number of replies, then for each: subnet in the unit << 19 | flow << 6 | TTL, router (0 = nobody)
 *
 * All are numbers of 32 bits in the machine's order.
 */
import { closeSync, openSync, readSync, writeSync } from "node:fs";

/** Numbers that are read or written at once: 1 MiB. */
const bufferWords = 2 ** 18;
const headWords = 2;
const wordBytes = 4;

export class ReplyWriter implements Disposable {
  readonly #file: number;
  readonly #words = new Uint32Array(bufferWords);
  #used = 0;

  constructor(path: string) {
    this.#file = openSync(path, "w");
  }

  /** A unit's replies, those of earlier rounds first. */
  write(unit: number, ...parts: readonly Uint32Array[]): void {
    this.#put(unit);
    this.#put(parts.reduce((sum, { length }) => sum + length, 0) / 2);
    for (const part of parts) {
      for (let done = 0; done < part.length; ) {
        if (this.#used === bufferWords) {
          this.#flush();
        }
        const some = part.subarray(done, done + bufferWords - this.#used);
        this.#words.set(some, this.#used);
        this.#used += some.length;
        done += some.length;
      }
    }
  }

  [Symbol.dispose](): void {
    this.#flush();
    closeSync(this.#file);
  }

  #put(word: number): void {
    if (this.#used === bufferWords) {
      this.#flush();
    }
    this.#words[this.#used++] = word;
  }

  #flush(): void {
    writeSync(this.#file, this.#words, 0, this.#used * wordBytes);
    this.#used = 0;
  }
}

export class ReplyReader implements Disposable {
  readonly #file: number;
  readonly #words = new Uint32Array(bufferWords);
  #at = 0;
  #end = 0;
  /** The unit that `next` has come to, and what is known of it. */
  unit = -1;
  replies = new Uint32Array();

  constructor(path: string) {
    this.#file = openSync(path, "r");
  }

  /** Goes to the next unit; false = that was the last. */
  next(): boolean {
    const [unit, count] = [this.#take(), this.#take()];
    if (unit === null || count === null) {
      return false;
    }
    this.unit = unit;
    this.replies = new Uint32Array(count * headWords);
    for (let done = 0; done < this.replies.length; ) {
      const some = this.#some(this.replies.length - done);
      if (some.length === 0) {
        throw new Error(`The file of replies ends within unit ${unit}`);
      }
      this.replies.set(some, done);
      done += some.length;
    }
    return true;
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }

  #take(): number | null {
    return this.#some(1)[0] ?? null;
  }

  /** The next numbers, up to `most`, as far as they are read; none = the end. */
  #some(most: number): Uint32Array {
    if (this.#at === this.#end) {
      this.#end = readSync(this.#file, this.#words, 0, bufferWords * wordBytes, null) / wordBytes;
      this.#at = 0;
    }
    const some = this.#words.subarray(this.#at, Math.min(this.#end, this.#at + most));
    this.#at += some.length;
    return some;
  }
}

const flowBits = 13;
const ttlBits = 6;

export function packReply(subnet: number, flow: number, ttl: number): number {
  return (subnet << (flowBits + ttlBits)) | (flow << ttlBits) | ttl;
}

export function unpackReply(word: number): { subnet: number; flow: number; ttl: number } {
  const flow = (word >>> ttlBits) & (2 ** flowBits - 1);
  return { subnet: word >>> (flowBits + ttlBits), flow, ttl: word & (2 ** ttlBits - 1) };
}
