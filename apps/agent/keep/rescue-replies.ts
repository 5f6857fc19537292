/**
 * Replies that a killed agent had in memory, put into the spool: batch by batch as it had made them, with their
 * numbers, so that the store takes none twice of which the broker had taken some.
 */
import { MeasurementTable } from "../consume/measurement-table.ts";
import { ByteRing } from "../engine/byte-ring.ts";
import { keptNames } from "../engine/shared-memory.ts";
import { BatchLedger } from "../produce/batch-ledger.ts";
import type { Batch } from "../produce/reply-batcher.ts";
import { ReplySource } from "../produce/reply-source.ts";
import type { Spool } from "../produce/spool.ts";
import type { KeptMemory } from "./kept-memory.ts";

/** Returns how many there were. Throws Error when the disk has no room for them: they stay where they are. */
export function rescueReplies(memory: KeptMemory, spool: Spool): number {
  const { left } = memory;
  const names = memory.read(keptNames.measurements);
  const measurements = names === null ? MeasurementTable.allocate(1) : new MeasurementTable(names);
  let replies = 0;
  for (const { interfaceName, producer } of left?.receivers ?? []) {
    const ring = memory.read(keptNames.replies(interfaceName));
    const ledger = memory.read(keptNames.ledger(interfaceName));
    if (left !== null && ring !== null && ledger !== null) {
      const parts = { ring: new ByteRing(ring), ledger: new BatchLedger(ledger), onReply: () => replies++ };
      const source = new ReplySource({ ...parts, batcher: { ...left, producer, measurements } });
      for (const batch of batchesOf(source, parts)) {
        keep(batch, spool);
      }
    }
  }
  return replies;
}

function* batchesOf(
  source: ReplySource,
  { ring, ledger }: { readonly ring: ByteRing; readonly ledger: BatchLedger },
): Generator<Batch> {
  for (const noted of ledger.open(ring)) {
    yield source.again(noted);
  }
  for (let hasMore = true; hasMore; ) {
    hasMore = source.fill();
    const batch = source.take();
    if (batch.replies > 0) {
      yield batch;
    }
  }
}

function keep(batch: Batch, spool: Spool): void {
  if (!spool.addLeft(batch)) {
    throw new Error("Cannot save the replies of an agent that was killed: the state folder takes no more");
  }
  batch.onSafe?.();
}
