/**
 * Validated ROA payloads, and origin validation by them (RFC 6811 s.2).
 *
 * A VRP covers a prefix when its own prefix holds it. No VRP covers the prefix: `unknown`. One that covers it has the
 * same AS and allows the length: `valid`. Else: `invalid`.
 */
import type { Prefix } from "../../net/ip/prefix.ts";
import { firstWords, mappedBits, type Words, wordsOf } from "../../net/ip/words.ts";
import type { Vrp } from "../../net/rpki/origin-validation.ts";
import { firstNotBelow } from "./first-not-below.ts";
import type { Sections } from "./section-file.ts";

export type RovState = "valid" | "invalid" | "unknown";

/** Words of a row: base 4, bits and longest bits of 128 in one, AS number. */
const rowWords = 6;

export class Vrps {
  /** Sorted by base and length. */
  readonly #rows: Uint32Array;
  /** Lengths of 128 that occur. */
  readonly #lengths: readonly number[];

  constructor(sections: Sections) {
    this.#rows = sections.u32("rows");
    this.#lengths = [...sections.u8("lengths")];
  }

  get count(): number {
    return this.#rows.length / rowWords;
  }

  /** The state of a route with this prefix and this origin. */
  validate(prefix: Prefix, asn: number): RovState {
    const words = wordsOf(prefix.base);
    const routeBits = mappedBits(prefix);
    const familyBits = prefix.family === 4 ? 96 : 0;
    let isCovered = false;
    for (const bits of this.#lengths) {
      if (bits > routeBits || bits < familyBits) {
        continue;
      }
      for (const row of this.#rowsOf(firstWords(words, bits), bits)) {
        isCovered = true;
        if (this.#rows[row + 5] === asn && asn !== 0 && ((this.#rows[row + 4] ?? 0) & 0xff) >= routeBits) {
          return "valid";
        }
      }
    }
    return isCovered ? "invalid" : "unknown";
  }

  /** Rows of one prefix. */
  *#rowsOf(base: Words, bits: number): Generator<number> {
    const low = firstNotBelow(this.count, (i) => this.#compare(i * rowWords, base, bits));
    for (
      let row = low * rowWords;
      row < this.#rows.length && this.#compare(row, base, bits) === 0;
      row += rowWords
    ) {
      yield row;
    }
  }

  #compare(row: number, base: Words, bits: number): number {
    for (let i = 0; i < 4; i++) {
      const difference = (this.#rows[row + i] ?? 0) - (base[i] ?? 0);
      if (difference !== 0) {
        return difference;
      }
    }
    return ((this.#rows[row + 4] ?? 0) >>> 8) - bits;
  }
}

export class VrpsBuilder {
  readonly #rows: number[][] = [];

  get count(): number {
    return this.#rows.length;
  }

  add({ prefix, maxLength, asn }: Vrp): void {
    const bits = mappedBits(prefix);
    const maxBits = prefix.family === 4 ? maxLength + 96 : maxLength;
    this.#rows.push([...wordsOf(prefix.base), bits * 256 + maxBits, asn]);
  }

  sections(): Readonly<Record<string, Uint32Array | Uint8Array>> {
    const rows = this.#rows.sort((x, y) => {
      const at = x.findIndex((word, i) => word !== y[i]);
      return at < 0 ? 0 : (x[at] ?? 0) - (y[at] ?? 0);
    });
    const lengths = new Set(rows.map((row) => (row[4] ?? 0) >>> 8));
    return {
      rows: Uint32Array.from(rows.flat()),
      lengths: Uint8Array.from([...lengths].sort((x, y) => x - y)),
    };
  }
}
