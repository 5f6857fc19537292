/** Requests and answers of the lease routes. */
import * as v from "valibot";
import { problem } from "../../../../lib/engines/http/problem.ts";
import { parseLeasePrefix } from "../../../../lib/peering/lease/lease-prefix.ts";

/** Numbers outside the limits get 400 with the limits; a value that is not a whole number is not a duration. */
export const durationBody = v.object({
  duration_hours: v.pipe(v.number(), v.safeInteger("must be a whole number")),
});

export const rpkiBody = v.object({ enabled: v.boolean() });

/** The prefix of a path, percent-encoded as one segment. Throws Problem 400. */
export function prefixParam(text: string): string {
  const prefix = parseLeasePrefix(text);
  if (prefix === null) {
    throw problem(400, "invalid_prefix", "Invalid prefix format");
  }
  return prefix;
}
