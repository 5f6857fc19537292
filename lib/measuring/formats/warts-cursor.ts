/**
 * Reads the parts that objects of warts are made of, in the order in which they lie there (see warts-bytes.ts).
 *
 * Bytes come from anywhere: nothing is read beyond the object, and each call takes at least what it returns. Throws
 * ImportError with the place in the file.
 */
import { type Address, formatAddress, mapped } from "../../net/ip/address.ts";
import { ImportError } from "./import-error.ts";

/** Parameters of one part: 10 bytes of flags are far more than any has. */
const flagBytesMax = 10;

export class WartsCursor {
  readonly #bytes: Uint8Array;
  readonly #offset: number;
  readonly #addresses: string[] = [];
  #at = 0;

  /** `offset`: of the first byte in the file. */
  constructor(bytes: Uint8Array, offset: number) {
    this.#bytes = bytes;
    this.#offset = offset;
  }

  fail(reason: string): never {
    throw new ImportError(`byte ${this.#offset + this.#at}`, reason);
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  take(length: number): Uint8Array {
    if (length > this.left) {
      this.fail(`${length} bytes are expected, and the object has ${this.left} more`);
    }
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  u8(): number {
    return this.take(1)[0] ?? 0;
  }

  u16(): number {
    return 256 * this.u8() + this.u8();
  }

  u32(): number {
    return 65_536 * this.u16() + this.u16();
  }

  /** Microseconds since the epoch. */
  time(): number {
    return 1e6 * this.u32() + this.u32();
  }

  text(): string {
    const bytes: number[] = [];
    for (let byte = this.u8(); byte !== 0; byte = this.u8()) {
      bytes.push(byte);
    }
    return new TextDecoder().decode(Uint8Array.from(bytes));
  }

  address(): string {
    const length = this.u8();
    if (length === 0) {
      const id = this.u32();
      return this.#addresses[id] ?? this.fail(`address ${id} is not in the object`);
    }
    const type = this.u8();
    const bytes: Address = this.take(length);
    if (!((type === 1 && length === 4) || (type === 2 && length === 16))) {
      this.fail(`an address of type ${type} and ${length} bytes is neither IPv4 nor IPv6`);
    }
    const text = formatAddress(length === 4 ? mapped(bytes) : Uint8Array.from(bytes));
    this.#addresses.push(text);
    return text;
  }

  /** Calls what reads each parameter that is there; behind an unread one, the others are skipped. */
  parameters(read: Readonly<Record<number, () => void>>): void {
    const present: number[] = [];
    for (let byte = 0; ; byte++) {
      const flags = byte < flagBytesMax ? this.u8() : this.fail("flags do not end");
      for (let bit = 0; bit < 7; bit++) {
        if ((flags & (1 << bit)) !== 0) {
          present.push(7 * byte + bit + 1);
        }
      }
      if (flags < 0x80) {
        break;
      }
    }
    if (present.length === 0) {
      return;
    }
    const length = this.u16();
    const end = this.#at + length;
    if (length > this.left) {
      this.fail(`parameters of ${length} bytes go beyond the object`);
    }
    for (const number of present) {
      const own = read[number];
      if (own === undefined) {
        break;
      }
      own();
    }
    if (this.#at > end) {
      this.fail("parameters are longer than they say");
    }
    this.#at = end;
  }
}
