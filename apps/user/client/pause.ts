/** A wait that Ctrl-C ends. */

/** Resolves with the signal. For one wait: each call leaves a listener behind. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) {
      resolve();
    }
  });
}
