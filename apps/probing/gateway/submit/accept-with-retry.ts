/**
 * Accepts a measurement even if the database becomes unreachable during the statement.
 *
 * Then the outcome is unknown, so it is retried under the same id: if the first attempt succeeded, the second finds its
 * row. When the database stays unreachable, the acceptance is pending: the probes are kept, and the sweep
 * (measurements/sweep.ts) publishes them later if the row exists. A statement rolled back by a conflict is retried,
 * too; if it keeps failing, nothing was accepted.
 */
import {
  constraintOf,
  isConflict,
  isOutage,
  isUniqueViolation,
} from "../../../../lib/base/failure/outage.ts";
import { Problem } from "../../../../lib/engines/http/problem.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { acceptRetryMs, acceptTriesMax, retryAfterSeconds } from "../limits.ts";
import {
  type Acceptances,
  type Accepted,
  type AcceptOrder,
  type AcceptOutcome,
  tokenQuotaConstraint,
} from "./acceptance.ts";
import { addProbes } from "./addition.ts";

type Acceptance =
  /** Refused: the day's or the token's quota is used up, the user may not measure, or the open one has ended. */
  AcceptOutcome | { readonly kind: "inDoubt"; readonly problem: Problem };

interface AcceptParts {
  readonly database: Database;
  readonly acceptances: Acceptances;
}

export async function acceptWithRetry(
  { database, acceptances }: AcceptParts,
  order: AcceptOrder,
): Promise<Acceptance> {
  let isInDoubt = false;
  for (let tries = 1; ; tries++) {
    try {
      const { whole } = order;
      return await (whole === null ? acceptances.accept(order) : added(database, order, whole));
    } catch (error) {
      isInDoubt ||= isOutage(error);
      const isLast = tries === acceptTriesMax;
      const maySucceed = isOutage(error) || isConflict(error);
      if (!maySucceed || (isLast && !isInDoubt)) {
        throw error;
      }
      if (isLast) {
        return { kind: "inDoubt", problem: pendingProblem(error) };
      }
      await new Promise((resolve) => setTimeout(resolve, acceptRetryMs));
    }
  }
}

async function added(database: Database, order: AcceptOrder, whole: string): Promise<AcceptOutcome> {
  try {
    const accepted = await database.timed("submission_add", () => addProbes(database.sql, order, whole));
    return accepted === null ? { kind: "refused" } : { kind: "accepted", accepted };
  } catch (error) {
    if (isUniqueViolation(error)) {
      return acceptedBefore(database, order.id);
    }
    if (constraintOf(error) === tokenQuotaConstraint) {
      return { kind: "refused" };
    }
    throw error;
  }
}

async function acceptedBefore({ sql }: Database, id: string): Promise<AcceptOutcome> {
  const [row] = await sql<Accepted[]>`
    SELECT not_after AS "notAfter", first_probe AS "firstProbe" FROM measurements WHERE measurement_id = ${id}`;
  return row === undefined ? { kind: "repeated" } : { kind: "accepted", accepted: row };
}

function pendingProblem(cause: unknown): Problem {
  return new Problem({
    status: 503,
    code: "database_unavailable",
    message:
      "The database is unavailable, so this may or may not have been accepted: repeat it with the same Idempotency-Key",
    headers: { "retry-after": String(retryAfterSeconds) },
    cause,
  });
}
