/** Waiting that Ctrl-C ends. */

/** Resolves with the signal. For one wait: each call leaves a listener behind. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) {
      resolve();
    }
  });
}

/** Waits, or until the signal: whichever comes first. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const onAbort = () => resolve();
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) {
    resolve();
  }
  await promise;
  clearTimeout(timer);
  signal.removeEventListener("abort", onAbort);
}
