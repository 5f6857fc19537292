/** Waits for a condition; a look that fails is looked at again. */

const pauseMs = 30;
/** Above the longest outage with all that follows from it, on a machine with other work. */
const usualMsMax = 480_000;

/** Resolves to the first value that is neither false nor undefined; rejects with what was waited for. */
export async function until<Value>(
  what: string,
  look: () => Value | Promise<Value>,
  ceilingMs = usualMsMax,
): Promise<Exclude<Value, false | undefined>> {
  const endMs = performance.now() + ceilingMs;
  let last: unknown = "nothing";
  while (performance.now() < endMs) {
    try {
      const value = await look();
      if (value !== false && value !== undefined) {
        return value as Exclude<Value, false | undefined>;
      }
    } catch (error) {
      last = error;
    }
    await Bun.sleep(pauseMs);
  }
  throw new Error(`Waited ${ceilingMs / 1000} s in vain for ${what}; last: ${String(last)}`);
}
