/**
 * Moves the replies that a killed agent had in memory to the spool: in its batches, with their numbers, so that none is
 * stored twice, even if the broker already had some.
 */
import { ByteRing } from "../engine/byte-ring.ts";
import { MeasurementBoard } from "../engine/measurement-board.ts";
import { keptNames } from "../engine/shared-memory.ts";
import { MeasurementTable, noMeasurement } from "../measurement-table.ts";
import { BatchLedger } from "../produce/batch-ledger.ts";
import type { Batch } from "../produce/reply-batcher.ts";
import { ReplySource } from "../produce/reply-source.ts";
import type { Spool } from "../produce/spool.ts";
import type { KeptMemory } from "./kept-memory.ts";
import type { SentProbes } from "./sent-probes.ts";

/** Counts of a measurement that the killed agent had not journaled. */
export interface UnjournaledCounts {
  readonly measurementId: string;
  readonly failed: number;
  readonly replied: number;
}

/** Progress that a killed agent had not journaled. */
export interface UnjournaledProgress {
  readonly probes: readonly SentProbes[];
  readonly counts: readonly UnjournaledCounts[];
}

export interface RecoveredReplies {
  readonly replies: number;
  readonly counts: readonly UnjournaledCounts[];
}

/** Throws Error when the disk has no room: then the replies stay in memory files. */
export function recoverReplies(memory: KeptMemory, spool: Spool): RecoveredReplies {
  const names = memory.read(keptNames.measurements);
  const measurements = names === null ? MeasurementTable.allocate(1) : new MeasurementTable(names);
  const board = memory.read(keptNames.board);
  const taken = new Map<number, number>();
  let replies = 0;
  const onTaken = (measurement: number, count: number) =>
    taken.set(measurement, (taken.get(measurement) ?? 0) + count);
  for (const batch of leftBatches(memory, measurements, onTaken)) {
    if (!spool.addLeft(batch)) {
      throw new Error("Cannot save the replies of an agent that was killed: the state folder takes no more");
    }
    batch.onSafe?.();
    replies += batch.replies;
  }
  const counts = [...measurements].flatMap(([number, measurementId]) => {
    const { failed = 0, replied = 0 } = board === null ? {} : new MeasurementBoard(board).take(number);
    const all = replied + (number > noMeasurement ? (taken.get(number) ?? 0) : 0);
    return failed + all > 0 ? [{ measurementId, failed, replied: all }] : [];
  });
  return { replies, counts };
}

function* leftBatches(
  memory: KeptMemory,
  measurements: MeasurementTable,
  onTaken: (measurement: number, replies: number) => void,
): Generator<Batch> {
  const { left } = memory;
  for (const { interfaceName, producer } of left?.receivers ?? []) {
    const ring = memory.read(keptNames.replies(interfaceName));
    const ledger = memory.read(keptNames.ledger(interfaceName));
    if (left !== null && ring !== null && ledger !== null) {
      const parts = { ring: new ByteRing(ring), ledger: new BatchLedger(ledger), onTaken };
      yield* batchesOf(new ReplySource({ ...parts, batcher: { ...left, producer, measurements } }), parts);
    }
  }
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
