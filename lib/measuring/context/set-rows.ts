/** A set of context as rows, for stores that look addresses up by themselves: numbers by prefix, names by number. */
import { formatPrefix } from "../../net/ip/prefix.ts";
import { Origins } from "./origins.ts";
import type { SetFiles } from "./set-files.ts";
import { ValuedRanges } from "./valued-ranges.ts";

/** The kinds of numbers that a prefix has: AS, number of an exchange, AS of a member, place in the list of places. */
export const rowKinds = ["origin", "database", "lan", "member", "place"] as const;

export interface PrefixRow {
  readonly kind: (typeof rowKinds)[number];
  readonly prefix: string;
  readonly number: number;
}

/**
 * The longest prefix of each kind that holds an address has its number; places count from 1.
 *
 * An AS is that of a `member`, or none, where a `lan` holds the address; else of the `origin`, else of the `database`.
 */
export function* prefixRows({ tables, lists }: SetFiles): Generator<PrefixRow> {
  for (const kind of ["origin", "database"] as const) {
    const table = kind === "origin" ? tables.origins : tables.databaseOrigins;
    for (const { prefix, asn } of new Origins(table).prefixes()) {
      yield { kind, prefix: formatPrefix(prefix), number: asn };
    }
  }
  for (const { prefix, fact } of new ValuedRanges(tables.lans, lists.exchanges).prefixes()) {
    yield { kind: "lan", prefix: formatPrefix(prefix), number: fact.id };
  }
  for (const { prefix, fact } of new ValuedRanges(tables.members, lists.asns).prefixes()) {
    yield { kind: "member", prefix: formatPrefix(prefix), number: fact };
  }
  for (const { prefix, index } of new ValuedRanges(tables.places, lists.places).prefixes()) {
    yield { kind: "place", prefix: formatPrefix(prefix), number: index + 1 };
  }
}
