/** Values shared by requests, answers and configurations, with their error texts. */
import * as v from "valibot";

/** A whole number from `low` to `high`, both included. */
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

/** RFC 3339. */
export const time = v.pipe(v.string(), v.isoTimestamp());
