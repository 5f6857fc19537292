/** Values shared by requests, responses and configurations, with their error texts. */
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

/** A whole number in a query: 1 to `digitsMax` decimal digits. */
export function digits(digitsMax: number, reason = "must be a whole number") {
  return v.pipe(v.string(), v.regex(new RegExp(`^\\d{1,${digitsMax}}$`), reason), v.transform(Number));
}

export const userHash = v.pipe(v.string(), v.regex(/^[\da-f]{64}$/, "must be 64 lower-case hex digits"));

/** Milliseconds since the epoch of the first and the last time that RFC 3339 and databases can write, in UTC. */
const timeMsMin = -62_135_596_800_000;
const timeMsMax = 253_402_300_799_999;

/** A time with a zone can lie beyond: `9999-12-31T23:59:59-23:59`. False also for NaN. */
export function isWritableTime(ms: number): boolean {
  return ms >= timeMsMin && ms <= timeMsMax;
}

/** RFC 3339. */
export const time = v.pipe(v.string(), v.isoTimestamp());
