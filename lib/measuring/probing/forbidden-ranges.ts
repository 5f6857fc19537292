/**
 * Forbidden destinations, as ordered, disjoint ranges of addresses: so the forbidden parts of millions of subnets are
 * found in one pass over both, whatever the lists contain.
 *
 * Addresses that lead to a listed IPv4 address count as listed too (embedded-ipv4.ts): those of 6to4 individually.
 * Teredo and translators embed an IPv4 address anywhere in each network, so with any IPv4 list they are forbidden as a
 * whole.
 */
import type { Steps } from "../../base/list/steps.ts";
import { type Address, type Family, isIpv4 } from "../../net/ip/address.ts";
import { parsePrefix } from "../../net/ip/prefix.ts";
import { WordList } from "../../net/ip/word-list.ts";
import {
  addressOfWords,
  compareWords,
  lastWords,
  mappedBits,
  nextWords,
  previousWords,
  type Words,
  wordAt,
  wordsOf,
} from "../../net/ip/words.ts";
import type { PrefixSet } from "./prefix-set.ts";

/** Currently permitted destinations. */
export interface AllowedRanges {
  readonly forbidden: ForbiddenRanges;
  /** Why something is forbidden from `first` to `last`. */
  readonly reasonIn: (first: Address, last: Address) => string;
}

interface ForbiddenLists {
  readonly listed: readonly PrefixSet[];
  /** Null = everywhere else. */
  readonly allowed: PrefixSet | null;
}

interface WordRange {
  readonly first: Words;
  readonly last: Words;
}

interface AddressRange {
  readonly first: Address;
  readonly last: Address;
}

/** All of a family; IPv4 is mapped. */
const everything: Readonly<Record<Family, WordRange>> = {
  4: { first: [0, 0, 0xffff, 0], last: [0, 0, 0xffff, 0xffffffff] },
  6: { first: [0, 0, 0, 0], last: [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff] },
};

/** Compatible and translated addresses, translators, Teredo: in order. */
const leadAnywhere = ["::/64", "64:ff9b::/32", "2001::/32"].flatMap((text) => parsePrefix(text) ?? []);

const wordsOfRange = 8;

export class ForbiddenRanges {
  static readonly none = new ForbiddenRanges({ 4: new Uint32Array(0), 6: new Uint32Array(0) });
  readonly #words: Readonly<Record<Family, Uint32Array>>;

  private constructor(words: Readonly<Record<Family, Uint32Array>>) {
    this.#words = words;
  }

  static *of(lists: ForbiddenLists): Steps<ForbiddenRanges> {
    const ipv4 = yield* union(sourcesOf(lists, 4));
    return new ForbiddenRanges({ 4: ipv4, 6: yield* union(sourcesOf(lists, 6)) });
  }

