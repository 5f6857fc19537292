/** Pauses between looks: a tenth of what has passed, as many looks start a process or ask a store. */
const pauseMsMax = 250;

/** Looks until it is so, as long as the test may take. */
export async function until(isSo: () => Promise<boolean> | boolean, pauseMs = 20): Promise<void> {
  const startMs = performance.now();
  while (!(await isSo())) {
    await Bun.sleep(Math.max(pauseMs, Math.min(pauseMsMax, (performance.now() - startMs) / 10)));
  }
}
