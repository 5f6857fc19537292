/** Waits for a condition; the ceiling is for machines that are busy, and says what was waited for. */

const ceilingMsDefault = 240_000;
const pauseMs = 25;

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
  const endMs = performance.now() + ceilingMs;
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
    await Bun.sleep(pauseMs);
  }
  throw new Error(`Waited ${ceilingMs / 1000} s for this in vain: ${what} (last: ${String(last)})`);
}
