/**
 * CAIDA's AS relationships, serial-1 and serial-2: `provider|customer|-1`, `peer|peer|0`, comments with `#`.
 *
 * serial-2 has a fourth column, the source of the relationship, which is ignored.
 */
import { parseAsn } from "../asn.ts";
import type { ContextBuilder } from "../context-builder.ts";
import { badLine, lines } from "./lines.ts";

/** Returns the number of relationships. */
export async function readAsRelationships(
  chunks: AsyncIterable<Uint8Array>,
  book: ContextBuilder,
): Promise<number> {
  let count = 0;
  for await (const line of lines(chunks)) {
    const [first = "", second = "", kind = ""] = line.text.split("|");
    const one = parseAsn(first);
    const other = parseAsn(second);
    if (one === null || other === null || (kind !== "-1" && kind !== "0")) {
      throw badLine(line, `"${line.text.slice(0, 60)}" is not a relationship: give AS|AS|-1 or AS|AS|0`);
    }
    if (kind === "-1") {
      book.relationships.addCustomer(one, other);
    } else {
      book.relationships.addPeers(one, other);
    }
    count++;
  }
  return count;
}
