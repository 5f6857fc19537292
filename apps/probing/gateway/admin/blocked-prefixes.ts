/** Destinations that admins have blocked, beside the operator's list file: gateways and agents follow within 2 s. */
import type { TransactionSql } from "postgres";
import type { blockedAnswer } from "../../../../lib/base/api/probing-admin.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import { problem } from "../../../../lib/engines/http/problem.ts";
import { type ListPage, type PageOrder, readPage } from "../../../../lib/engines/store/postgres/list-page.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { writeAudit } from "../audit.ts";

type BlockedPrefixRow = StoredAnswer<typeof blockedAnswer>;

/** In order of address. */
export function listBlocked(database: Database, page: PageOrder): Promise<ListPage<BlockedPrefixRow>> {
  const { sql } = database;
  return readPage(
    database,
    "admin_blocked",
    page,
    (limit, after) => sql<BlockedPrefixRow[]>`
      SELECT prefix::text, reason, created_at FROM blocked_prefixes
      ${after === undefined ? sql`` : sql`WHERE prefix > ${after}::cidr`}
      ORDER BY blocked_prefixes.prefix LIMIT ${limit}`,
  );
}

/** A prefix that is blocked already gets the new reason. */
export function block(
  { sql, timed }: Database,
  by: string,
  prefix: string,
  reason: string,
): Promise<BlockedPrefixRow> {
  return timed("admin_block", () =>
    sql.begin(async (tx) => {
      const [row] = await tx<BlockedPrefixRow[]>`
        INSERT INTO blocked_prefixes (prefix, reason) VALUES (${prefix}::cidr, ${reason})
        ON CONFLICT (prefix) DO UPDATE SET reason = excluded.reason
        RETURNING prefix::text, reason, created_at`;
      if (row === undefined) {
        throw new Error(`Cannot block ${prefix}: the database returned no row`);
      }
      await noteChange(tx, { by, action: "blocklist.add" }, prefix, { reason });
      return row;
    }),
  );
}

/** Throws Problem 404. */
export async function unblock({ sql, timed }: Database, by: string, prefix: string): Promise<void> {
  await timed("admin_unblock", () =>
    sql.begin(async (tx) => {
      const [row] = await tx<{ reason: string }[]>`
        DELETE FROM blocked_prefixes WHERE prefix = ${prefix}::cidr RETURNING reason`;
      if (row === undefined) {
        throw problem(404, "not_blocked", `${prefix} was not blocked here; a list file may hold it`);
      }
      await noteChange(tx, { by, action: "blocklist.remove" }, prefix, { reason: row.reason });
    }),
  );
}

async function noteChange(
  tx: TransactionSql,
  { by, action }: { readonly by: string; readonly action: string },
  prefix: string,
  details: { readonly reason: string },
): Promise<void> {
  await tx`UPDATE platform SET blocklist_version = blocklist_version + 1`;
  await writeAudit(tx, { actor: by, action, subject: `prefix:${prefix}`, details });
}
