/**
 * CAIDA's AS relationships, serial-1 and serial-2: `provider|customer|-1`, `peer|peer|0`, comments with `#`.
 *
 * serial-2 has a fourth column, the source of the relationship, which is ignored.
 */
import { parseAsn } from "../asn.ts";
import type { ContextBuilder } from "../context-builder.ts";
import { badLine, type Line, readLines } from "./lines.ts";

/** Returns the number of relationships. */
export function readAsRelationships(
  chunks: AsyncIterable<Uint8Array>,
  builder: ContextBuilder,
): Promise<number> {
  const take = (line: Line) => {
    const [first = "", second = "", kind = ""] = line.text.split("|");
    const one = parseAsn(first);
    const other = parseAsn(second);
    if (one === null || other === null || (kind !== "-1" && kind !== "0")) {
      const detail = `"${line.text.slice(0, 60)}" is not a relationship: give AS|AS|-1 or AS|AS|0`;
      throw badLine(line, "line that is not a relationship", detail);
    }
    if (kind === "-1") {
      builder.relationships.addCustomer(one, other);
    } else {
      builder.relationships.addPeers(one, other);
    }
    return true;
  };
  return readLines(chunks, { builder, take });
}
