/**
 * What a discovery is about, as units: each is a routed prefix, or a piece of 256 subnets of a wider one, and the next
 * round of a unit depends on the replies to it alone. Units are in the order of their addresses and do not overlap, so
 * they are read from the column store one after another. A unit takes 18 bytes of memory, whatever is known of it.
 *
 * A flow of a subnet is an address of it and a source port: first as many addresses as it has (256 at most), then the
 * last of them with further ports. Of an IPv6 subnet these are ::1 to ::ff, and :: itself last.
 */
import { intervalMapper, sequentialMapper } from "../../../lib/discovery/flow-mapper.ts";
import type { Address } from "../../../lib/ip/address.ts";
import { parsePrefix } from "../../../lib/ip/prefix.ts";
import { subnetsOfUnitMax, unitsMax } from "./limits.ts";

const mappers = {
  one: sequentialMapper(1),
  byte: intervalMapper(32),
  low: intervalMapper(1),
} as const;

export interface Unit {
  readonly index: number;
  readonly base: Address;
  /** How many of the 128 bits of an address; IPv4 is mapped. */
  readonly length: number;
  readonly subnets: number;
  /** That of its subnets, of 128 bits. */
  readonly subnetLength: number;
}

interface Lengths {
  readonly ipv4: number;
  readonly ipv6: number;
}

interface Flow {
  readonly subnet: number;
  readonly flow: number;
}

export class UnitTable {
  /** Entries of the list that others hold. */
  readonly contained: number;
  readonly #bases: Uint8Array;
  readonly #lengths: Uint8Array;
  readonly #subnetLengths: readonly [ipv4: number, ipv6: number];

  private constructor(entries: readonly Piece[], contained: number, lengths: Lengths) {
    this.contained = contained;
    this.#subnetLengths = [96 + lengths.ipv4, lengths.ipv6];
    const widths = entries.map((entry) => this.#widthOf(entry));
    const count = widths.reduce((sum, width, at) => sum + 2 ** (width - (entries[at]?.length ?? 0)), 0);
    if (count > unitsMax) {
      throw new RangeError(`The targets are ${count} prefixes, more than ${unitsMax}: give fewer`);
    }
    this.#bases = new Uint8Array(16 * count);
    this.#lengths = new Uint8Array(count);
    let at = 0;
    for (const [index, entry] of entries.entries()) {
      at = this.#fill(entry, widths[index] ?? 0, at);
    }
  }

  /** Throws RangeError with the entry that is not a prefix, and beyond the limit. */
  static of(targets: readonly string[], lengths: Lengths): UnitTable {
    const entries = targets.map(entryOf).sort(byBase);
    const kept: Piece[] = [];
    for (const entry of entries) {
      const before = kept.at(-1);
      if (before === undefined || !holds(before, entry.base)) {
        kept.push(entry);
      }
    }
    return new UnitTable(kept, entries.length - kept.length, lengths);
  }

  get size(): number {
    return this.#lengths.length;
  }

  /** Those of all units. */
  get subnets(): number {
    let sum = 0;
    for (let at = 0; at < this.size; at++) {
      sum += this.at(at).subnets;
    }
    return sum;
  }

  #subnetLengthOf({ base, length }: Piece): number {
    return Math.max(length, this.#subnetLengths[isMapped(base) ? 0 : 1]);
  }

  /** The length of the units that an entry is cut into. */
  #widthOf(entry: Piece): number {
    return Math.max(entry.length, this.#subnetLengthOf(entry) - Math.log2(subnetsOfUnitMax));
  }

  #fill({ base, length }: Piece, width: number, from: number): number {
    const count = 2 ** (width - length);
    for (let piece = 0; piece < count; piece++) {
      const own = base.slice();
      addBits(own, piece, width);
      this.#bases.set(own, 16 * (from + piece));
      this.#lengths[from + piece] = width;
    }
    return from + count;
  }

  at(index: number): Unit {
    const base = this.#bases.subarray(16 * index, 16 * index + 16);
    const length = this.#lengths[index] ?? 0;
    const subnetLength = this.#subnetLengthOf({ base, length });
    return { index, base, length, subnets: 2 ** (subnetLength - length), subnetLength };
  }
}

/** The address of a flow, and how far its source port is from the first one. */
export function addressOfFlow(unit: Unit, { subnet, flow }: Flow): { dst: Address; port: number } {
  const { address, port } = mapperOf(unit).offsetOf(flow);
  const dst = subnetOf(unit, subnet);
  addBits(dst, address, 128);
  return { dst, port };
}

/** The flow that an address and a port stand for; null = none of this unit. */
export function flowOfAddress(unit: Unit, dst: Address, port: number): Flow | null {
  const mapper = mapperOf(unit);
  const address = bitsOf(dst, unit.subnetLength, 128);
  if (!holds(unit, dst) || address >= mapper.size || port < 0) {
    return null;
  }
  return { subnet: bitsOf(dst, unit.length, unit.subnetLength), flow: mapper.flowOf({ address, port }) };
}

/** The first address of one of a unit's subnets. */
export function subnetOf(unit: Unit, subnet: number): Address {
  const base = unit.base.slice();
  // Bits of a subnet's number end at its length; a unit has 256 subnets at most.
  addBits(base, subnet, unit.subnetLength);
  return base;
}

/** The last address of a unit. */
export function lastOf({ base, length }: Pick<Unit, "base" | "length">): Address {
  return base.map((byte, at) => byte | (0xff >> Math.min(8, Math.max(0, length - 8 * at))));
}

function mapperOf({ base, subnetLength }: Unit) {
  const size = 2 ** Math.min(8, 128 - subnetLength);
  return size === 256 ? (isMapped(base) ? mappers.byte : mappers.low) : sequentialMapper(size);
}

interface Piece {
  readonly base: Address;
  readonly length: number;
}

function entryOf(text: string): Piece {
  const prefix = parsePrefix(text);
  if (prefix === null) {
    throw new RangeError(`"${text.slice(0, 50)}" is not an address or a prefix`);
  }
  const { base, length, family } = prefix;
  return { base, length: family === 4 ? length + 96 : length };
}

/** Wider ones first where they begin alike. */
function byBase(a: Piece, b: Piece): number {
  return Buffer.compare(a.base, b.base) || a.length - b.length;
}

function holds({ base, length }: Piece, address: Address): boolean {
  return address.every((byte, at) => {
    const mask = 0xff & (0xff << (8 - Math.min(8, Math.max(0, length - 8 * at))));
    return (byte & mask) === ((base[at] ?? 0) & mask);
  });
}

function isMapped(base: Address): boolean {
  return base.every((byte, at) => (at < 10 ? byte === 0 : at < 12 ? byte === 0xff : true));
}

/** Ors a number of up to 22 bits into the bits that end at `end`. */
function addBits(bytes: Address, value: number, end: number): void {
  for (let bit = end - 1, left = value; left > 0; bit--, left >>= 1) {
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | ((left & 1) << (7 - (bit & 7)));
  }
}

/** The number in these bits; beyond 2^52 it is not exact, but large. */
function bitsOf(bytes: Address, begin: number, end: number): number {
  let value = 0;
  for (let bit = begin; bit < end; bit++) {
    value = 2 * value + (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1);
  }
  return value;
}
