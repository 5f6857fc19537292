/** Requests and answers of the lease routes. */
import * as v from "valibot";
import { problem } from "../../../../lib/engines/http/problem.ts";
import { parseLeasePrefix } from "../../../../lib/peering/lease/lease-prefix.ts";
import { leaseHoursMax } from "../../../../lib/peering/lease/limits.ts";

/** Numbers outside the limits get 400 with the limits; a value that is not a whole number is not a duration. */
export const durationBody = v.object({
  duration_hours: v.pipe(
    v.number(),
    v.safeInteger("must be a whole number"),
    // For the document alone: the refusal of a gateway names what this user may have.
    v.metadata({ minimum: 1, maximum: leaseHoursMax }),
    v.description("Up to the gateway's leases.hours_max, or what an operator has set for the user"),
  ),
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
