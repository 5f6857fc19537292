/**
 * Units by their number of allowed subnets. Only those that a forbidden range touches are read one by one; the others
 * are counted: a /3 in /32s has two million, of which reserved ranges touch few.
 */
import type { Steps } from "../../../../lib/base/list/steps.ts";
import type { AllowedRanges } from "../../../../lib/measuring/probing/forbidden-ranges.ts";
import { allowedCount, leftOut } from "./left-out.ts";
import { leftOutShownMax } from "./limits.ts";
import { type CutEntry, lastOf, partHolding, type Unit, type UnitTable } from "./units.ts";

/** Entries, and forbidden ranges in them, per step. */
const lookedAtOnce = 64;

interface UnitCounts {
  readonly unitsOfSize: ReadonlyMap<number, number>;
  readonly leftOutSubnets: number;
  /** The first excluded subnets, up to a limit. */
  readonly reasons: readonly { readonly subnet: string; readonly reason: string }[];
}

export function* allowedUnits(table: UnitTable, allowed: AllowedRanges): Steps<UnitCounts> {
  const counter = new UnitCounter(table, allowed);
  for (let at = 0; at < table.entries; at++) {
    const entry = table.entry(at);
    if (allowed.forbidden.isFree(entry.base, entry.length)) {
      counter.add(entry.subnets, entry.units);
    } else {
      yield* counter.addTouched(entry);
    }
    if (at % lookedAtOnce === 0) {
      yield;
    }
  }
  return counter;
}

class UnitCounter implements UnitCounts {
  readonly unitsOfSize = new Map<number, number>();
  leftOutSubnets = 0;
  readonly reasons: { subnet: string; reason: string }[] = [];
  readonly #table: UnitTable;
  readonly #allowed: AllowedRanges;

  constructor(table: UnitTable, allowed: AllowedRanges) {
    this.#table = table;
    this.#allowed = allowed;
  }

  add(subnets: number, units: number): void {
    if (units > 0) {
      this.unitsOfSize.set(subnets, (this.unitsOfSize.get(subnets) ?? 0) + units);
    }
  }

  /** An entry with something forbidden. */
  *addTouched(entry: CutEntry): Steps<void> {
    let [next, touched, ranges] = [0, 0, 0];
    for (const range of this.#allowed.forbidden.between(entry.base, lastOf(entry))) {
      const low = Math.max(next, partHolding(entry, entry.unitLength, range.first));
      const high = partHolding(entry, entry.unitLength, range.last);
      if (low <= high) {
        this.#addRange(entry, low, high);
        touched += high - low + 1;
        next = high + 1;
      }
      if (++ranges % lookedAtOnce === 0) {
        yield;
      }
    }
    this.add(entry.subnets, entry.units - touched);
  }

  /** What is between the first and the last unit of a forbidden range is forbidden as a whole. */
  #addRange({ first, subnets }: CutEntry, low: number, high: number): void {
    this.#addOne(first + low);
    const between = Math.max(0, high - low - 1);
    this.add(0, between);
    this.leftOutSubnets += between * subnets;
    for (let at = 1; at <= between && this.reasons.length < leftOutShownMax; at++) {
      this.#explain(this.#table.at(first + low + at));
    }
    if (low < high) {
      this.#addOne(first + high);
    }
  }

  #addOne(index: number): void {
    const unit = this.#table.at(index);
    const subnets = allowedCount(unit, this.#allowed);
    this.add(subnets, 1);
    this.leftOutSubnets += unit.subnets - subnets;
    this.#explain(unit);
  }

  #explain(unit: Unit): void {
    const room = leftOutShownMax - this.reasons.length;
    if (room > 0) {
      this.reasons.push(...leftOut(unit, this.#allowed, room));
    }
  }
}
