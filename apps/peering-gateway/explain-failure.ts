/** Failures of the gateway's dependencies, as its users see them. The log has the details. */
import { Problem } from "../../lib/http/problem.ts";
import { isOutage } from "../../lib/store/postgres/outage.ts";
import { retryAfterSeconds } from "./limits.ts";

/** Null = not known to be temporary. */
export function explainFailure(error: unknown): Problem | null {
  if (!isOutage(error)) {
    return null;
  }
  return new Problem({
    status: 503,
    code: "database_unavailable",
    message: `The database is away; try again in ${retryAfterSeconds} s`,
    headers: { "retry-after": String(retryAfterSeconds) },
    cause: error,
  });
}
