/**
 * A cache of the texts that replace keys (context-pages.ts). Keys are looked up by their bytes, so a known key creates
 * no string; and keys and texts are in a few large buffers: as some ten thousand values they would keep the garbage
 * collector busy for as long as the rows take.
 */
import type { Steps } from "../../base/list/steps.ts";
import { contextTextsMax } from "./limits.ts";

const firstSlots = 4096;
/** `2026-11-22`. */
const dayLetters = 10;

export class ContextTexts {
  readonly #written: (key: string) => string;
  /** Secret, so that no one can choose addresses whose hashes collide. */
  readonly #seed = Math.trunc(2 ** 31 * Math.random());
  /** Open addressing by hash: the number of a key, from 1; 0 = free. At most half are used. */
  #slots = new Int32Array(firstSlots);
  #hashes = new Int32Array(firstSlots);
  readonly #keys = new Pieces();
  readonly #texts = new Pieces();
  /** From index 1, days of rows that contain them; and the day of each key, 0 if it is in the key. */
  readonly #days: string[] = [""];
  #daysOfKeys = new Int32Array(firstSlots);
  #lastDay = Buffer.alloc(dayLetters);

  constructor(written: (key: string) => string) {
    this.#written = written;
  }

  /** The number of the day at `at`, `2026-11-22`: mostly that of the previous row. */
  dayOf(bytes: Buffer, at: number): number {
    for (let i = 0; i < dayLetters; i++) {
      if (this.#lastDay[i] !== bytes[at + i]) {
        this.#lastDay = Buffer.from(bytes.subarray(at, at + dayLetters));
        this.#days.push(this.#lastDay.toString("latin1"));
        break;
      }
    }
    return this.#days.length - 1;
  }

  /** The number of the key in these bytes, always the same; with a day, the bytes are the address alone. */
  numberOf(bytes: Buffer, from: number, to: number, day = 0): number {
    let hash = this.#seed ^ day;
    for (let at = from; at < to; at++) {
      hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
    }
    hash ^= hash >>> 15;
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] ?? 0) - 1;
      if (number < 0) {
        this.#setDay(this.#keys.count, day);
        return this.#add(bytes.subarray(from, to), hash, slot);
      }
      const isSame = this.#hashes[number] === hash && this.#daysOfKeys[number] === day;
      if (isSame && this.#keys.isAt(number, bytes, from, to)) {
        return number;
      }
    }
  }

  /** Keys added since texts were last written. */
  get unwritten(): string[] {
    const { count } = this.#texts;
    return Array.from({ length: this.#keys.count - count }, (_, i) => this.#key(count + i));
  }

  #key(number: number): string {
    const [day, text] = [this.#daysOfKeys[number] ?? 0, this.#keys.text(number)];
    return day === 0 ? text : `${this.#days[day]} ${text}`;
  }

  #setDay(number: number, day: number): void {
    if (number === this.#daysOfKeys.length) {
      const larger = new Int32Array(2 * number);
      larger.set(this.#daysOfKeys);
      this.#daysOfKeys = larger;
    }
    this.#daysOfKeys[number] = day;
  }

  /** One text per step: a page may have a hundred thousand, each looked up. */
  *writing(): Steps<void> {
    for (const key of this.unwritten) {
      this.#texts.add(Buffer.from(this.#written(key)));
      yield;
    }
  }

  /** Bytes of a text that was written. */
  length(number: number): number {
    return this.#texts.length(number);
  }

  /** Copies a text there, and returns its length. */
  copy(number: number, to: Buffer, at: number): number {
    return this.#texts.copy(number, to, at);
  }

  /** Clears a large cache: earlier numbers become invalid. */
  tidy(): void {
    if (this.#keys.count >= contextTextsMax) {
      this.#slots = new Int32Array(firstSlots);
      this.#keys.clear();
      this.#texts.clear();
      this.#days.length = 1;
      this.#lastDay = Buffer.alloc(dayLetters);
    }
  }

  #add(key: Uint8Array, hash: number, slot: number): number {
    const number = this.#keys.add(key);
    this.#slots[slot] = number + 1;
    this.#hashes[number] = hash;
    if (2 * this.#keys.count > this.#slots.length) {
      this.#grow();
    }
    return number;
  }

  #grow(): void {
    const slots = new Int32Array(2 * this.#slots.length);
    const hashes = new Int32Array(slots.length);
    hashes.set(this.#hashes);
    const mask = slots.length - 1;
    for (let number = 0; number < this.#keys.count; number++) {
      let slot = (hashes[number] ?? 0) & mask;
      while (slots[slot] !== 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = number + 1;
    }
    [this.#slots, this.#hashes] = [slots, hashes];
  }
}

const [firstBytes, firstPieces] = [65_536, 1024];

/** Chunks of bytes by number, one after another in one buffer. */
class Pieces {
  count = 0;
  #bytes = Buffer.allocUnsafe(firstBytes);
  /** Where each chunk begins; after the last, where the next one will. */
  #begins = new Int32Array(firstPieces);

  clear(): void {
    this.count = 0;
  }

  add(piece: Uint8Array): number {
    const begin = this.#begins[this.count] ?? 0;
    const end = begin + piece.length;
    if (end > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(2 * end);
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    this.#bytes.set(piece, begin);
    if (this.count + 2 > this.#begins.length) {
      const larger = new Int32Array(2 * this.#begins.length);
      larger.set(this.#begins);
      this.#begins = larger;
    }
    this.#begins[this.count + 1] = end;
    return this.count++;
  }

  length(number: number): number {
    return (this.#begins[number + 1] ?? 0) - (this.#begins[number] ?? 0);
  }

  copy(number: number, to: Buffer, at: number): number {
    return this.#bytes.copy(to, at, this.#begins[number], this.#begins[number + 1]);
  }

  text(number: number): string {
    return this.#bytes.toString("latin1", this.#begins[number], this.#begins[number + 1]);
  }

  isAt(number: number, bytes: Uint8Array, from: number, to: number): boolean {
    const begin = this.#begins[number] ?? 0;
    if ((this.#begins[number + 1] ?? 0) - begin !== to - from) {
      return false;
    }
    const own = this.#bytes;
    for (let i = to - from - 1; i >= 0; i--) {
      if (own[begin + i] !== bytes[from + i]) {
        return false;
      }
    }
    return true;
  }
}
