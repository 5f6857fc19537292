/** Looks until it is so, as long as the test may take. */
export async function until(isSo: () => Promise<boolean> | boolean, pauseMs = 20): Promise<void> {
  while (!(await isSo())) {
    await Bun.sleep(pauseMs);
  }
}
