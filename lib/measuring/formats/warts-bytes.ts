/**
 * The parts that objects of warts are made of (warts(5) of scamper): integers in network byte order, addresses that are
 * named by number when they come again, and parameters behind their flags.
 */
import { isIpv4, parseAddress } from "../../net/ip/address.ts";

export class WartsBytes {
  #bytes = new Uint8Array(1024);
  #length = 0;
  /** Ids of the addresses of this object. */
  readonly #addresses: Map<string, number>;

  constructor(addresses: Map<string, number> = new Map()) {
    this.#addresses = addresses;
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  u8(value: number): this {
    this.#room(1)[0] = value;
    return this;
  }

  u16(value: number): this {
    return this.u8(value >>> 8).u8(value);
  }

  u32(value: number): this {
    return this.u16(value >>> 16).u16(value);
  }

  /** Microseconds since the epoch, as two words of 32 bits. */
  time(us: number): this {
    return this.u32(Math.floor(us / 1e6)).u32(us % 1e6);
  }

  /** Ends with a zero, so it holds none. */
  text(value: string): this {
    return this.raw(new TextEncoder().encode(value.replaceAll("\0", " "))).u8(0);
  }

  raw(bytes: Uint8Array): this {
    this.#room(bytes.length).set(bytes);
    return this;
  }

  /** Throws a TypeError on other text. */
  address(text: string): this {
    const id = this.#addresses.get(text);
    if (id !== undefined) {
      return this.u8(0).u32(id);
    }
    const parsed = parseAddress(text);
    if (parsed === null) {
      throw new TypeError(`Cannot write "${text}" as an address of warts`);
    }
    this.#addresses.set(text, this.#addresses.size);
    const bytes = isIpv4(parsed) ? parsed.subarray(12) : parsed;
    return this.u8(bytes.length)
      .u8(isIpv4(parsed) ? 1 : 2)
      .raw(bytes);
  }

  /** Flags of seven bits a byte, the length of the values, the values; parameters that are null are left out. */
  parameters(given: readonly (readonly [number: number, write: ((to: WartsBytes) => void) | null])[]): this {
    const present = given.filter(([, write]) => write !== null);
    const last = Math.max(0, ...present.map(([number]) => number));
    const flags = new Uint8Array(Math.max(1, Math.ceil(last / 7)));
    const values = new WartsBytes(this.#addresses);
    for (const [number, write] of present) {
      const at = Math.floor((number - 1) / 7);
      flags[at] = (flags[at] ?? 0) | (1 << ((number - 1) % 7));
      write?.(values);
    }
    for (let i = 0; i + 1 < flags.length; i++) {
      flags[i] = (flags[i] ?? 0) | 0x80;
    }
    this.raw(flags);
    return present.length === 0 ? this : this.u16(values.bytes.length).raw(values.bytes);
  }

  #room(bytes: number): Uint8Array {
    if (this.#length + bytes > this.#bytes.length) {
      const larger = new Uint8Array(2 * (this.#length + bytes));
      larger.set(this.bytes);
      this.#bytes = larger;
    }
    this.#length += bytes;
    return this.#bytes.subarray(this.#length - bytes, this.#length);
  }
}

/** Each object begins so. */
export const wartsMagic = 0x1205;
export const wartsTypes = { list: 1, cycleStart: 2, cycleStop: 4, trace: 6, ping: 7, tracelb: 8 } as const;

export function wartsObject(type: number, content: WartsBytes): Uint8Array {
  return new WartsBytes().u16(wartsMagic).u16(type).u32(content.bytes.length).raw(content.bytes).bytes;
}
