/** How ranges of addresses lie in a section file. */
import { RangeTable } from "../../net/ip/range-table.ts";
import type { Sections } from "./section-file.ts";

/** The ranges of a table on disk: the four sections that a RangeTableBuilder gives. */
export function rangeTableOf(sections: Sections): RangeTable {
  return new RangeTable({
    ipv4Starts: sections.u32("ipv4Starts"),
    ipv4Values: sections.u32("ipv4Values"),
    ipv6Starts: sections.u32("ipv6Starts"),
    ipv6Values: sections.u32("ipv6Values"),
  });
}
