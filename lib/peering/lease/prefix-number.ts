/**
 * /48s as numbers: the first 48 bits, so that neighbours differ by one and a block is a first and a last number.
 *
 * `2001:db8:1::/48` is 0x20010db80001. 48 bits are exact in a JavaScript number.
 */
import { formatAddress } from "../../net/ip/address.ts";
import type { Prefix } from "../../net/ip/prefix.ts";
import { leaseLengthBits } from "./limits.ts";

/** /48s that follow one another; `last` is inclusive. */
export interface PrefixRun {
  readonly first: number;
  readonly last: number;
}

/** The /48s in a block; null for IPv4 and for prefixes longer than a /48. */
export function runOf({ base, length, family }: Prefix): PrefixRun | null {
  if (family !== 6 || length > leaseLengthBits) {
    return null;
  }
  const first = base.slice(0, 6).reduce((number, byte) => number * 256 + byte, 0);
  return { first, last: first + 2 ** (leaseLengthBits - length) - 1 };
}

/** `2001:db8:1::/48` of a number, in the spelling of RFC 5952. */
export function formatLeasePrefix(number: number): string {
  return formatBlock(number, leaseLengthBits);
}

/**
 * The fewest blocks, as `2001:db8::/40`, that hold exactly the /48s of the runs; runs must be ascending and disjoint.
 */
export function* blocksOf(runs: Iterable<PrefixRun>): Generator<string> {
  for (const { first, last } of joined(runs)) {
    for (let start = first; start <= last; ) {
      const bits = blockBits(start, last);
      yield formatBlock(start, leaseLengthBits - bits);
      start += 2 ** bits;
    }
  }
}

/** Runs that touch become one. */
function* joined(runs: Iterable<PrefixRun>): Generator<PrefixRun> {
  let open: PrefixRun | null = null;
  for (const run of runs) {
    if (open !== null && run.first === open.last + 1) {
      open = { first: open.first, last: run.last };
      continue;
    }
    if (open !== null) {
      yield open;
    }
    open = run;
  }
  if (open !== null) {
    yield open;
  }
}

/** Bits of the largest block that begins at `start` and does not pass `last`. */
function blockBits(start: number, last: number): number {
  let bits = 0;
  while (bits < leaseLengthBits && start % 2 ** (bits + 1) === 0 && start + 2 ** (bits + 1) - 1 <= last) {
    bits++;
  }
  return bits;
}

function formatBlock(number: number, length: number): string {
  const address = new Uint8Array(16);
  for (let rest = number, i = 5; i >= 0; i--) {
    address[i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return `${formatAddress(address)}/${length}`;
}
