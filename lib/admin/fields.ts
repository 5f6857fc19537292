/** Values that requests of both gateways' admin APIs have. */
import * as v from "valibot";

export const userHash = v.pipe(v.string(), v.regex(/^[\da-f]{64}$/, "must be 64 lower-case hex digits"));

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
