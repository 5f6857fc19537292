/**
 * A discovery's targets as units: each is a routed prefix, or a piece of 256 subnets of a wider one, and a unit's next
 * round depends only on the replies to it. Units are sorted by address and do not overlap, so they are read from the
 * column store one after another. A unit takes 17 bytes of memory, independent of its results.
 *
 * A subnet's flow is one of its addresses and a source port: first as many addresses as it has (at most 256), then the
 * last of them with further ports. In an IPv6 subnet these are ::1 to ::ff, and :: itself last.
 */
import type { Steps } from "../../../../lib/base/list/steps.ts";
import { LoopYield } from "../../../../lib/engines/http/loop-yield.ts";
import { inTurns, type Pace } from "../../../../lib/engines/http/pace.ts";
import { intervalMapper, sequentialMapper } from "../../../../lib/measuring/discovery/flow-mapper.ts";
import { type Address, isIpv4 } from "../../../../lib/net/ip/address.ts";
import { subnetsOfUnitMax, unitsMax } from "./limits.ts";
import type { TargetList } from "./target-list.ts";

/** Entries, and pieces of an entry, per step. */
const entriesAtOnce = 1024;

/** An address and a prefix length. */
const bytesOfUnit = 17;

const mappers = {
  one: sequentialMapper(1),
  byte: intervalMapper(32),
  low: intervalMapper(1),
} as const;

export interface Unit {
  readonly index: number;
  readonly base: Address;
  /** Prefix length, of 128 bits; IPv4 is mapped. */
  readonly length: number;
  readonly subnets: number;
  /** Its subnets' prefix length, of 128 bits. */
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
  /** List entries that are inside others. */
  readonly contained: number;
  /** Subnets of all units. */
  subnets = 0;
  readonly #bases: Uint8Array;
  readonly #lengths: Uint8Array;
  readonly #subnetLengths: readonly [ipv4: number, ipv6: number];

  private constructor(kept: KeptEntries, lengths: Lengths) {
    this.contained = kept.contained;
    this.#subnetLengths = [96 + lengths.ipv4, lengths.ipv6];
    this.#bases = new Uint8Array(16 * kept.units);
    this.#lengths = new Uint8Array(kept.units);
  }

  /** Throws RangeError beyond the limit of units; rejects as the pace does. */
  static of(list: TargetList, lengths: Lengths, pace: Pace = new LoopYield()): Promise<UnitTable> {
    return inTurns(UnitTable.#made(list, lengths, pace), pace);
  }

  static *#made(list: TargetList, lengths: Lengths, pace: Pace): Steps<UnitTable> {
    const kept: KeptEntries = { contained: 0, units: 0 };
    const empty = new UnitTable(kept, lengths);
    let entries = 0;
    for (const entry of keptEntries(list)) {
      if (entry !== null) {
        entries++;
        kept.units += 2 ** (empty.#widthOf(entry) - entry.length);
      }
      yield;
    }
    kept.contained = list.size - entries;
    if (kept.units > unitsMax) {
      throw new RangeError(`are ${kept.units} prefixes, more than ${unitsMax}: give fewer`);
    }
    pace.hold?.(bytesOfUnit * kept.units);
    const table = new UnitTable(kept, lengths);
    let at = 0;
    for (const entry of keptEntries(list)) {
      if (entry !== null) {
        at = yield* table.#fill(entry, table.#widthOf(entry), at);
      }
      yield;
    }
    return table;
  }

  /** Its memory. */
  get bytes(): number {
    return this.#bases.length + this.#lengths.length;
  }

  get size(): number {
    return this.#lengths.length;
  }

  #subnetLengthOf({ base, length }: Piece): number {
    return Math.max(length, this.#subnetLengths[isIpv4(base) ? 0 : 1]);
  }

  /** Prefix length of the units into which an entry is cut. */
  #widthOf(entry: Piece): number {
    return Math.max(entry.length, this.#subnetLengthOf(entry) - Math.log2(subnetsOfUnitMax));
  }

  *#fill({ base, length }: Piece, width: number, from: number): Steps<number> {
    const count = 2 ** (width - length);
    for (let piece = 0; piece < count; piece++) {
      const own = this.#bases.subarray(16 * (from + piece), 16 * (from + piece) + 16);
      own.set(base);
      addBits(own, piece, width);
      this.#lengths[from + piece] = width;
      if (piece % entriesAtOnce === entriesAtOnce - 1) {
        yield;
      }
    }
    this.subnets += count * 2 ** (this.#subnetLengthOf({ base, length }) - width);
    return from + count;
  }

  at(index: number): Unit {
    const base = this.#bases.subarray(16 * index, 16 * index + 16);
    const length = this.#lengths[index] ?? 0;
    const subnetLength = this.#subnetLengthOf({ base, length });
    return { index, base, length, subnets: 2 ** (subnetLength - length), subnetLength };
  }
}

/** A flow's address, and the offset of its source port from the first one. */
export function addressOfFlow(unit: Unit, { subnet, flow }: Flow): { dst: Address; port: number } {
  const { address, port } = mapperOf(unit).offsetOf(flow);
  const dst = subnetOf(unit, subnet);
  addBits(dst, address, 128);
  return { dst, port };
}

/** The flow of an address and a port; null = not in this unit. */
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
  // The bits of a subnet's number end at its length; a unit has at most 256 subnets.
  addBits(base, subnet, unit.subnetLength);
  return base;
}

/** The subnet that contains an address; the first or last one for addresses outside the unit. */
export function subnetHolding(unit: Unit, address: Address): number {
  if (Buffer.compare(address, unit.base) <= 0) {
    return 0;
  }
  const isBehind = Buffer.compare(address, lastOf(unit)) >= 0;
  return isBehind ? unit.subnets - 1 : bitsOf(address, unit.length, unit.subnetLength);
}

/** The last address of a unit. */
export function lastOf({ base, length }: Pick<Unit, "base" | "length">): Address {
  return base.map((byte, at) => byte | (0xff >> Math.min(8, Math.max(0, length - 8 * at))));
}

function mapperOf({ base, subnetLength }: Unit) {
  const size = 2 ** Math.min(8, 128 - subnetLength);
  return size === 256 ? (isIpv4(base) ? mappers.byte : mappers.low) : sequentialMapper(size);
}

interface Piece {
  readonly base: Address;
  readonly length: number;
}

interface KeptEntries {
  contained: number;
  units: number;
}

/** Entries outside all others, in order; null after some contained ones. `base` is reused by the next step. */
function* keptEntries(list: TargetList): Generator<Piece | null> {
  const base = new Uint8Array(16);
  const last = { base: new Uint8Array(16), length: 0 };
  let isFirst = true;
  for (let index = 0; index < list.size; index++) {
    const length = list.read(index, base);
    if (isFirst || !holds(last, base)) {
      last.base.set(base);
      last.length = length;
      isFirst = false;
      yield { base, length };
    } else if (index % entriesAtOnce === 0) {
      yield null;
    }
  }
}

function holds({ base, length }: Piece, address: Address): boolean {
  for (let at = 0, left = length; left > 0; at++, left -= 8) {
    const mask = left >= 8 ? 0xff : 0xff & (0xff << (8 - left));
    if ((((base[at] ?? 0) ^ (address[at] ?? 0)) & mask) !== 0) {
      return false;
    }
  }
  return true;
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
