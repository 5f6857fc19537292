/** The table that a response builds, while the old one stays in use until the response is complete. */
import { formatPrefix } from "../../ip/prefix.ts";
import type { Vrp } from "../origin-validation.ts";
import { VrpTable } from "../vrp-table.ts";

export interface VrpDraft {
  /** VRPs that it changes; for a whole table, VRPs that it has. */
  readonly changes: number;
  /** Upper bound of the table's size afterwards. */
  readonly countMax: number;
  /** True when it was new. */
  add(vrp: Vrp): boolean;
  /** True when it was present. */
  remove(vrp: Vrp): boolean;
  /** The resulting table. */
  table(): VrpTable;
}

/** A new table from a whole answer. */
export function wholeDraft(): VrpDraft {
  const table = new VrpTable();
  return {
    get changes() {
      return table.count;
    },
    get countMax() {
      return table.count;
    },
    add: (vrp) => table.add(vrp),
    remove: (vrp) => table.remove(vrp),
    table: () => table,
  };
}

/** Changes to a table, applied all at once. */
export function changedDraft(table: VrpTable): VrpDraft {
  const changed = new Map<string, { readonly vrp: Vrp; readonly isThere: boolean }>();
  const set = (vrp: Vrp, isThere: boolean) => {
    const key = keyOf(vrp);
    const wasThere = changed.get(key)?.isThere ?? table.has(vrp);
    changed.set(key, { vrp, isThere });
    return wasThere;
  };
  return {
    get changes() {
      return changed.size;
    },
    get countMax() {
      return table.count + changed.size;
    },
    add: (vrp) => !set(vrp, true),
    remove: (vrp) => set(vrp, false),
    table: () => {
      for (const { vrp, isThere } of changed.values()) {
        isThere ? table.add(vrp) : table.remove(vrp);
      }
      return table;
    },
  };
}

function keyOf({ prefix, maxLength, asn }: Vrp): string {
  return `${formatPrefix(prefix)} ${maxLength} ${asn}`;
}
