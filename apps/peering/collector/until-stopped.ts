/** Work that the collector does again and again. */
import { setTimeout as sleep } from "node:timers/promises";

/** Looks, waits and looks again; the signal ends the wait. Rejects as `look` does. */
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
