/** Lists of prefixes with their origins: what pyasn and CAIDA make of RIB dumps. */
import { parsePrefix } from "../../../net/ip/prefix.ts";
import { mappedBits, wordsOf } from "../../../net/ip/words.ts";
import { parseAsn } from "../asn.ts";
import type { ContextBuilder } from "../context-builder.ts";
import { badLine, type Line, lines, prefixAt } from "./lines.ts";

/** pyasn's .dat: `prefix TAB asn`, comments with `;`. Returns the number of prefixes. */
export async function readPyasn(chunks: AsyncIterable<Uint8Array>, book: ContextBuilder): Promise<number> {
  let count = 0;
  for await (const line of lines(chunks, ";")) {
    const [prefixText = "", asnText = ""] = line.text.split("\t");
    const prefix = prefixAt(prefixText, line);
    book.origins.add(wordsOf(prefix.base), mappedBits(prefix), [asnAt(asnText, line)]);
    count++;
  }
  return count;
}

/**
 * CAIDA's prefix2as: `address TAB length TAB origins`. Returns the number of prefixes.
 *
 * `_` joins several origins (MOAS), the one of most peers first; `,` joins the members of an AS set, which does not say
 * who the origin is.
 */
export async function readPrefix2as(
  chunks: AsyncIterable<Uint8Array>,
  book: ContextBuilder,
): Promise<number> {
  let count = 0;
  for await (const line of lines(chunks)) {
    const [base = "", length = "", origins = ""] = line.text.split("\t");
    const prefix = parsePrefix(`${base}/${length}`);
    if (prefix === null) {
      throw badLine(
        line,
        `"${base}/${length}" is not a prefix: give address, length, origin with tabs between`,
      );
    }
    book.origins.add(wordsOf(prefix.base), mappedBits(prefix), originsOf(origins, line));
    count++;
  }
  return count;
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
    throw badLine(line, `"${text.slice(0, 60)}" is not an AS number`);
  }
  return asn;
}
