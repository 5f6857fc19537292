/** Values that requests, answers and configurations have in common, with the words for what is wrong with one. */
import * as v from "valibot";

/** Both ends included. */
export function wholeNumber(low: number, high: number) {
  const message = `must be a whole number from ${low} to ${high}`;
  return v.pipe(
    v.number(message),
    v.safeInteger(message),
    v.minValue(low, message),
    v.maxValue(high, message),
  );
}

export const userHash = v.pipe(v.string(), v.regex(/^[\da-f]{64}$/, "must be 64 lower-case hex digits"));
