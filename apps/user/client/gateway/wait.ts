/** Polls a measurement until it has ended, enough replies have arrived, or the time is over. */
import {
  type MeasurementStatus,
  measurementStatusSchema,
} from "../../../../lib/engines/gateway-client/answers.ts";
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { restartMsMax } from "../../../../lib/engines/gateway-client/limits.ts";
import { type Waited, waitUntil } from "../../../../lib/engines/sdk/wait.ts";
import { isEnded } from "./measurement-columns.ts";

interface WaitOrder {
  /** Null = without end. */
  readonly timeoutMs: number | null;
  /** Null = until the measurement has ended. */
  readonly replies: number | null;
  /** Null = until the measurement has ended. */
  readonly percent: number | null;
  readonly onStatus: (status: MeasurementStatus) => void;
  /** Called with the reason when the gateway is unreachable; polling continues, as it may be restarting. */
  readonly onBreak?: (reason: string) => void;
  readonly signal: AbortSignal;
}

export type WaitedMeasurement = Waited<MeasurementStatus>;

export function waitForMeasurement(
  gateway: Gateway,
  id: string,
  { timeoutMs, replies, percent, onStatus, onBreak, signal }: WaitOrder,
): Promise<WaitedMeasurement> {
  const patientMs = Math.min(timeoutMs ?? restartMsMax, restartMsMax);
  const ask = { signal, patientMs, onBreak };
  return waitUntil(
    () => gateway.read(`/api/measurements/${id}/status`, measurementStatusSchema, ask),
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
