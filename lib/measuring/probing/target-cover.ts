/**
 * A measurement's addresses for later searches: each address while there are few, else prefixes that cover them all,
 * ever shorter as more are added. A search by these never misses a measurement, and may find a large one too many.
 */
import { type Address, addressBytes, isIpv4 } from "../../net/ip/address.ts";
import { formatPrefix, prefixMask, prefixOf } from "../../net/ip/prefix.ts";

/** Prefix lengths of each step, of IPv4 and of IPv6. */
const steps = [
  [32, 128],
  [24, 48],
  [20, 40],
  [16, 32],
  [12, 24],
  [8, 16],
  [0, 0],
] as const;

interface Step {
  readonly lengths: readonly [ipv4: number, ipv6: number];
  readonly masks: readonly [ipv4: Uint8Array, ipv6: Uint8Array];
}

const anyIpv4 = new Uint8Array(addressBytes).fill(0xff, 10, 12);
const anyIpv6 = new Uint8Array(addressBytes);

export class TargetCover {
  /** More prefixes than this are never held. */
  readonly #heldMax: number;
  readonly #base = Buffer.alloc(addressBytes);
  #step: Step = stepOf(0);
  #steps = 0;
  /** Bases as text with one character per byte: millions are compared. */
  #bases = new Set<string>();

  constructor(heldMax: number) {
    this.#heldMax = heldMax;
  }

  /** Distinct addresses; null = more than could be counted. */
  get addresses(): number | null {
    return this.#steps === 0 ? this.#bases.size : null;
  }

  /** The memory may be reused after the call. */
  add(address: Address): void {
    this.#hold(address);
    while (this.#bases.size > this.#heldMax) {
      this.#shorten();
    }
  }

  /** At most `max` prefixes, of at least 2, which hold every address. */
  list(max: number): string[] {
    while (this.#bases.size > max) {
      this.#shorten();
    }
    const [ipv4, ipv6] = this.#step.lengths;
    return [...this.#bases].map((text) => {
      const base = bytesOf(text);
      return formatPrefix(prefixOf(base, isIpv4(base) ? ipv4 : ipv6));
    });
  }

  #hold(address: Address): void {
    const [ipv4, ipv6] = this.#step.masks;
    const mask = isIpv4(address) ? ipv4 : ipv6;
    for (let i = 0; i < addressBytes; i++) {
      this.#base[i] = (address[i] ?? 0) & (mask[i] ?? 0);
    }
    this.#bases.add(this.#base.toString("latin1"));
  }

  #shorten(): void {
    const longer = this.#bases;
    this.#bases = new Set();
    this.#step = stepOf(++this.#steps);
    for (const base of longer) {
      this.#hold(bytesOf(base));
    }
  }
}

function stepOf(place: number): Step {
  const lengths = steps[place] ?? [0, 0];
  return {
    lengths,
    masks: [prefixMask(prefixOf(anyIpv4, lengths[0])), prefixMask(prefixOf(anyIpv6, lengths[1]))],
  };
}

function bytesOf(text: string): Address {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
