/** Record size and expiry of a measurement without a gateway. */
import { recordProbesForQueue } from "../../../../lib/engines/submission/queue-records.ts";
import { RecordMaker } from "../../../../lib/engines/submission/record-maker.ts";
import type { Target } from "../../../../lib/engines/submission/targets.ts";
import type { ClientConfig } from "../config.ts";
import { recordProbesDefault, slowestRateProbesPerSec } from "../limits.ts";

interface RecordOrder {
  readonly measurementId: string;
  readonly targets: readonly Target[];
  /** Probes of each target. */
  readonly probes: number;
  readonly notAfterMs: number;
}

/** Throws Failure `submission` `targets` when the headers leave no room for a probe. */
export function recordMaker({ broker, recordProbesMax }: ClientConfig, order: RecordOrder): RecordMaker {
  const byQueue = recordProbesForQueue(order.probes, order.targets);
  return new RecordMaker({
    ...order,
    recordProbesMax: recordProbesMax ?? Math.max(recordProbesDefault, byQueue),
    recordBytesMax: broker.recordBytesMax,
  });
}

/** Twice what an agent needs at its default rate, and ten minutes. */
export function lifeMs(probes: number): number {
  return (2000 * probes) / slowestRateProbesPerSec + 600_000;
}
