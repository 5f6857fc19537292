/**
 * Names of measurements by number, in shared memory: written by the consumer, read by the producer.
 *
 * A probe carries its measurement's number through the engine; its reply returns it. Number 0 is "no name". An entry:
 * 0 number i32 (0 = free, or being written) | 4 bytes of the name u32 | 8 the name in UTF-8.
 */
import { keptNames, type MemoryMaker, plainMemory } from "./engine/shared-memory.ts";
import { measurementIdBytesMax, measurementKeepMs, measurementsMax } from "./limits.ts";

const entryBytes = 8 + measurementIdBytesMax;

export const noMeasurement = 0;

export class MeasurementTable {
  readonly buffer: SharedArrayBuffer;
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer;
    this.#words = new Int32Array(buffer);
    this.#bytes = new Uint8Array(buffer);
  }

  static allocate(entries = measurementsMax, memory: MemoryMaker = plainMemory): MeasurementTable {
    return new MeasurementTable(memory(keptNames.measurements, entries * entryBytes));
  }

  get entries(): number {
    return Math.floor(this.buffer.byteLength / entryBytes);
  }

  /** The numbers and names in the table. */
  *[Symbol.iterator](): Generator<readonly [number: number, name: string]> {
    for (let place = 1; place < this.entries; place++) {
      const number = Atomics.load(this.#words, (place * entryBytes) / 4);
      const name = this.nameOf(number);
      if (name !== null) {
        yield [number, name];
      }
    }
  }

  /** Null when the number is not in the table, or no longer. */
  nameOf(number: number): string | null {
    const at = this.#entryOf(number);
    if (number <= noMeasurement || Atomics.load(this.#words, at / 4) !== number) {
      return null;
    }
    const length = this.#words[at / 4 + 1] ?? 0;
    // A copy, because shared memory cannot be decoded in place.
    const name = new TextDecoder().decode(this.#bytes.slice(at + 8, at + 8 + length));
    return Atomics.load(this.#words, at / 4) === number ? name : null;
  }

  set(number: number, name: Uint8Array): void {
    const at = this.#entryOf(number);
    Atomics.store(this.#words, at / 4, 0);
    this.#words[at / 4 + 1] = name.length;
    this.#bytes.set(name, at + 8);
    Atomics.store(this.#words, at / 4, number);
  }

  #entryOf(number: number): number {
    return (number % this.entries) * entryBytes;
  }
}

interface Entry {
  readonly number: number;
  usedAtMs: number;
}

/** The consumer's side: assigns numbers, and frees them when no reply can arrive any more. */
export class MeasurementNumbers {
  readonly #table: MeasurementTable;
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>();
  /** Entries that were never used. */
  readonly #free: number[] = [];

  /**
   * Measurements that a killed process left in the table keep their numbers: replies to their probes may still arrive.
   */
  constructor(table: MeasurementTable, nowMs = 0) {
    this.#table = table;
    const used = new Set<number>();
    for (const [number, name] of table) {
      this.#entries.set(name, { number, usedAtMs: nowMs });
      used.add(number % table.entries);
    }
    for (let place = table.entries - 1; place > 0; place--) {
      if (!used.has(place)) {
        this.#free.push(place);
      }
    }
  }

  /** Call it again with each turn, which keeps the number. Null when too many measurements are in flight. */
  numberOf(name: string, nowMs: number): number | null {
    const known = this.#entries.get(name);
    if (known !== undefined) {
      this.#entries.delete(name);
      this.#entries.set(name, known);
      known.usedAtMs = nowMs;
      return known.number;
    }
    const number = this.#take(nowMs);
    if (number !== null) {
      this.#table.set(number, new TextEncoder().encode(name));
      this.#entries.set(name, { number, usedAtMs: nowMs });
    }
    return number;
  }

  /** An entry of the table is reused under another number, so a late reply never gets another measurement's name. */
  #take(nowMs: number): number | null {
    const free = this.#free.pop();
    if (free !== undefined) {
      return free;
    }
    const [oldest] = this.#entries;
    if (oldest === undefined || nowMs - oldest[1].usedAtMs < measurementKeepMs) {
      return null;
    }
    this.#entries.delete(oldest[0]);
    const number = oldest[1].number + this.#table.entries;
    return number < 2 ** 30 ? number : number % this.#table.entries;
  }
}
