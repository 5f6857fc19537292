/** Maps SQLite errors to errors of the log. */
import { SQLiteError } from "bun:sqlite";
import { BrokerError } from "../broker.ts";

/** Another process has the lock: retry at once. */
export function isBusy(error: unknown): boolean {
  return error instanceof SQLiteError && /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(error.code ?? "");
}

export function isReadOnly(error: unknown): boolean {
  return error instanceof SQLiteError && /^SQLITE_READONLY/.test(error.code ?? "");
}

/**
 * Disk full, read-only or failing: `unavailable`, since it may recover. Not a log at all, or damaged: `refused`.
 *
 * Anything else is returned as it is.
 */
export function brokerErrorOf(error: unknown, what: string): unknown {
  if (!(error instanceof SQLiteError)) {
    return error;
  }
  const code = error.code ?? "";
  const reason = reasons.find(([pattern]) => pattern.test(code));
  if (reason === undefined) {
    return error;
  }
  return new BrokerError(reason[1], `Cannot ${what}: ${reason[2]} (${code})`, { cause: error });
}

const reasons: readonly (readonly [RegExp, "unavailable" | "refused", string])[] = [
  [/^SQLITE_(CORRUPT|NOTADB)/, "refused", "its file is damaged or not a log"],
  [/^SQLITE_FULL/, "unavailable", "no space is left on the disk, make room"],
  [/^SQLITE_(READONLY|PERM|AUTH)/, "unavailable", "its file or folder is read-only"],
  [/^SQLITE_CANTOPEN/, "unavailable", "its file cannot be opened for writing"],
  [/^SQLITE_(IOERR|NOLFS)/, "unavailable", "the disk failed or has no space left"],
  [/^SQLITE_(BUSY|LOCKED|PROTOCOL)/, "unavailable", "other processes held its lock for too long"],
];
