/** What an answer of a cache says, beside the table that is in use until the answer is whole. */
import { formatPrefix } from "../../ip/prefix.ts";
import type { Vrp } from "../origin-validation.ts";
import { VrpTable } from "../vrp-table.ts";

export interface VrpDraft {
  /** How many VRPs it changes; of one that has all, how many there are. */
  readonly changes: number;
  /** How many the table has then, or fewer. */
  readonly countMax: number;
  /** Whether it was not there. */
  add(vrp: Vrp): boolean;
  /** Whether it was there. */
  remove(vrp: Vrp): boolean;
  /** The table as the answer has it. */
  table(): VrpTable;
}

/** All of them, anew. */
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

/** Changes of a table, which gets them all at once. */
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
