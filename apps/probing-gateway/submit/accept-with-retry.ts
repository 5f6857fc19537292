/**
 * Accepts a measurement even if the database goes away in the middle of the statement.
 *
 * Then the outcome is unknown, so it is tried again under the same id: if the first attempt succeeded, the second
 * finds its row. When the database stays unreachable, the acceptance is pending: the probes are kept, and the sweep
 * (measurements/sweep.ts) publishes them later if the row exists.
 */

import { codeOf, isOutage } from "../../../lib/failure/outage.ts";
import { Problem } from "../../../lib/http/problem.ts";
import type { Database } from "../../../lib/store/postgres/open.ts";
import { acceptRetryMs, acceptTriesMax, retryAfterSeconds } from "../limits.ts";
import { type AcceptOrder, acceptMeasurement } from "./acceptance.ts";

type Acceptance =
  | { readonly kind: "accepted"; readonly notAfterMs: number }
  /** The day's quota has no room, or the user may not measure. */
  | { readonly kind: "refused" }
  /** The idempotency key belongs to another measurement, accepted a moment ago. */
  | { readonly kind: "repeated" }
  | { readonly kind: "inDoubt"; readonly problem: Problem };

const uniqueViolation = "23505";

export async function acceptWithRetry(database: Database, order: AcceptOrder): Promise<Acceptance> {
  for (let tries = 1; ; tries++) {
    try {
      const notAfter = await database.timed("submission_accept", () =>
        acceptMeasurement(database.sql, order),
      );
      return notAfter === null ? { kind: "refused" } : { kind: "accepted", notAfterMs: notAfter.getTime() };
    } catch (error) {
      if (codeOf(error) === uniqueViolation) {
        return acceptedBefore(database, order.measurementId);
      }
      if (!isOutage(error)) {
        throw error;
      }
      if (tries === acceptTriesMax) {
        return { kind: "inDoubt", problem: pendingProblem(error) };
      }
      await new Promise((resolve) => setTimeout(resolve, acceptRetryMs));
    }
  }
}

async function acceptedBefore({ sql }: Database, measurementId: string): Promise<Acceptance> {
  const [row] = await sql<{ not_after: Date }[]>`
    SELECT not_after FROM measurements WHERE measurement_id = ${measurementId}`;
  return row === undefined ? { kind: "repeated" } : { kind: "accepted", notAfterMs: row.not_after.getTime() };
}

function pendingProblem(cause: unknown): Problem {
  return new Problem({
    status: 503,
    code: "database_unavailable",
    message:
      "The database is away, so it is open whether this was accepted: repeat it with the same Idempotency-Key",
    headers: { "retry-after": String(retryAfterSeconds) },
    cause,
  });
}
