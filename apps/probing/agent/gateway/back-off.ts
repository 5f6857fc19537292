/** Exponential back-off with jitter, so that agents do not retry all at once. */

const firstMs = 500;
/**
 * An agent that doesn't report cannot be used, so it retries soon after its gateway is reachable again: a thousand
 * agents at this pace are 270 requests a second.
 */
const longestMs = 5_000;

/** `chance` is from 0 to 1: the result is between half of the step and the whole of it, at most 5 s. */
export function backOffMs(failures: number, chance: number): number {
  const stepMs = Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1));
  return stepMs * (0.5 + chance / 2);
}
