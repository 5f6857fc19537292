/** Waits for a condition; the ceiling is for machines that are busy, and says what was waited for. */

const ceilingMsDefault = 240_000;
/** Between two looks: a tenth of what has passed, within these, as many looks start a process. */
const [pauseMsMin, pauseMsMax] = [25, 250];

/** What was waited for can never come. */
export class InVain extends Error {
  override readonly name = "InVain";
}

/** Resolves to the first value that is neither false, null nor undefined. */
export async function until<Value>(
  what: string,
  look: () => Value | Promise<Value>,
  ceilingMs = ceilingMsDefault,
): Promise<Exclude<Value, false | null | undefined>> {
  const startMs = performance.now();
  const endMs = startMs + ceilingMs;
  let last: unknown;
  while (performance.now() < endMs) {
    try {
      const value = await look();
      if (value !== false && value !== null && value !== undefined) {
        return value as Exclude<Value, false | null | undefined>;
      }
      last = value;
    } catch (error) {
      if (error instanceof InVain) {
        throw error;
      }
      last = error;
    }
    await Bun.sleep(Math.min(pauseMsMax, Math.max(pauseMsMin, (performance.now() - startMs) / 10)));
  }
  throw new Error(`Waited ${ceilingMs / 1000} s for this in vain: ${what} (last: ${String(last)})`);
}
