/** Retries with growing pauses until success or timeout. */
import type { BrokerError } from "../broker.ts";
import { brokerErrorOf } from "./kafka-error.ts";
import { tryAgainMs } from "./limits.ts";

interface RetryPolicy<Result> {
  /** For errors: "Cannot " and this. */
  readonly what: string;
  readonly giveUpMs: number;
  readonly attempt: () => Promise<Result>;
  /** Called after each failure, before the next attempt. */
  readonly failed?: (error: BrokerError) => void;
}

/**
 * Resolves to the result of an attempt. Rejects with BrokerError at once when it is not `unavailable`, else after
 * `giveUpMs`; a hanging attempt is abandoned then.
 */
export async function withRetries<Result>(undertaking: RetryPolicy<Result>): Promise<Result> {
  const { what, giveUpMs, attempt, failed } = undertaking;
  const giveUpAt = performance.now() + giveUpMs;
  let pauseMs: number = tryAgainMs.first;
  let reason: BrokerError | null = null;
  for (;;) {
    try {
      return await withTimeout(attempt(), giveUpAt - performance.now());
    } catch (cause) {
      const error = brokerErrorOf(cause, what);
      failed?.(error);
      // A timeout is less informative than the previous error.
      reason = cause instanceof Silence ? (reason ?? error) : error;
      if (error.code !== "unavailable" || performance.now() + pauseMs > giveUpAt) {
        throw reason;
      }
    }
    await Bun.sleep(pauseMs);
    pauseMs = Math.min(pauseMs * 2, tryAgainMs.max);
  }
}

class Silence extends Error {}

/** Rejects with Silence when it takes longer. */
export async function withTimeout<Result>(result: Promise<Result>, limitMs: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Silence("the broker does not answer")), Math.max(0, limitMs));
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}
