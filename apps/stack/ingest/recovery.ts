/** What an ingester that starts has to do about the batch that its predecessor noted last. */
import type { Position } from "../../../lib/broker/broker.ts";
import type { JournaledBatch, OffsetRange } from "./journal.ts";

export type Recovery =
  /** The group is behind none of it, or stands somewhere else altogether: nothing to do. */
  | { readonly kind: "none" }
  /** It was stored, and committed in part: pass over these records, and commit them. */
  | { readonly kind: "stored"; readonly uncommitted: readonly OffsetRange[] }
  /** It may be stored or not: insert it once more, exactly as it was. */
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
