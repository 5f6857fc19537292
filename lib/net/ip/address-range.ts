/** Ranges of addresses: some files list these instead of prefixes. */
import type { Address } from "./address.ts";
import { compareWords, firstWords, lastWords, nextWords, type Words, wordsOf } from "./words.ts";

export interface BitPrefix {
  readonly base: Words;
  /** Prefix length in the 128 bits of the mapped form. */
  readonly bits: number;
}

/** The fewest prefixes that cover exactly `first` … `last`, in order; none when `last` lies before `first`. */
export function prefixesOfRange(first: Address, last: Address): BitPrefix[] {
  const end = wordsOf(last);
  const prefixes: BitPrefix[] = [];
  let base: Words | null = wordsOf(first);
  while (base !== null && compareWords(base, end) <= 0) {
    const bits = shortestAt(base, end);
    prefixes.push({ base, bits });
    base = nextWords(lastWords(base, bits));
  }
  return prefixes;
}

/** The shortest prefix that begins at `base` and does not go beyond `end`. */
function shortestAt(base: Words, end: Words): number {
  let bits = 128;
  while (
    bits > 0 &&
    compareWords(firstWords(base, bits - 1), base) === 0 &&
    compareWords(lastWords(base, bits - 1), end) <= 0
  ) {
    bits--;
  }
  return bits;
}