  /** Whether nothing in a prefix is forbidden; `length` of 128 bits. Allocates nothing: called for millions. */
  isFree(base: Address, length: number): boolean {
    const words = this.#words[isIpv4(base) ? 4 : 6];
    let [low, high] = [0, words.length / wordsOfRange];
    while (low < high) {
      const middle = (low + high) >> 1;
      const isBefore = compareWithBytes(words, middle * wordsOfRange + 4, base, 128) < 0;
      if (isBefore) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const at = low * wordsOfRange;
    return at >= words.length || compareWithBytes(words, at, base, length) > 0;
  }

  /** The ranges that overlap `first` to `last`, in order. */
  *between(first: Address, last: Address): Generator<AddressRange, void, undefined> {
    const words = this.#words[isIpv4(first) ? 4 : 6];
    const [begin, end] = [wordsOf(first), wordsOf(last)];
    for (let at = firstNotBefore(words, begin); at < words.length; at += wordsOfRange) {
      if (compareWords(wordsIn(words, at), end) > 0) {
        return;
      }
      yield { first: addressOfWords(wordsIn(words, at)), last: addressOfWords(wordsIn(words, at + 4)) };
    }
  }
}

/** Where the first range begins whose last address is not before `address`. */
function firstNotBefore(words: Uint32Array, address: Words): number {
  let [low, high] = [0, words.length / wordsOfRange];
  while (low < high) {
    const middle = (low + high) >> 1;
    const isBefore = compareWords(wordsIn(words, middle * wordsOfRange + 4), address) < 0;
    [low, high] = isBefore ? [middle + 1, high] : [low, middle];
  }
  return low * wordsOfRange;
}

/** Compares an address in words with one in bytes, by their first `bits`. */
function compareWithBytes(words: Uint32Array, at: number, bytes: Address, bits: number): number {
  for (let word = 0, left = bits; word < 4 && left > 0; word++, left -= 32) {
    const shift = Math.max(0, 32 - left);
    const difference = ((words[at + word] ?? 0) >>> shift) - (wordAt(bytes, 4 * word) >>> shift);
    if (difference !== 0) {
      return difference;
    }
  }
  return 0;
}

function wordsIn(words: Uint32Array, at: number): Words {
  return [words[at] ?? 0, words[at + 1] ?? 0, words[at + 2] ?? 0, words[at + 3] ?? 0];
}

/** Each is in order of its first addresses. */
function sourcesOf({ listed, allowed }: ForbiddenLists, family: Family): Iterable<WordRange>[] {
  const own = listed.map((set) => rangesOf(set, family));
  const tunnels = family === 4 ? [] : listed.map(sixToFour);
  return [
    ...own,
    ...tunnels,
    ...(family === 6 && listed.some(hasIpv4)
      ? [leadAnywhere.map(({ base, length }) => rangeOf(wordsOf(base), length))]
      : []),
    ...(allowed === null ? [] : [gapsOf(rangesOf(allowed, family), everything[family])]),
  ];
}

function hasIpv4(set: PrefixSet): boolean {
  for (const { family } of set) {
    if (family === 4) {
      return true;
    }
  }
  return false;
}

function rangeOf(first: Words, bits: number): WordRange {
  return { first, last: lastWords(first, bits) };
}

function* rangesOf(set: PrefixSet, family: Family): Generator<WordRange> {
  for (const prefix of set) {
    if (prefix.family === family) {
      yield rangeOf(wordsOf(prefix.base), mappedBits(prefix));
    }
  }
}

/** RFC 3056: an IPv4 address follows 2002. */
function* sixToFour(set: PrefixSet): Generator<WordRange> {
  for (const { base, length, family } of set) {
    const inside = wordsOf(base)[3];
    if (family === 4) {
      yield rangeOf([(0x20020000 | (inside >>> 16)) >>> 0, (inside << 16) >>> 0, 0, 0], 16 + length);
    }
  }
}

/** The gaps between ordered ranges, which may be nested. */
function* gapsOf(ranges: Iterable<WordRange>, { first, last }: WordRange): Generator<WordRange> {
  let open: Words | null = first;
  for (const range of ranges) {
    if (open === null || compareWords(range.last, open) < 0) {
      continue;
    }
    if (compareWords(range.first, open) > 0) {
      yield { first: open, last: previousWords(range.first) };
    }
    open = compareWords(range.last, last) < 0 ? nextWords(range.last) : null;
  }
  if (open !== null) {
    yield { first: open, last };
  }
}

/** All sources in one order; ranges that overlap or touch become one. Eight words each. */
function* union(sources: readonly Iterable<WordRange>[]): Steps<Uint32Array> {
  const words = new WordList();
  const heads = sources.map((source) => new Head(source));
  let open: WordRange | null = null;
  for (let range = takeFirst(heads); range !== null; range = takeFirst(heads)) {
    if (open === null || isApart(open, range)) {
      push(words, open);
      open = range;
    } else if (compareWords(range.last, open.last) > 0) {
      open = { first: open.first, last: range.last };
    }
    yield;
  }
  push(words, open);
  return words.words().slice();
}

/** The next range of a source. */
class Head {
  next: WordRange | null = null;
  readonly #rest: Iterator<WordRange>;

  constructor(source: Iterable<WordRange>) {
    this.#rest = source[Symbol.iterator]();
    this.advance();
  }

  advance(): void {
    const { done, value } = this.#rest.next();
    this.next = done === true ? null : value;
  }
}

function takeFirst(heads: readonly Head[]): WordRange | null {
  let found: Head | null = null;
  let range: WordRange | null = null;
  for (const head of heads) {
    if (head.next !== null && (range === null || compareWords(head.next.first, range.first) < 0)) {
      [found, range] = [head, head.next];
    }
  }
  found?.advance();
  return range;
}

/** `later` does not begin before `range`, and neither overlaps nor touches it. */
function isApart(range: WordRange, later: WordRange): boolean {
  const behind = nextWords(range.last);
  return behind !== null && compareWords(later.first, behind) > 0;
}

function push(words: WordList, range: WordRange | null): void {
  for (const word of range === null ? [] : [...range.first, ...range.last]) {
    words.push(word);
  }
}
