/**
 * A run's targets, and the addresses that each stands for, as one numbered list.
 *
 * A host is one address. A prefix is all its addresses, or some drawn at random: without repetition up to 2^48
 * addresses, by 128 random bits if there are more. No address is stored: address n is computed from n.
 */
import { type Address, addressBytes, familyOf } from "../../net/ip/address.ts";
import type { Prefix } from "../../net/ip/prefix.ts";
import { tableTargetsMax, wholePrefixAddressesMax } from "./limits.ts";
import { mix32 } from "./mixer.ts";
import { Permutation } from "./permutation.ts";

interface Drawing {
  /** Addresses of each prefix; null takes all of them. */
  readonly perPrefix: number | null;
  readonly seed: number;
}

/** Prefixes with at most this many host bits are drawn from without repetition. */
const countableHostBits = 48;

export class TargetTable {
  readonly #drawing: Drawing;
  #count = 0;
  #bases = new Uint8Array(1024 * addressBytes);
  /** Host bits of each target, 0–128. */
  #hostBits = new Uint8Array(1024);
  /** Addresses of all targets up to and including this one. */
  #ends = new Float64Array(1024);

  constructor(drawing: Drawing) {
    this.#drawing = drawing;
  }

  get count(): number {
    return this.#count;
  }

  /** Addresses of all targets. */
  get addresses(): number {
    return this.#ends[this.#count - 1] ?? 0;
  }

  /** Adds a target; returns why it cannot, else null. */
  add(prefix: Prefix): string | null {
    if (this.#count >= tableTargetsMax) {
      return `more than ${tableTargetsMax} targets`;
    }
    const hostBits = (prefix.family === 4 ? 32 : 128) - prefix.length;
    if (this.#drawing.perPrefix === null && 2 ** hostBits > wholePrefixAddressesMax) {
      return `has more than ${wholePrefixAddressesMax} addresses: draw some with --per-prefix`;
    }
    this.#grow();
    this.#bases.set(prefix.base, this.#count * addressBytes);
    this.#hostBits[this.#count] = hostBits;
    this.#ends[this.#count] = this.addresses + Math.min(this.#drawing.perPrefix ?? Infinity, 2 ** hostBits);
    this.#count++;
    return null;
  }

  /** Whether any target is of this family. */
  firstOfFamily(family: 4 | 6): Address | null {
    for (let i = 0; i < this.#count; i++) {
      const base = this.#base(i);
      if (familyOf(base) === family) {
        return base.slice();
      }
    }
    return null;
  }

  /** Writes address `index` (0 to below `addresses`) into 16 bytes. */
  addressInto(index: number, address: Address): void {
    const target = this.#targetOf(index);
    address.set(this.#base(target));
    const hostBits = this.#hostBits[target] ?? 0;
    if (hostBits === 0) {
      return;
    }
    const place = index - (this.#ends[target - 1] ?? 0);
    const isWhole = (this.#ends[target] ?? 0) - (this.#ends[target - 1] ?? 0) === 2 ** hostBits;
    if (isWhole) {
      setHost(address, place);
    } else if (hostBits <= countableHostBits) {
      setHost(address, new Permutation(2 ** hostBits, mix32(this.#drawing.seed, target)).at(place));
    } else {
      this.#throwHost(address, { hostBits, target, place });
    }
  }

  /** The last target that starts no later than `index`, by binary search. */
  #targetOf(index: number): number {
    let low = 0;
    let high = this.#count - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ends[middle] ?? 0) > index) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  #throwHost(address: Address, draw: { hostBits: number; target: number; place: number }): void {
    const key = mix32(this.#drawing.seed, draw.target);
    for (let i = 0; 8 * i < draw.hostBits; i++) {
      const at = addressBytes - 1 - i;
      const random = mix32(draw.place, key + 2 ** 32 * i) & Math.min(0xff, 2 ** (draw.hostBits - 8 * i) - 1);
      address[at] = (address[at] ?? 0) | random;
    }
  }

  #base(target: number): Address {
    return this.#bases.subarray(target * addressBytes, (target + 1) * addressBytes);
  }

  #grow(): void {
    if (this.#count < this.#hostBits.length) {
      return;
    }
    const bases = new Uint8Array(this.#bases.length * 2);
    bases.set(this.#bases);
    this.#bases = bases;
    const hostBits = new Uint8Array(this.#hostBits.length * 2);
    hostBits.set(this.#hostBits);
    this.#hostBits = hostBits;
    const ends = new Float64Array(this.#ends.length * 2);
    ends.set(this.#ends);
    this.#ends = ends;
  }
}

/** Adds a number of at most 48 bits to a base whose host bits are zero. */
function setHost(address: Address, host: number): void {
  let rest = host;
  for (let at = addressBytes - 1; rest > 0; at--) {
    address[at] = (address[at] ?? 0) | (rest % 256);
    rest = Math.floor(rest / 256);
  }
}
