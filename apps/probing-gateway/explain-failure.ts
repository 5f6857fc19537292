/** Failures of the gateway's dependencies, as its users see them. The log has the details. */
import { Problem } from "../../lib/http/problem.ts";
import { StoreError } from "../../lib/store/clickhouse/store-error.ts";
import { isOutage } from "../../lib/store/postgres/outage.ts";
import { SubmissionError } from "../../lib/submission/submission-error.ts";
import { retryAfterSeconds } from "./limits.ts";

/** Code of the problem when the database is away. */
export const databaseAway = "database_unavailable";

/** Null = not known to be temporary. */
export function explainFailure(error: unknown): Problem | null {
  if (error instanceof SubmissionError && error.code === "spool") {
    return away("spool_unavailable", "The gateway has no room for probes", error);
  }
  if (error instanceof StoreError) {
    return away("store_unavailable", "The store of results is away", error);
  }
  return isOutage(error) ? away(databaseAway, "The database is away", error) : null;
}

function away(code: string, what: string, cause: unknown): Problem {
  return new Problem({
    status: 503,
    code,
    message: `${what}; try again in ${retryAfterSeconds} s`,
    headers: { "retry-after": String(retryAfterSeconds) },
    cause,
  });
}
