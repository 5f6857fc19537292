/**
 * Distinguishes a database outage, and a conflict with concurrent changes, from a rejected statement: the first two are
 * temporary, the last is not, and names what it violates.
 *
 * Codes are those of the operating system, of the client library, and of PostgreSQL (SQLSTATE, appendix A).
 */
import { isFailure } from "./failure.ts";

const systemCodes: ReadonlySet<string> = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ENOENT", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"],
  ...["EPIPE", "ETIMEDOUT", "ERR_SOCKET_CLOSED", "FailedToOpenSocket"],
  ...["CONNECT_TIMEOUT", "CONNECTION_CLOSED", "CONNECTION_ENDED", "CONNECTION_DESTROYED"],
]);

/**
 * Shut down by hand or by a crash, cannot connect now, still starting, too many connections, read-only standby; its
 * disk or memory is full; a statement that took too long, as when the server hung.
 */
const serverCodes: ReadonlySet<string> = new Set([
  ...["57P01", "57P02", "57P03", "53300", "25006"],
  ...["53100", "53200", "57014"],
]);

/** True for errors that a retry may not meet; the statement may or may not have run. */
export function isOutage(error: unknown): boolean {
  if (isFailure(error, "database")) {
    return error.code === "unavailable";
  }
  const code = codeOf(error);
  return code !== null && (systemCodes.has(code) || serverCodes.has(code) || code.startsWith("08"));
}

/** A deadlock, or a concurrent change. */
const conflictCodes: ReadonlySet<string> = new Set(["40P01", "40001"]);

/** True for errors that a retry may not meet, where the statement has been undone. */
export function isConflict(error: unknown): boolean {
  return conflictCodes.has(codeOf(error) ?? "");
}

/** True for a row with a key that another row has. */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === "23505";
}

/** Name of the constraint or index in PostgreSQL that refused; null for another error. */
export function constraintOf(error: unknown): string | null {
  return error instanceof Error && "constraint_name" in error && typeof error.constraint_name === "string"
    ? error.constraint_name
    : null;
}

/** SQLSTATE of PostgreSQL, or a code of the system or the client library; null for an error without one. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}
