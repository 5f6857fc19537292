/** Where a lease is asked for and there is none. */
import { type Problem, problem } from "../../../lib/engines/http/problem.ts";

/** 404 with the text that existing clients show. */
export function noLease(message = "Prefix lease not found or already expired"): Problem {
  return problem(404, "unknown_lease", message);
}
