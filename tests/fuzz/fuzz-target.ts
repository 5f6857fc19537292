/** A parser of foreign bytes, as the fuzzer sees it. */
export interface FuzzTarget {
  /** Also the folder of its kept inputs, tests/fuzz/corpus/NAME. */
  readonly name: string;
  /** Good inputs, which are damaged. */
  readonly seeds: readonly Uint8Array[];
  /** A part of all cases, by how fast it is; each target has a million at least in a whole run. */
  readonly share: number;
  /** Throws on what must not be: an exception that is not the parser's own, a result that contradicts itself. */
  readonly read: (bytes: Uint8Array) => unknown;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}

export function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** JSON, or undefined for what is none. */
export function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(bytes));
  } catch {
    return undefined;
  }
}

/** Runs a parser that refuses by exceptions of its own; passes every other on. */
export function refusing(own: (error: unknown) => boolean, parse: () => unknown): void {
  try {
    parse();
  } catch (error) {
    if (!own(error)) {
      throw error;
    }
  }
}
