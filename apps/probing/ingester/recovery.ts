/** Decides what a starting ingester does with the last batch in its predecessor's journal. */
import type { Position } from "../../../lib/engines/broker/broker.ts";
import type { JournaledBatch, OffsetRange } from "./journal.ts";

type Recovery =
  /** The group has committed all of it, or is at an unrelated offset: nothing to do. */
  | { readonly kind: "none" }
  /** It was stored, and partly committed: skip these records, and commit them. */
  | { readonly kind: "stored"; readonly uncommitted: readonly OffsetRange[] }
  /** It may be stored or not: insert the same batch again. */
  | { readonly kind: "again"; readonly batch: JournaledBatch };

/** Commits start after the insert, so one committed range proves that the whole batch is stored. */
export function recoveryOf(batch: JournaledBatch | null, positions: readonly Position[]): Recovery {
  if (batch === null || batch.ranges.length === 0) {
    return { kind: "none" };
  }
  const committed = new Map(positions.map((position) => [position.partition, position.committed]));
  const isCommitted = ({ partition, next }: OffsetRange) => (committed.get(partition) ?? -1n) >= next;
  const isUntouched = ({ partition, first }: OffsetRange) => committed.get(partition) === first;
  const uncommitted = batch.ranges.filter((range) => !isCommitted(range));
  if (uncommitted.length === 0 || !uncommitted.every(isUntouched)) {
    return { kind: "none" };
  }
  return uncommitted.length < batch.ranges.length
    ? { kind: "stored", uncommitted }
    : { kind: "again", batch };
}
