/** Subnets of units that lists forbid: one is left out with all of its addresses if any of them must not be probed. */
import { formatAddress } from "../../../lib/ip/address.ts";
import type { AllowedRanges } from "./round-measure.ts";
import { lastOf, subnetOf, type Unit } from "./units.ts";

/** How many may be probed. */
export function allowedCount(unit: Unit, allowed: AllowedRanges): number {
  if (allowed.refusalOfRange(unit.base, lastOf(unit)) === null) {
    return unit.subnets;
  }
  let count = 0;
  for (let subnet = 0; subnet < unit.subnets; subnet++) {
    count += refusalOf(unit, subnet, allowed) === null ? 1 : 0;
  }
  return count;
}

/** Those that may be probed, by number, in order. */
export function allowedSubnets(unit: Unit, allowed: AllowedRanges): number[] {
  const all = Array.from({ length: unit.subnets }, (_, subnet) => subnet);
  const isWhole = allowed.refusalOfRange(unit.base, lastOf(unit)) === null;
  return isWhole ? all : all.filter((subnet) => refusalOf(unit, subnet, allowed) === null);
}

/** Why the subnets that are left out are, as many as there is room for. */
export function leftOut(
  unit: Unit,
  allowed: AllowedRanges,
  most: number,
): { subnet: string; reason: string }[] {
  const found: { subnet: string; reason: string }[] = [];
  for (let subnet = 0; subnet < unit.subnets && found.length < most; subnet++) {
    const reason = refusalOf(unit, subnet, allowed);
    if (reason !== null) {
      found.push({ subnet: nameOf(unit, subnet), reason });
    }
  }
  return found;
}

function refusalOf(unit: Unit, subnet: number, allowed: AllowedRanges): string | null {
  const base = subnetOf(unit, subnet);
  return allowed.refusalOfRange(base, lastOf({ base, length: unit.subnetLength }));
}

function nameOf(unit: Unit, subnet: number): string {
  const base = formatAddress(subnetOf(unit, subnet));
  return `${base}/${base.includes(":") ? unit.subnetLength : unit.subnetLength - 96}`;
}
