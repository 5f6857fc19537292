/**
 * A discovery's targets as units: each is a routed prefix, or a piece of 256 subnets of a wider one, and a unit's next
 * round depends only on the replies to it. Units are sorted by address and do not overlap, so they are read from the
 * column store one after another. A table holds entries, 17 to 21 bytes each, and cuts units from them when these are
 * read.
 *
 * A subnet's flow is one of its addresses and a source port: first as many addresses as it has (at most 256), then the
 * last of them with further ports. In an IPv6 subnet these are ::1 to ::ff, and :: itself last.
 */
import { countUntil } from "../../../../lib/base/list/count-until.ts";
import type { Steps } from "../../../../lib/base/list/steps.ts";
import { LoopYield } from "../../../../lib/engines/http/loop-yield.ts";
import { inTurns, type Pace } from "../../../../lib/engines/http/pace.ts";
import { intervalMapper, sequentialMapper } from "../../../../lib/measuring/discovery/flow-mapper.ts";
import { type Address, isIpv4 } from "../../../../lib/net/ip/address.ts";
import { addBits } from "../../../../lib/net/ip/prefix.ts";
import { subnetsOfUnitMax, unitsMax } from "./limits.ts";
import type { TargetList } from "./target-list.ts";

/** Entries that are contained in others, per step. */
const entriesAtOnce = 1024;

/** An address and a prefix length. */
const bytesOfEntry = 17;
/** The number of an entry's first unit, in tables whose entries have several. */
const bytesOfFirst = 4;

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

/** An entry of the list, and the units that it is cut into. */
export interface CutEntry extends Piece {
  /** The number of its first unit. */
  readonly first: number;
  readonly units: number;
  readonly unitLength: number;
  /** The number in each unit. */
  readonly subnets: number;
}

export class UnitTable {
  /** List entries that are inside others. */
  readonly contained: number;
  readonly size: number;
  /** Subnets of all units. */
  readonly subnets: number;
  /** Entries that are kept. */
  readonly entries: number;
  readonly #bases: Uint8Array;
  readonly #lengths: Uint8Array;
  /** Empty = each entry is one unit. */
  readonly #firsts: Uint32Array;
  readonly #cut: Cut;

  private constructor(kept: KeptEntries, cut: Cut) {
    this.contained = kept.contained;
    this.size = kept.units;
    this.subnets = kept.subnets;
    this.entries = kept.entries;
    this.#cut = cut;
    this.#bases = new Uint8Array(16 * kept.entries);
    this.#lengths = new Uint8Array(kept.entries);
    this.#firsts = new Uint32Array(kept.units === kept.entries ? 0 : kept.entries);
  }

  /** Throws RangeError beyond the limit of units; rejects as the pace does. */
  static of(list: TargetList, lengths: Lengths, pace: Pace = new LoopYield()): Promise<UnitTable> {
    return inTurns(UnitTable.#made(list, new Cut(lengths), pace), pace);
  }

  static *#made(list: TargetList, cut: Cut, pace: Pace): Steps<UnitTable> {
    const kept: KeptEntries = { contained: 0, entries: 0, units: 0, subnets: 0 };
    for (const entry of keptEntries(list)) {
      if (entry !== null) {
        kept.entries++;
        kept.units += cut.unitsOf(entry);
        kept.subnets += 2 ** (cut.subnetLengthOf(entry) - entry.length);
      }
      yield;
    }
    kept.contained = list.size - kept.entries;
    if (kept.units > unitsMax) {
      throw new RangeError(`are ${kept.units} prefixes, more than ${unitsMax}: give fewer`);
    }
    pace.hold?.((bytesOfEntry + (kept.units === kept.entries ? 0 : bytesOfFirst)) * kept.entries);
    const table = new UnitTable(kept, cut);
    let [at, first] = [0, 0];
    for (const entry of keptEntries(list)) {
      if (entry !== null) {
        table.#put(at++, entry, first);
        first += cut.unitsOf(entry);
      }
      yield;
    }
    return table;
  }

  /** Its memory. */
  get bytes(): number {
    return this.#bases.length + this.#lengths.length + this.#firsts.byteLength;
  }

  #put(at: number, { base, length }: Piece, first: number): void {
    this.#bases.set(base, 16 * at);
    this.#lengths[at] = length;
    if (this.#firsts.length > 0) {
      this.#firsts[at] = first;
    }
  }

  entry(at: number): CutEntry {
    const piece = { base: this.#bases.slice(16 * at, 16 * at + 16), length: this.#lengths[at] ?? 0 };
    const unitLength = this.#cut.unitLengthOf(piece);
    const subnets = 2 ** (this.#cut.subnetLengthOf(piece) - unitLength);
    return { ...piece, first: this.#firsts[at] ?? at, units: this.#cut.unitsOf(piece), unitLength, subnets };
  }

  at(index: number): Unit {
    const isBefore = (at: number) => (this.#firsts[at] ?? 0) <= index;
    const at = this.#firsts.length === 0 ? index : countUntil(this.#firsts.length, isBefore) - 1;
    const { base, first, unitLength: length, subnets } = this.entry(at);
    addBits(base, index - first, length);
    return { index, base, length, subnets, subnetLength: length + Math.log2(subnets) };
  }
}

/** Into what entries are cut; lengths are of 128 bits. */
class Cut {
  readonly #subnetLengths: readonly [ipv4: number, ipv6: number];

  constructor({ ipv4, ipv6 }: Lengths) {
    this.#subnetLengths = [96 + ipv4, ipv6];
  }

  subnetLengthOf({ base, length }: Piece): number {
    return Math.max(length, this.#subnetLengths[isIpv4(base) ? 0 : 1]);
  }

  unitLengthOf(entry: Piece): number {
    return Math.max(entry.length, this.subnetLengthOf(entry) - Math.log2(subnetsOfUnitMax));
  }

  unitsOf(entry: Piece): number {
    return 2 ** (this.unitLengthOf(entry) - entry.length);
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
  return partHolding(unit, unit.subnetLength, address);
}

/** The same for any parts of a prefix, by the length of theirs. */
export function partHolding(whole: Piece, partLength: number, address: Address): number {
  if (Buffer.compare(address, whole.base) <= 0) {
    return 0;
  }
  const isBehind = Buffer.compare(address, lastOf(whole)) >= 0;
  return isBehind ? 2 ** (partLength - whole.length) - 1 : bitsOf(address, whole.length, partLength);
}

/** The last address of a prefix. */
export function lastOf({ base, length }: Piece): Address {
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
  entries: number;
  units: number;
  subnets: number;
}

/** Entries outside all others, in order; null after some contained ones. The next step overwrites them. */
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
      yield last;
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

/** The number in these bits; beyond 2^52 it is not exact, but large. */
function bitsOf(bytes: Address, begin: number, end: number): number {
  let value = 0;
  for (let bit = begin; bit < end; bit++) {
    value = 2 * value + (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1);
  }
  return value;
}
