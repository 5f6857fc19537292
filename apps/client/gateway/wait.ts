/** Polls a measurement until it has ended, enough replies have come, or the time is over. */

import { type MeasurementStatus, measurementStatusSchema } from "../../../lib/gateway-client/answers.ts";
import type { Gateway } from "../../../lib/gateway-client/gateway.ts";
import { statusPollMs } from "../limits.ts";
import { pause } from "../pause.ts";
import { isEnded } from "./measurement-columns.ts";

interface WaitOrder {
  /** Null = without end. */
  readonly timeoutMs: number | null;
  /** Null = until the measurement has ended. */
  readonly replies: number | null;
  readonly onStatus: (status: MeasurementStatus) => void;
  readonly signal: AbortSignal;
}

type WaitOutcome = "ended" | "enough" | "timeout" | "interrupted";

export interface Waited {
  readonly outcome: WaitOutcome;
  readonly status: MeasurementStatus;
}

export async function waitForMeasurement(gateway: Gateway, id: string, order: WaitOrder): Promise<Waited> {
  const { signal, timeoutMs } = order;
  const deadlineMs = timeoutMs === null ? Number.POSITIVE_INFINITY : performance.now() + timeoutMs;
  for (;;) {
    const status = await gateway.read(`/api/measurements/${id}/status`, measurementStatusSchema, { signal });
    order.onStatus(status);
    const outcome = outcomeOf(status, order, deadlineMs);
    if (outcome !== null) {
      return { outcome, status };
    }
    await pause(Math.min(statusPollMs, Math.max(0, deadlineMs - performance.now())), signal);
  }
}

function outcomeOf(status: MeasurementStatus, order: WaitOrder, deadlineMs: number): WaitOutcome | null {
  if (isEnded(status)) {
    return "ended";
  }
  if (order.replies !== null && repliesOf(status) >= order.replies) {
    return "enough";
  }
  if (order.signal.aborted) {
    return "interrupted";
  }
  return performance.now() >= deadlineMs ? "timeout" : null;
}

export function repliesOf({ agents }: MeasurementStatus): number {
  return agents.reduce((sum, { received_replies }) => sum + received_replies, 0);
}
