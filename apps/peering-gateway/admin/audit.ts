/** The append-only record of all changes, newest first. */
import type { Database } from "../../../lib/store/postgres/open.ts";

interface AuditRow {
  readonly number: number;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly user_hash: string | null;
  readonly prefix: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

interface AuditSearch {
  readonly limit: number;
  /** Number of the last one seen. */
  readonly after?: number | undefined;
  readonly user?: string | undefined;
}

/** One more than `limit`, when there are. */
export function readAudit({ sql, timed }: Database, search: AuditSearch): Promise<AuditRow[]> {
  const { limit, after = Number.MAX_SAFE_INTEGER, user } = search;
  return timed(
    "admin_audit",
    () => sql<AuditRow[]>`
      SELECT change_number AS number, at, actor, action, user_hash, prefix, details FROM changes
      WHERE change_number < ${after} ${user === undefined ? sql`` : sql`AND user_hash = ${user}`}
      ORDER BY change_number DESC LIMIT ${limit + 1}`,
  );
}
