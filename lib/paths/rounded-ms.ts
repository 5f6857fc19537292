/** Milliseconds to whole microseconds, for JSON: what is finer is noise of the clocks. Null stays null. */
export function roundedMs(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 1000) / 1000;
}
