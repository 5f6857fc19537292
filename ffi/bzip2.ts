/** Unpacks bzip2, the format of RouteViews' RIB dumps, with libbz2, as a stream. Tried: 1.0.8. */
import { dlopen, ptr } from "bun:ffi";

const libraryName = "libbz2.so.1.0";

function load() {
  return dlopen(libraryName, {
    BZ2_bzDecompressInit: { args: ["ptr", "i32", "i32"], returns: "i32" },
    BZ2_bzDecompress: { args: ["ptr"], returns: "i32" },
    BZ2_bzDecompressEnd: { args: ["ptr"], returns: "i32" },
  }).symbols;
}

/**
 * `bz_stream` of 64-bit Linux: next_in 0 (8), avail_in 8 (4), totals 12 (8), next_out 24 (8), avail_out 32 (4), totals
 * 36 (8), state 48 (8), allocators 56 (24).
 */
const streamBytes = 80;
const offsets = { nextIn: 0, availIn: 8, nextOut: 24, availOut: 32 } as const;

const ok = 0;
const streamEnd = 4;
const outBytes = 900_000;

class Bzip2Error extends Error {
  override readonly name = "Bzip2Error";
}

/** A file of one packed stream, or of several in a row, as pbzip2 writes them. */
export class Bzip2Reader implements Disposable {
  readonly #library: ReturnType<typeof load>;
  readonly #stream = new Uint8Array(streamBytes);
  readonly #view = new DataView(this.#stream.buffer);
  readonly #out = new Uint8Array(outBytes);
  #isOpen = false;

  /** Throws an Error that names the Debian package when the library is missing. */
  constructor() {
    try {
      this.#library = load();
    } catch (cause) {
      throw new Bzip2Error(`Cannot load ${libraryName}: install the package libbz2-1.0`, { cause });
    }
  }

  /**
   * Unpacks the next bytes of the file, in parts that are each valid until the next one; throws on damaged
   * bytes.
   */
  *unpack(bytes: Uint8Array): Generator<Uint8Array> {
    const out = ptr(this.#out);
    this.#view.setBigUint64(offsets.nextIn, BigInt(ptr(bytes)), true);
    this.#view.setUint32(offsets.availIn, bytes.length, true);
    while (this.#availIn > 0) {
      if (!this.#isOpen && isZero(bytes.subarray(bytes.length - this.#availIn))) {
        // Padding after the last stream.
        return;
      }
      this.#open();
      this.#view.setBigUint64(offsets.nextOut, BigInt(out), true);
      this.#view.setUint32(offsets.availOut, outBytes, true);
      const result = this.#library.BZ2_bzDecompress(ptr(this.#stream));
      if (result !== ok && result !== streamEnd) {
        throw new Bzip2Error(`the packed data is damaged (bzip2 error ${result})`);
      }
      yield this.#out.subarray(0, outBytes - this.#view.getUint32(offsets.availOut, true));
      if (result === streamEnd) {
        this[Symbol.dispose]();
      }
    }
    yield* this.#rest(out);
  }

  /** True between two packed streams, where a whole file may end. */
  get isAtEnd(): boolean {
    return !this.#isOpen;
  }

  [Symbol.dispose](): void {
    if (this.#isOpen) {
      this.#library.BZ2_bzDecompressEnd(ptr(this.#stream));
      this.#isOpen = false;
    }
  }

  /** Output that did not fit into the buffer together with the last input. */
  *#rest(out: number): Generator<Uint8Array> {
    while (this.#isOpen && this.#view.getUint32(offsets.availOut, true) === 0) {
      this.#view.setBigUint64(offsets.nextOut, BigInt(out), true);
      this.#view.setUint32(offsets.availOut, outBytes, true);
      const result = this.#library.BZ2_bzDecompress(ptr(this.#stream));
      yield this.#out.subarray(0, outBytes - this.#view.getUint32(offsets.availOut, true));
      if (result === streamEnd) {
        this[Symbol.dispose]();
      }
    }
  }

  get #availIn(): number {
    return this.#view.getUint32(offsets.availIn, true);
  }

  #open(): void {
    if (this.#isOpen) {
      return;
    }
    const [nextIn, availIn] = [this.#view.getBigUint64(offsets.nextIn, true), this.#availIn];
    this.#stream.fill(0);
    if (this.#library.BZ2_bzDecompressInit(ptr(this.#stream), 0, 0) !== ok) {
      throw new Bzip2Error("libbz2 is out of memory");
    }
    this.#isOpen = true;
    this.#view.setBigUint64(offsets.nextIn, nextIn, true);
    this.#view.setUint32(offsets.availIn, availIn, true);
  }
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}
