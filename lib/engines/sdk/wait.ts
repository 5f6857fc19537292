/** Waits for a measurement: until it has ended, until there is enough of it, or for no longer than a time. */
import { pause } from "../gateway-client/pause.ts";

export type WaitOutcome = "ended" | "enough" | "timeout" | "interrupted";

export interface Waited<Status> {
  readonly outcome: WaitOutcome;
  /** The last one seen. */
  readonly status: Status;
}

export interface WaitOptions<Status> {
  /** Ends the wait when it returns true; default: only the measurement's end does. */
  readonly until?: (status: Status) => boolean;
  /** Enough with so many replies. */
  readonly minResults?: number | undefined;
  /** Enough with so many replies for 100 probes that agents send in all; a probe may have several. */
  readonly percent?: number | undefined;
  /** Default: without end. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Receives each status that is read. */
  readonly onStatus?: (status: Status) => void;
  /** Milliseconds between two polls; default 500. */
  readonly pollMs?: number;
}

/** The contents of a status. */
interface Progress {
  readonly isEnded: boolean;
  readonly replies: number;
  /** Sums over all agents. */
  readonly expectedProbes: number;
}

const pollMsDefault = 500;

/**
 * The signal gives `interrupted`, and ends waiting, but not a request in progress: give it to `read` for that. Rejects
 * as `read` does.
 */
export async function waitUntil<Status>(
  read: () => Promise<Status>,
  progressOf: (status: Status) => Progress,
  options: WaitOptions<Status>,
): Promise<Waited<Status>> {
  const { timeoutMs, signal, onStatus, pollMs = pollMsDefault } = options;
  const deadlineMs = timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeoutMs;
  for (;;) {
    const status = await read();
    onStatus?.(status);
    const outcome = outcomeOf(status, progressOf(status), options, deadlineMs);
    if (outcome !== null) {
      return { outcome, status };
    }
    await pause(Math.min(pollMs, Math.max(0, deadlineMs - performance.now())), signal);
  }
}

function outcomeOf<Status>(
  status: Status,
  { isEnded, replies, expectedProbes }: Progress,
  { until, minResults, percent, signal }: WaitOptions<Status>,
  deadlineMs: number,
): WaitOutcome | null {
  if (isEnded) {
    return "ended";
  }
  const hasMany = minResults !== undefined && replies >= minResults;
  const hasShare = percent !== undefined && replies * 100 >= percent * expectedProbes;
  if (hasMany || hasShare || until?.(status) === true) {
    return "enough";
  }
  if (signal?.aborted === true) {
    return "interrupted";
  }
  return performance.now() >= deadlineMs ? "timeout" : null;
}
