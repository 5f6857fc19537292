/**
 * Named arrays in one file: how the tables of a set of context lie on disk, to be used without parsing.
 *
 * | offset | bytes | field                                                          |
 * |--------|-------|----------------------------------------------------------------|
 * | 0      | 8     | `VANTCTX1`                                                     |
 * | 8      | 4     | length of the list, little endian                              |
 * | 12     |       | list, JSON: `[{"name","type":"u8"\|"u32","length"}]`, padded   |
 * |        |       | the arrays in this order, little endian, each padded           |
 *
 * Each part is padded with zeros (the list with spaces) to a multiple of 8 bytes.
 */
import { DataFileError } from "./data-file-error.ts";

const magic = "VANTCTX1";
const alignment = 8;

type SectionArray = Uint32Array | Uint8Array;

export class Sections {
  readonly #arrays = new Map<string, SectionArray>();

  /** @throws DataFileError on bytes that are not such a file, or not whole */
  constructor(bytes: Uint8Array) {
    if (new TextDecoder().decode(bytes.subarray(0, 8)) !== magic) {
      throw new DataFileError("byte 0", "this is not a table of a set of context");
    }
    const listBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(8, true);
    const list = listOf(bytes.subarray(12, 12 + listBytes));
    let at = 12 + listBytes;
    for (const { name, type, length } of list) {
      const size = type === "u32" ? 4 * length : length;
      if (at + size > bytes.length) {
        throw new DataFileError(`section ${name}`, "the table is not whole");
      }
      const start = bytes.byteOffset + at;
      const array =
        type === "u32" ? new Uint32Array(bytes.buffer, start, length) : bytes.subarray(at, at + size);
      this.#arrays.set(name, array);
      at += padded(size);
    }
  }

  u32(name: string): Uint32Array {
    const array = this.#arrays.get(name);
    if (array instanceof Uint32Array) {
      return array;
    }
    throw new DataFileError(`section ${name}`, "the table does not have it");
  }

  u8(name: string): Uint8Array {
    const array = this.#arrays.get(name);
    if (array instanceof Uint8Array) {
      return array;
    }
    throw new DataFileError(`section ${name}`, "the table does not have it");
  }
}

interface Section {
  readonly name: string;
  readonly type: "u8" | "u32";
  readonly length: number;
}

export function sectionFile(arrays: Readonly<Record<string, SectionArray>>): Uint8Array {
  const list: Section[] = Object.entries(arrays).map(([name, array]) => ({
    name,
    type: array instanceof Uint32Array ? "u32" : "u8",
    length: array.length,
  }));
  // The list ends where a multiple of 8 bytes of the file does, 12 bytes before it included.
  const text = JSON.stringify(list);
  const listBytes = padded(text.length + 12) - 12;
  const sizes = Object.values(arrays).map((array) => padded(array.byteLength));
  const file = new Uint8Array(12 + listBytes + sizes.reduce((sum, size) => sum + size, 0));
  file.set(new TextEncoder().encode(`${magic}\0\0\0\0${text.padEnd(listBytes)}`));
  new DataView(file.buffer).setUint32(8, listBytes, true);
  let at = 12 + listBytes;
  for (const [i, array] of Object.values(arrays).entries()) {
    file.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += sizes[i] ?? 0;
  }
  return file;
}

function listOf(bytes: Uint8Array): readonly Section[] {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new DataFileError("byte 12", "the list of sections cannot be read", { cause });
  }
}

function padded(size: number): number {
  return Math.ceil(size / alignment) * alignment;
}
