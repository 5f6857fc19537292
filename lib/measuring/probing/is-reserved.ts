/** Reserved addresses, which are not probed by default. */
import type { Address } from "../../net/ip/address.ts";
import { PrefixSet } from "./prefix-set.ts";
import { reservedRanges } from "./reserved-ranges.ts";

/** Built on first use, so that commands without one start faster. */
let ranges: PrefixSet | null = null;

/** Whether an address is in one of `reservedRanges`. */
export function isReserved(address: Address): boolean {
  ranges ??= new PrefixSet(reservedRanges.map(({ prefix }) => prefix));
  return ranges.match(address) !== null;
}
