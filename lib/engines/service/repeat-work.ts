/** Work that a service repeats in the background. */

interface RepeatedWork extends AsyncDisposable {
  /** Runs at once, because something has changed. */
  wake(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

interface WorkOrder {
  /** Resolves to the milliseconds until the next run. */
  readonly look: () => Promise<number>;
  /** Called with the first of several failures in a row. */
  readonly complain: (error: unknown) => void;
  /** Called with the first success after failures. */
  readonly rejoice?: () => void;
  /** After a failure, and before the first run if `waitsFirst`. */
  readonly waitMs: number;
  /** After each further failure it waits twice as long, up to this; `waitMs` when it is not given. */
  readonly waitMsMax?: number;
  readonly waitsFirst?: boolean;
}

/** One run at a time; disposing waits for the current one. */
export function repeatWork(order: WorkOrder): RepeatedWork {
  const { look, complain, rejoice, waitMs, waitMsMax = waitMs, waitsFirst = false } = order;
  let isStopped = false;
  let failures = 0;
  let wake = () => {};
  const round = async () => {
    try {
      const nextMs = await look();
      if (failures > 0) {
        rejoice?.();
      }
      failures = 0;
      return nextMs;
    } catch (error) {
      if (failures === 0 && !isStopped) {
        complain(error);
      }
      failures += 1;
      return Math.min(waitMs * 2 ** (failures - 1), waitMsMax);
    }
  };
  const work = (async () => {
    for (let mayLook = !waitsFirst; !isStopped; mayLook = true) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      const timer = setTimeout(resolve, mayLook ? await round() : waitMs);
      await promise;
      clearTimeout(timer);
    }
  })();
  return {
    wake: () => wake(),
    async [Symbol.asyncDispose]() {
      isStopped = true;
      wake();
      await work;
    },
  };
}
