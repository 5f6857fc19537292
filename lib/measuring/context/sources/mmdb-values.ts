/**
 * Values of the data section of a MaxMind DB file (format 2.0).
 *
 * A control byte has the type in its upper 3 bits (0 = the next byte plus 7) and the size in its lower 5 (29, 30, 31:
 * 29, 285, 65,821 plus the 1, 2, 3 bytes behind it). A pointer has two bits of size and three of value instead.
 */
import { DataFileError } from "../data-file-error.ts";

export type MmdbValue = string | number | bigint | boolean | Uint8Array | readonly MmdbValue[] | MmdbMap;
export interface MmdbMap {
  readonly [key: string]: MmdbValue;
}

const types = {
  pointer: 1,
  text: 2,
  double: 3,
  bytes: 4,
  int32: 8,
  map: 7,
  array: 11,
  boolean: 14,
  float: 15,
};
const unsignedTypes: readonly number[] = [5, 6, 9, 10];

/** Valid files never nest 40 deep; a pointer to itself would never end. */
const depthMax = 40;

/** What is added to a size, by how many bytes it takes. */
const sizeBases = [29, 285, 65821];

/** What is added to the value of a pointer, by its bits of size. */
const pointerBases = [0, 2048, 526336, 0];

export class MmdbValues {
  readonly #view: DataView;
  #at = 0;

  /** @param section the data section alone: pointers count from its start */
  constructor(private readonly section: Uint8Array) {
    this.#view = new DataView(section.buffer, section.byteOffset, section.length);
  }

  /** @throws DataFileError when a value does not lie within the section */
  at(offset: number): MmdbValue {
    this.#at = offset;
    try {
      return this.#value(0);
    } catch (cause) {
      if (cause instanceof RangeError) {
        throw new DataFileError(`value at ${offset}`, "it does not lie within the file", { cause });
      }
      throw cause;
    }
  }

  #value(depth: number): MmdbValue {
    if (depth > depthMax) {
      throw new RangeError("nested too deeply");
    }
    const control = this.#byte();
    const type = control >>> 5 === 0 ? this.#byte() + 7 : control >>> 5;
    if (type === types.pointer) {
      return this.#behind(this.#pointer(control), depth);
    }
    const size = this.#size(control & 0x1f);
    if (type === types.map) {
      return this.#map(size, depth);
    }
    if (type === types.array) {
      return Array.from({ length: this.#bounded(size) }, () => this.#value(depth + 1));
    }
    return this.#scalar(type, size);
  }

  #map(size: number, depth: number): MmdbMap {
    const entries: [string, MmdbValue][] = [];
    for (let i = 0; i < this.#bounded(size); i++) {
      entries.push([String(this.#value(depth + 1)), this.#value(depth + 1)]);
    }
    return Object.fromEntries(entries);
  }

  #scalar(type: number, size: number): MmdbValue {
    if (type === types.boolean) {
      return size !== 0;
    }
    const start = this.#at;
    const bytes = this.#take(size);
    if (type === types.text) {
      return new TextDecoder().decode(bytes);
    }
    if (type === types.double) {
      return this.#view.getFloat64(start);
    }
    if (type === types.float) {
      return this.#view.getFloat32(start);
    }
    if (type === types.int32 || unsignedTypes.includes(type)) {
      const value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
      return type === types.int32 ? Number(BigInt.asIntN(32, value)) : size > 6 ? value : Number(value);
    }
    return bytes.slice();
  }

  /** The value that a pointer points to; reading continues after the pointer. */
  #behind(offset: number, depth: number): MmdbValue {
    const back = this.#at;
    this.#at = offset;
    const value = this.#value(depth + 1);
    this.#at = back;
    return value;
  }

  #pointer(control: number): number {
    const size = (control >>> 3) & 3;
    const top = size === 3 ? 0 : control & 7;
    const low = this.#take(size + 1).reduce((sum, byte) => sum * 256 + byte, 0);
    return top * 256 ** (size + 1) + low + (pointerBases[size] ?? 0);
  }

  #size(bits: number): number {
    if (bits < 29) {
      return bits;
    }
    const more = this.#take(bits - 28).reduce((sum, byte) => sum * 256 + byte, 0);
    return more + (sizeBases[bits - 29] ?? 0);
  }

  #bounded(count: number): number {
    if (count > this.section.length) {
      throw new RangeError("more entries than bytes");
    }
    return count;
  }

  #byte(): number {
    return this.#view.getUint8(this.#at++);
  }

  #take(size: number): Uint8Array {
    if (this.#at + size > this.section.length) {
      throw new RangeError("beyond the section");
    }
    this.#at += size;
    return this.section.subarray(this.#at - size, this.#at);
  }
}
