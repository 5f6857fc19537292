/** What callers of any service see of our failures, in one table; hosts and causes are only in the log. */
import { type Failure, type FailureCodes, isFailure } from "../../base/failure/failure.ts";
import { isConflict, isOutage } from "../../base/failure/outage.ts";
import { retryAfterSec } from "./limits.ts";
import { Problem } from "./problem.ts";

/** The code while the database is away. */
export const databaseAway = "database_unavailable";

/** Null = not a known temporary failure: a bug. */
export function failureProblem(error: unknown): Problem | null {
  if (isFailure(error, "auth")) {
    return authProblem(error);
  }
  if (isFailure(error, "submission", "spool")) {
    return away("spool_unavailable", "The gateway has no room for probes", error);
  }
  if (isFailure(error, "store")) {
    return away("store_unavailable", "The store of results is away", error);
  }
  if (isFailure(error, "daemon")) {
    const message = "Cannot ask the routing daemon: it does not answer; try again in a moment";
    return new Problem({ status: 503, code: "daemon_unavailable", message, cause: error });
  }
  if (isConflict(error)) {
    return away(databaseAway, "Others were in the way in the database", error);
  }
  return isOutage(error) ? away(databaseAway, "The database is away", error) : null;
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

function away(code: string, what: string, cause: unknown): Problem {
  return new Problem({
    status: 503,
    code,
    message: `${what}; try again in ${retryAfterSec} s`,
    headers: { "retry-after": String(retryAfterSec) },
    cause,
  });
}
