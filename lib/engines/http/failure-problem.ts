/** What a service's callers see of our failures, in one table; hosts and causes are only in the log. */
import { type Failure, type FailureCodes, isFailure } from "../../base/failure/failure.ts";
import { isConflict, isOutage } from "../../base/failure/outage.ts";
import { retryAfterSec } from "./limits.ts";
import { Problem } from "./problem.ts";

/** The code while the database is unavailable. */
export const databaseAway = "database_unavailable";

/** Null = not a known temporary failure: a bug. */
export function failureProblem(error: unknown): Problem | null {
  if (isFailure(error, "auth")) {
    return authProblem(error);
  }
  if (isFailure(error, "submission", "spool")) {
    return unavailable("spool_unavailable", "The gateway has no room for probes", error);
  }
  if (isFailure(error, "store")) {
    return unavailable("store_unavailable", "The store of results is unavailable", error);
  }
  if (isFailure(error, "daemon")) {
    const message = "The routing daemon is unavailable; try again in a moment";
    return new Problem({ status: 503, code: "daemon_unavailable", message, cause: error });
  }
  if (isConflict(error)) {
    return unavailable(databaseAway, "Conflicting changes in the database", error);
  }
  return isOutage(error) ? unavailable(databaseAway, "The database is unavailable", error) : null;
}

/** 401, or 503 when there are no keys to check a credential with: of users, agents, operators and services. */
export function authProblem(cause: Failure<"auth">): Problem {
  const { code, message } = cause;
  const common = { code, message, error: message, cause };
  return code === "issuer_unavailable"
    ? new Problem({ ...common, status: 503, headers: { "retry-after": String(retryAfterSec) } })
    : new Problem({ ...common, status: 401, headers: challenge(code) });
}

/** RFC 6750, section 3: a request without a token gets no error code. */
function challenge(code: FailureCodes["auth"]): Record<string, string> {
  const detail = code === "missing_authorization" ? "" : ', error="invalid_token"';
  return { "www-authenticate": `Bearer realm="vantage"${detail}` };
}

function unavailable(code: string, what: string, cause: unknown): Problem {
  return new Problem({
    status: 503,
    code,
    message: `${what}; try again in ${retryAfterSec} s`,
    headers: { "retry-after": String(retryAfterSec) },
    cause,
  });
}
