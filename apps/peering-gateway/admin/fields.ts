/** What several routes of the admin API have in common. */
import * as v from "valibot";
import { noteCharsMax } from "../limits.ts";

export const common = { tags: ["admin"], auth: "admin" } as const;

/** What an admin writes for people. PostgreSQL holds no NUL, and no half of a surrogate pair. */
export const note = v.pipe(
  v.string(),
  v.nonEmpty("must not be empty"),
  v.maxLength(noteCharsMax, `must have at most ${noteCharsMax} characters`),
  v.check((text) => text.isWellFormed() && !text.includes("\0"), "must be Unicode text without NUL"),
);

export const userHash = v.pipe(v.string(), v.regex(/^[\da-f]{64}$/, "must be 64 lower-case hex digits"));

/** `?after`: the number of the last one seen. */
export const afterNumber = v.optional(
  v.pipe(v.string(), v.regex(/^\d{1,15}$/, "must be a number"), v.transform(Number)),
);

export function wholeNumber(low: number, high: number) {
  const message = `must be a whole number from ${low} to ${high}`;
  return v.pipe(
    v.number(message),
    v.safeInteger(message),
    v.minValue(low, message),
    v.maxValue(high, message),
  );
}
