/** Lists of prefixes with their origins: what pyasn and CAIDA make of RIB dumps. */
import { mappedBits, wordsOf } from "../../../net/ip/words.ts";
import { parseAsn } from "../asn.ts";
import type { ContextBuilder } from "../context-builder.ts";
import { badLine, type Line, prefixAt, readLines } from "./lines.ts";

/** pyasn's .dat: `prefix TAB asn`, comments with `;`. Returns the number of prefixes. */
export function readPyasn(chunks: AsyncIterable<Uint8Array>, builder: ContextBuilder): Promise<number> {
  const take = (line: Line) => {
    const [prefixText = "", asnText = ""] = columnsOf(line, 2);
    const prefix = prefixAt(prefixText, line);
    builder.origins.add(wordsOf(prefix.base), mappedBits(prefix), [asnAt(asnText, line)]);
    return true;
  };
  return readLines(chunks, { builder, comment: ";", take });
}

/**
 * CAIDA's prefix2as: `address TAB length TAB origins`. Returns the number of prefixes.
 *
 * `_` joins several origins (MOAS), the one of most peers first; `,` joins the members of an AS set, which does not say
 * who the origin is.
 */
export function readPrefix2as(chunks: AsyncIterable<Uint8Array>, builder: ContextBuilder): Promise<number> {
  const take = (line: Line) => {
    const [base = "", length = "", origins = ""] = columnsOf(line, 3);
    const prefix = prefixAt(`${base}/${length}`, line);
    builder.origins.add(wordsOf(prefix.base), mappedBits(prefix), originsOf(origins, line));
    return true;
  };
  return readLines(chunks, { builder, take });
}

function columnsOf(line: Line, count: number): string[] {
  const columns = line.text.split("\t");
  if (columns.length !== count) {
    const detail = `${columns.length} columns, where ${count} are expected, with tabs between`;
    throw badLine(line, "line with another number of columns", detail);
  }
  return columns;
}

function originsOf(text: string, line: Line): number[] {
  const [first = "", ...others] = text.split("_");
  const members = first.split(",").map((asn) => asnAt(asn, line));
  const more = others.flatMap((part) => part.split(",").map((asn) => asnAt(asn, line)));
  return members.length > 1 ? [0, ...members, ...more] : [...members, ...more];
}

function asnAt(text: string, line: Line): number {
  const asn = parseAsn(text);
  if (asn === null) {
    const detail = `"${text.slice(0, 60)}" is not an AS number`;
    throw badLine(line, "line without an AS number that can be read", detail);
  }
  return asn;
}
