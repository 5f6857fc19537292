/** Size of records for agents that queue a limited number of them. Pure. */
import { queuedRecordsMax, recordProbesMax } from "./limits.ts";
import { type Target, wavesOf } from "./targets.ts";

/** Probes of each record, so that no more records of a measurement wait at an agent than its queue holds. */
export function recordProbesForQueue(probes: number, targets: readonly Target[]): number {
  const recordsOfSlice = wavesOf(targets).length;
  return Math.min(recordProbesMax, Math.ceil((probes * recordsOfSlice) / queuedRecordsMax));
}
