/**
 * A set of context as one table of networks, for stores that look an address up once: prefixes, none within another,
 * each with the AS and the place that hold for all of its addresses.
 */
import { prefixesOfRange } from "../../net/ip/address-range.ts";
import { formatPrefix } from "../../net/ip/prefix.ts";
import {
  addressOfWords,
  compareWords,
  nextWords,
  prefixOfWords,
  previousWords,
  type Words,
} from "../../net/ip/words.ts";
import { Origins } from "./origins.ts";
import type { SetFiles } from "./set-files.ts";
import { ValuedRanges } from "./valued-ranges.ts";

export interface NetworkRow {
  readonly prefix: string;
  /** 0 = not known. */
  readonly asn: number;
  /** Place in the list of places, from 1; 0 = not known. */
  readonly place: number;
}

/** In order, IPv4 first. */
interface NumberedRange {
  readonly first: Words;
  readonly last: Words;
  readonly number: number;
}

type Numbers = readonly [origin: number, database: number, lan: number, member: number, place: number];

/** On the LAN of an exchange the member's AS, else the origin's, else the database's, as everywhere. */
export function* networkRows({ tables, lists }: SetFiles): Generator<NetworkRow> {
  const sources = [
    new Origins(tables.origins).ranges(),
    new Origins(tables.databaseOrigins).ranges(),
    new ValuedRanges(tables.lans, lists.exchanges).numbered(() => 1),
    new ValuedRanges(tables.members, lists.asns).numbered((asn) => asn),
    new ValuedRanges(tables.places, lists.places).numbered((_, index) => index + 1),
  ];
  let before: { first: Words; last: Words; asn: number; place: number } | null = null;
  for (const { first, last, numbers } of overlaid(sources)) {
    const [origin, database, lan, member, place] = numbers as Numbers;
    const asn = lan === 0 ? origin || database : member;
    const follows = before !== null && compareWords(nextWords(before.last) ?? before.first, first) === 0;
    if (before !== null && follows && before.asn === asn && before.place === place) {
      before.last = last;
    } else {
      yield* rowsOf(before);
      before = { first, last, asn, place };
    }
  }
  yield* rowsOf(before);
}

function* rowsOf(
  range: { readonly first: Words; readonly last: Words; readonly asn: number; readonly place: number } | null,
): Generator<NetworkRow> {
  if (range === null || (range.asn === 0 && range.place === 0)) {
    return;
  }
  const { first, last, asn, place } = range;
  for (const { base, bits } of prefixesOfRange(addressOfWords(first), addressOfWords(last))) {
    yield { prefix: formatPrefix(prefixOfWords(base, bits)), asn, place };
  }
}

interface Overlaid {
  readonly first: Words;
  readonly last: Words;
  /** The number of each source; 0 = none there. */
  readonly numbers: readonly number[];
}

/** The ranges in which the number of no source changes. */
function* overlaid(sources: readonly Iterator<NumberedRange>[]): Generator<Overlaid> {
  const heads = sources.map((source) => source.next().value as NumberedRange | undefined);
  for (const isIpv4 of [true, false]) {
    let at: Words | null = [0, 0, 0, 0];
    while (at !== null) {
      const from: Words = at;
      const here = heads.filter(
        (head) => head !== undefined && isMapped(head.first) === isIpv4,
      ) as NumberedRange[];
      const starts = here.map(({ first }) => later(first, from));
      const first = starts.reduce<Words | null>(
        (least, one) => (least === null ? one : earlier(least, one)),
        null,
      );
      if (first === null) {
        break;
      }
      const covers = (head: NumberedRange | undefined) =>
        head !== undefined && isMapped(head.first) === isIpv4 && compareWords(head.first, first) <= 0;
      const last = here
        .map((head) => (covers(head) ? head.last : previousWords(head.first)))
        .reduce((least, one) => earlier(least, one));
      yield { first, last, numbers: heads.map((head) => (covers(head) ? (head?.number ?? 0) : 0)) };
      for (const [i, head] of heads.entries()) {
        if (head !== undefined && covers(head) && compareWords(head.last, last) <= 0) {
          heads[i] = sources[i]?.next().value as NumberedRange | undefined;
        }
      }
      at = nextWords(last);
    }
  }
}

function isMapped([a, b, c]: Words): boolean {
  return a === 0 && b === 0 && c === 0xffff;
}

function earlier(x: Words, y: Words): Words {
  return compareWords(x, y) <= 0 ? x : y;
}

function later(x: Words, y: Words): Words {
  return compareWords(x, y) >= 0 ? x : y;
}
