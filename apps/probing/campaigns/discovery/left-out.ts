/** Excluded subnets of units: a subnet is excluded as a whole if any of its addresses must not be probed. */
import type { AllowedRanges } from "../../../../lib/measuring/probing/forbidden-ranges.ts";
import { formatAddress } from "../../../../lib/net/ip/address.ts";
import { lastOf, subnetHolding, subnetOf, type Unit } from "./units.ts";

/** Number of allowed subnets. */
export function allowedCount(unit: Unit, allowed: AllowedRanges): number {
  if (allowed.forbidden.isFree(unit.base, unit.length)) {
    return unit.subnets;
  }
  let count = unit.subnets;
  for (const [from, to] of forbiddenSubnets(unit, allowed)) {
    count -= to - from;
  }
  return count;
}

/** Allowed subnets by number, in order. */
export function allowedSubnets(unit: Unit, allowed: AllowedRanges): number[] {
  const subnets: number[] = [];
  const take = (from: number, to: number) => {
    for (let subnet = from; subnet < to; subnet++) {
      subnets.push(subnet);
    }
  };
  let next = 0;
  for (const [from, to] of forbiddenSubnets(unit, allowed)) {
    take(next, from);
    next = to;
  }
  take(next, unit.subnets);
  return subnets;
}

/** The excluded subnets with reasons, up to the limit. */
export function leftOut(
  unit: Unit,
  { forbidden, reasonIn }: AllowedRanges,
  most: number,
): { subnet: string; reason: string }[] {
  const found: { subnet: string; reason: string }[] = [];
  for (const [from, to] of forbiddenSubnets(unit, { forbidden })) {
    for (let subnet = from; subnet < to && found.length < most; subnet++) {
      const base = subnetOf(unit, subnet);
      const reason = reasonIn(base, lastOf({ base, length: unit.subnetLength }));
      found.push({ subnet: nameOf(unit, subnet), reason });
    }
    if (found.length >= most) {
      break;
    }
  }
  return found;
}

/** Subnets with a forbidden address: half-open ranges of their numbers, in order. */
function* forbiddenSubnets(
  unit: Unit,
  { forbidden }: Pick<AllowedRanges, "forbidden">,
): Generator<readonly [from: number, to: number], void, undefined> {
  let next = 0;
  for (const { first, last } of forbidden.between(unit.base, lastOf(unit))) {
    const from = Math.max(next, subnetHolding(unit, first));
    const to = subnetHolding(unit, last) + 1;
    if (from < to) {
      yield [from, to];
      next = to;
    }
  }
}

function nameOf(unit: Unit, subnet: number): string {
  const base = formatAddress(subnetOf(unit, subnet));
  return `${base}/${base.includes(":") ? unit.subnetLength : unit.subnetLength - 96}`;
}
