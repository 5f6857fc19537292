/**
 * A bounded ring of bytes in shared memory, from one writing thread to one reading thread.
 *
 *     0 written i32 | 4 read i32 | 8 … data
 *
 * Both positions run modulo twice the capacity, so that full and empty differ. A write is all or nothing, so
 * readers see whole records when writers write whole records.
 */
import { type MemoryMaker, plainMemory } from "./shared-memory.ts";

const headerBytes = 8;
const written = 0;
const read = 1;

export class ByteRing {
  readonly buffer: SharedArrayBuffer;
  readonly capacityBytes: number;
  readonly #positions: Int32Array;
  readonly #data: Uint8Array;

  /** Wraps a buffer that `ByteRing.allocate` made, here or in another thread. */
  constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer;
    this.capacityBytes = buffer.byteLength - headerBytes;
    this.#positions = new Int32Array(buffer, 0, 2);
    this.#data = new Uint8Array(buffer, headerBytes);
  }

  /** `capacityBytes` is at most 512 MiB; `memory` may give a little more. */
  static allocate(capacityBytes: number, name = "", memory: MemoryMaker = plainMemory): ByteRing {
    return new ByteRing(memory(name, headerBytes + capacityBytes));
  }

  usedBytes(): number {
    const span = 2 * this.capacityBytes;
    return (Atomics.load(this.#positions, written) - Atomics.load(this.#positions, read) + span) % span;
  }

  /** Appends all of `bytes`, or nothing: false when they do not fit now. */
  write(bytes: Uint8Array): boolean {
    if (bytes.length > this.capacityBytes - this.usedBytes()) {
      return false;
    }
    const position = Atomics.load(this.#positions, written);
    const start = position % this.capacityBytes;
    const first = Math.min(bytes.length, this.capacityBytes - start);
    if (first === bytes.length) {
      // Subarrays would be two new objects for each probe.
      this.#data.set(bytes, start);
    } else {
      this.#data.set(bytes.subarray(0, first), start);
      this.#data.set(bytes.subarray(first), 0);
    }
    this.#move(written, position, bytes.length);
    return true;
  }

  /** Copies the oldest bytes but `ahead`, at most `bytesMax`, to `offset` without taking them; returns how many. */
  peek(into: Uint8Array, offset = 0, bytesMax = into.length - offset, ahead = 0): number {
    const count = Math.min(bytesMax, this.usedBytes() - ahead);
    const start = (Atomics.load(this.#positions, read) + ahead) % this.capacityBytes;
    const first = Math.min(count, this.capacityBytes - start);
    into.set(this.#data.subarray(start, start + first), offset);
    if (first < count) {
      into.set(this.#data.subarray(0, count - first), offset + first);
    }
    return count;
  }

  /** Removes the oldest `count` bytes. */
  advance(count: number): void {
    this.#move(read, Atomics.load(this.#positions, read), count);
  }

  /** The position `ahead` bytes after the oldest one, for `distanceTo`. */
  position(ahead: number): number {
    return (Atomics.load(this.#positions, read) + ahead) % (2 * this.capacityBytes);
  }

  /** Bytes from the oldest one to a position; 0 for one that was removed, if that was recently. */
  distanceTo(position: number): number {
    const span = 2 * this.capacityBytes;
    const distance = (position - Atomics.load(this.#positions, read) + span) % span;
    return distance > this.usedBytes() ? 0 : distance;
  }

  /** Copies `count` bytes removed `behind` bytes ago, unless they have been overwritten. */
  peekBack(into: Uint8Array, behind: number, count: number): boolean {
    if (behind > this.capacityBytes - this.usedBytes()) {
      return false;
    }
    const span = 2 * this.capacityBytes;
    const start = (Atomics.load(this.#positions, read) - behind + span) % this.capacityBytes;
    const first = Math.min(count, this.capacityBytes - start);
    into.set(this.#data.subarray(start, start + first));
    into.set(this.#data.subarray(0, count - first), first);
    return true;
  }

  /** Waits until there is something to read, or `endWait` is called; at most `timeoutMs`. */
  waitForBytes(timeoutMs: number): void {
    const position = Atomics.load(this.#positions, written);
    if (this.usedBytes() === 0) {
      Atomics.wait(this.#positions, written, position, timeoutMs);
    }
  }

  /** Ends a current wait for bytes, not one that begins after it. */
  endWait(): void {
    Atomics.notify(this.#positions, written);
  }

  /** Waits until the reader has removed something, at most `timeoutMs`. */
  waitForRoom(timeoutMs: number): void {
    Atomics.wait(this.#positions, read, Atomics.load(this.#positions, read), timeoutMs);
  }

  #move(which: number, position: number, count: number): void {
    Atomics.store(this.#positions, which, (position + count) % (2 * this.capacityBytes));
    Atomics.notify(this.#positions, which);
  }
}
