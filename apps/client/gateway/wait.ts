/** Polls a measurement until it has ended, enough replies have come, or the time is over. */

import { type MeasurementStatus, measurementStatusSchema } from "../../../lib/gateway-client/answers.ts";
import type { Gateway } from "../../../lib/gateway-client/gateway.ts";
import { type Waited, waitUntil } from "../../../lib/sdk/wait.ts";
import { isEnded } from "./measurement-columns.ts";

interface WaitOrder {
  /** Null = without end. */
  readonly timeoutMs: number | null;
  /** Null = until the measurement has ended. */
  readonly replies: number | null;
  /** Null = until the measurement has ended. */
  readonly percent: number | null;
  readonly onStatus: (status: MeasurementStatus) => void;
  readonly signal: AbortSignal;
}

export type WaitedMeasurement = Waited<MeasurementStatus>;

export function waitForMeasurement(
  gateway: Gateway,
  id: string,
  { timeoutMs, replies, percent, onStatus, signal }: WaitOrder,
): Promise<WaitedMeasurement> {
  return waitUntil(
    () => gateway.read(`/api/measurements/${id}/status`, measurementStatusSchema, { signal }),
    (status) => ({
      isEnded: isEnded(status),
      replies: repliesOf(status),
      expectedProbes: status.total_expected_probes,
    }),
    {
      timeoutMs: timeoutMs ?? undefined,
      minResults: replies ?? undefined,
      percent: percent ?? undefined,
      signal,
      onStatus,
    },
  );
}

export function repliesOf({ agents }: MeasurementStatus): number {
  return agents.reduce((sum, { received_replies }) => sum + received_replies, 0);
}
