/** Work that the collector does again and again. */
import { setTimeout as sleep } from "node:timers/promises";

/** Polls until the signal. Rejects as `look` does. */
export async function untilStopped(
  stop: AbortSignal,
  everyMs: number,
  look: () => Promise<void>,
): Promise<void> {
  while (!stop.aborted) {
    await look();
    await sleep(everyMs, undefined, { signal: stop }).catch(() => {});
  }
}
