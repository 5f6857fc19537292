/** Work that a service does again and again, beside what it serves. */

interface RepeatedWork extends AsyncDisposable {
  /** Something has changed: look at once. */
  wake(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

interface WorkOrder {
  /** Resolves to the milliseconds until the next look. */
  readonly look: () => Promise<number>;
  /** Called with the first of several failures in a row. */
  readonly complain: (error: unknown) => void;
  /** After a failure, and before the first look where `waitsFirst`. */
  readonly waitMs: number;
  readonly waitsFirst?: boolean;
}

/** One look at a time; disposing waits for the one under way. */
export function repeatWork({ look, complain, waitMs, waitsFirst = false }: WorkOrder): RepeatedWork {
  let isStopped = false;
  let isWell = true;
  let wake = () => {};
  const round = async () => {
    try {
      const nextMs = await look();
      isWell = true;
      return nextMs;
    } catch (error) {
      if (isWell && !isStopped) {
        complain(error);
      }
      isWell = false;
      return waitMs;
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
