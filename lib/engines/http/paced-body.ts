/**
 * Reads a body while its client keeps a minimum pace: a client that trickles bytes would hold memory, a file and a
 * slot.
 *
 * Only the time spent waiting for the client counts, not the time spent on processing. Waiting uses up the allowance,
 * bytes restore it: a pause of `graceMs` is allowed anywhere in a body.
 */
import type { Problem } from "./problem.ts";
import { tooSlow } from "./too-slow.ts";

export interface BodyPace {
  /** Allowed pause. */
  readonly graceMs: number;
  readonly bytesPerSec: number;
  /** Total waiting time. */
  readonly deadlineMs: number;
}

/** Interval of checks on a silent client, and so the precision of the limits. */
const lookMs = 250;

/** `signal` ends the reading: its reason is thrown. Throws Problem 408 `body_too_slow`. */
export async function* pacedChunks(
  body: NonNullable<Request["body"]>,
  pace: BodyPace,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const reader = body.getReader();
  let ended: unknown = null;
  // That ends a pending read; racing a promise would add one listener for each chunk.
  const end = (reason: unknown) => {
    ended = reason;
    reader.cancel(reason).catch(() => {});
  };
  const onAbort = () => end(signal?.reason);
  signal?.addEventListener("abort", onAbort);
  const watchdog = new PaceWatchdog(pace, end);
  try {
    for (;;) {
      signal?.throwIfAborted();
      watchdog.waits();
      const { done, value } = await reader.read();
      watchdog.has(value?.length ?? 0);
      if (ended !== null) {
        throw ended;
      }
      if (done) {
        return;
      }
      yield value;
    }
  } finally {
    signal?.removeEventListener("abort", onAbort);
    watchdog[Symbol.dispose]();
    if (ended === null) {
      reader.cancel().catch(() => {});
    }
  }
}

class PaceWatchdog implements Disposable {
  readonly #pace: BodyPace;
  readonly #onEnd: (problem: Problem) => void;
  readonly #timer: ReturnType<typeof setInterval>;
  #leftMs: number;
  #waitedMs = 0;
  /** Null while not waiting for the client. */
  #waitsSinceMs: number | null = null;

  constructor(pace: BodyPace, onEnd: (problem: Problem) => void) {
    this.#pace = pace;
    this.#onEnd = onEnd;
    this.#leftMs = pace.graceMs;
    this.#timer = setInterval(() => this.#check(), lookMs);
  }

  waits(): void {
    this.#waitsSinceMs = performance.now();
  }

  has(bytes: number): void {
    this.#pass();
    this.#waitsSinceMs = null;
    const { graceMs, bytesPerSec } = this.#pace;
    this.#leftMs = Math.min(graceMs, this.#leftMs + (1000 * bytes) / bytesPerSec);
  }

  #pass(): void {
    if (this.#waitsSinceMs !== null) {
      const nowMs = performance.now();
      const passedMs = nowMs - this.#waitsSinceMs;
      this.#waitsSinceMs = nowMs;
      this.#waitedMs += passedMs;
      this.#leftMs -= passedMs;
    }
  }

  #check(): void {
    this.#pass();
    const { graceMs, bytesPerSec, deadlineMs } = this.#pace;
    if (this.#waitedMs > deadlineMs) {
      this.#end(`it has taken more than ${deadlineMs / 1000} s`);
    } else if (this.#leftMs < 0) {
      this.#end(`send at least ${bytesPerSec} bytes a second, with pauses of ${graceMs / 1000} s at most`);
    }
  }

  #end(message: string): void {
    this[Symbol.dispose]();
    this.#onEnd(tooSlow(message));
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
