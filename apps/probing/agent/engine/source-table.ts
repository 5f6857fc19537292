/**
 * The prefixes at which replies may arrive, in shared memory: they change while receivers run.
 *
 *     0 version i32 (0 = being written) | 4 count i32 | 8 … entries: 16 base | 4 length i32 | 4 family i32
 *
 * One thread writes. A receiver compares the version once in each batch, and reads the table when it has changed.
 */
import { sourcesMax } from "../../../../ffi/hotpath/memory-layout.ts";
import { type Address, addressBytes } from "../../../../lib/net/ip/address.ts";
import type { Prefix } from "../../../../lib/net/ip/prefix.ts";

const headerBytes = 8;
const entryBytes = addressBytes + 8;

export class SourceTable {
  readonly buffer: SharedArrayBuffer;
  readonly #header: Int32Array;
  readonly #view: DataView;

  /** Wraps a buffer that `SourceTable.allocate` made, here or in another thread. */
  constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer;
    this.#header = new Int32Array(buffer, 0, 2);
    this.#view = new DataView(buffer, headerBytes);
  }

  /** Throws RangeError on more than 128 prefixes, the most that the hot path takes. */
  static allocate(prefixes: readonly Prefix[]): SourceTable {
    const table = new SourceTable(new SharedArrayBuffer(headerBytes + sourcesMax * entryBytes));
    table.set(prefixes);
    return table;
  }

  get version(): number {
    return Atomics.load(this.#header, 0);
  }

  /** Throws RangeError as `allocate` does. */
  set(prefixes: readonly Prefix[]): void {
    if (prefixes.length > sourcesMax) {
      throw new RangeError(`Cannot use ${prefixes.length} source prefixes: at most ${sourcesMax}`);
    }
    const version = this.version;
    Atomics.store(this.#header, 0, 0);
    prefixes.forEach((prefix, i) => {
      this.#write(i * entryBytes, prefix);
    });
    this.#header[1] = prefixes.length;
    Atomics.store(this.#header, 0, version + 1);
  }

  /** Null while it is being written: read it again with the next batch. */
  read(): Prefix[] | null {
    const version = this.version;
    const prefixes = Array.from({ length: this.#header[1] ?? 0 }, (_, i) => this.#read(i * entryBytes));
    return version !== 0 && this.version === version ? prefixes : null;
  }

  #write(at: number, { base, length, family }: Prefix): void {
    base.forEach((byte, i) => {
      this.#view.setUint8(at + i, byte);
    });
    this.#view.setInt32(at + addressBytes, length, true);
    this.#view.setInt32(at + addressBytes + 4, family, true);
  }

  #read(at: number): Prefix {
    const base: Address = Uint8Array.from({ length: addressBytes }, (_, i) => this.#view.getUint8(at + i));
    const length = this.#view.getInt32(at + addressBytes, true);
    return { base, length, family: this.#view.getInt32(at + addressBytes + 4, true) === 4 ? 4 : 6 };
  }
}
