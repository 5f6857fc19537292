/** Rounds milliseconds to whole microseconds, for JSON: finer digits are clock noise. Null stays null. */
export function roundedMs(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 1000) / 1000;
}
