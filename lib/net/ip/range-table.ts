/**
 * Longest-prefix match: a number for each address, from millions of prefixes.
 *
 * Prefixes nest but never cross, so they cut the address space into ranges with one value each, kept in order. With
 * `10.0.0.0/8` = 1 and `10.1.0.0/16` = 2:
 *
 *     start    0.0.0.0   10.0.0.0   10.1.0.0   10.2.0.0   11.0.0.0
 *     value    0         1          2          1          0
 *
 * IPv4 is not a part of `::/0`, so each family has ranges of its own. A prefix adds at most two: 8 bytes each for IPv4,
 * 20 for IPv6. A lookup begins in a bucket of the address's leading bits, compares 32-bit words and allocates nothing.
 */
import { blockMax, flattenIpv4, Ipv4Ranges, ipv4EntryWords } from "./ipv4-ranges.ts";
import { flattenIpv6, Ipv6Ranges, ipv6EntryWords } from "./ipv6-ranges.ts";
import { WordList } from "./word-list.ts";
import { isMappedPrefix, type Words, wordAt } from "./words.ts";

/** The arrays that a table is made of and stored as. */
interface RangeArrays {
  readonly ipv4Starts: Uint32Array;
  readonly ipv4Values: Uint32Array;
  /** All first words, all second words, third, fourth; the most significant first. */
  readonly ipv6Starts: Uint32Array;
  readonly ipv6Values: Uint32Array;
}

interface ValuedRange {
  readonly first: Words;
  readonly last: Words;
  readonly value: number;
}

const addressBytes = 16;

export class RangeTable {
  readonly #ipv4: Ipv4Ranges;
  readonly #ipv6: Ipv6Ranges;
  readonly #block = {
    v4: new Uint32Array(blockMax),
    v6: new Uint32Array(4 * blockMax),
    v4At: new Uint32Array(blockMax),
    v6At: new Uint32Array(blockMax),
    found: new Uint32Array(blockMax),
  };

  /** @throws RangeError on arrays that do not fit one another */
  constructor({ ipv4Starts, ipv4Values, ipv6Starts, ipv6Values }: RangeArrays) {
    if (ipv4Values.length === 0 || ipv4Starts.length !== ipv4Values.length) {
      throw new RangeError(`${ipv4Starts.length} IPv4 starts do not fit ${ipv4Values.length} values`);
    }
    if (ipv6Values.length === 0 || ipv6Starts.length !== ipv6Values.length * 4) {
      throw new RangeError(
        `${ipv6Starts.length} words of IPv6 starts do not fit ${ipv6Values.length} values`,
      );
    }
    this.#ipv4 = new Ipv4Ranges(ipv4Starts, ipv4Values);
    this.#ipv6 = new Ipv6Ranges(ipv6Starts, ipv6Values);
  }

  /** The ranges that have a value, in order, IPv4 first. An IPv6 range may span `::ffff:0:0/96`. */
  *ranges(): Generator<ValuedRange> {
    for (const [first, last, value] of this.#ipv4.all()) {
      if (value !== 0) {
        yield { first: [0, 0, 0xffff, first], last: [0, 0, 0xffff, last], value };
      }
    }
    for (const [first, last, value] of this.#ipv6.all()) {
      if (value !== 0) {
        yield { first, last, value };
      }
    }
  }

  /** The value of the 16-byte address at `offset`; 0 = no prefix holds it. */
  find(bytes: Uint8Array, offset = 0): number {
    const a = wordAt(bytes, offset);
    const b = wordAt(bytes, offset + 4);
    const c = wordAt(bytes, offset + 8);
    const d = wordAt(bytes, offset + 12);
    return a === 0 && b === 0 && c === 0xffff ? this.#ipv4.find(d) : this.#ipv6.find(a, b, c, d);
  }

  /**
   * Finds the values of many 16-byte addresses, one after the other in `addresses`.
   *
   * @param values receives a value for each address
   */
  findAll(addresses: Uint8Array, values: Uint32Array): void {
    const count = Math.min(values.length, Math.floor(addresses.length / addressBytes));
    const view = new DataView(addresses.buffer, addresses.byteOffset, addresses.length);
    for (let first = 0; first < count; first += blockMax) {
      this.#findBlock(view, values, first, Math.min(count, first + blockMax));
    }
  }

  /** Searches each family on its own, so that the branches stay predictable. */
  #findBlock(view: DataView, values: Uint32Array, first: number, end: number): void {
    const { v4, v6, v4At, v6At, found } = this.#block;
    let [v4Count, v6Count] = [0, 0];
    for (let i = first; i < end; i++) {
      const at = i * addressBytes;
      const [a, b, c, d] = [
        view.getUint32(at),
        view.getUint32(at + 4),
        view.getUint32(at + 8),
        view.getUint32(at + 12),
      ];
      if (a === 0 && b === 0 && c === 0xffff) {
        v4[v4Count] = d;
        v4At[v4Count++] = i;
      } else {
        v6[4 * v6Count] = a;
        v6[4 * v6Count + 1] = b;
        v6[4 * v6Count + 2] = c;
        v6[4 * v6Count + 3] = d;
        v6At[v6Count++] = i;
      }
    }
    this.#ipv4.findAll(v4, found, v4Count);
    for (let i = 0; i < v4Count; i++) {
      values[v4At[i] ?? 0] = found[i] ?? 0;
    }
    this.#ipv6.findAll(v6, found, v6Count);
    for (let i = 0; i < v6Count; i++) {
      values[v6At[i] ?? 0] = found[i] ?? 0;
    }
  }
}

/** Takes prefixes in any order. */
export class RangeTableBuilder {
  readonly #ipv4 = new WordList();
  readonly #ipv6 = new WordList();

  get count(): number {
    return this.#ipv4.length / ipv4EntryWords + this.#ipv6.length / ipv6EntryWords;
  }

  /**
   * @param base host bits are zero
   * @param bits length in the 128 bits of the mapped form: an IPv4 /8 has 104
   * @param value 0 takes the prefix out of one that holds it; when a prefix comes twice, the later value stays
   */
  add(base: Words, bits: number, value: number): void {
    const isIpv4 = isMappedPrefix(base, bits);
    const words = isIpv4 ? [base[3], bits - 96, value] : [...base, bits, value];
    const entries = isIpv4 ? this.#ipv4 : this.#ipv6;
    for (const word of words) {
      entries.push(word);
    }
  }

  arrays(): RangeArrays {
    const ipv4 = flattenIpv4(this.#ipv4.words());
    const ipv6 = flattenIpv6(this.#ipv6.words());
    return {
      ipv4Starts: ipv4.starts,
      ipv4Values: ipv4.values,
      ipv6Starts: ipv6.starts,
      ipv6Values: ipv6.values,
    };
  }

  build(): RangeTable {
    return new RangeTable(this.arrays());
  }
}
