/** Keys with which new agents enrol: for a number of agents, until a given time. */
import type { Sql, TransactionSql } from "postgres";
import type { enrolmentKeyAnswer } from "../../../../lib/base/api/probing-admin.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import { hashKey, makeKey } from "../../../../lib/engines/auth/secret-key.ts";
import { problem } from "../../../../lib/engines/http/problem.ts";
import { type ListPage, type PageOrder, readPage } from "../../../../lib/engines/store/postgres/list-page.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { grantAgain } from "../agents/posted-config.ts";
import { writeAudit } from "../audit.ts";

type EnrolmentKeyRow = StoredAnswer<typeof enrolmentKeyAnswer>;

/** Settings of agents that enrol with it. */
interface EnrolledPlace {
  readonly location?: string | null | undefined;
  readonly country?: string | null | undefined;
  readonly asn?: number | null | undefined;
  readonly tags?: readonly string[] | undefined;
}

interface EnrolmentKeyRequest {
  readonly label: string;
  readonly uses: number;
  readonly expiresAt: Date | null;
  readonly grantedPrefixes: readonly string[];
  readonly place?: EnrolledPlace;
}

/** Oldest first. */
export function listEnrolmentKeys(database: Database, page: PageOrder): Promise<ListPage<EnrolmentKeyRow>> {
  const { sql } = database;
  return readPage(
    database,
    "admin_enrolment_keys",
    page,
    (limit, after = "") => sql<EnrolmentKeyRow[]>`
      SELECT ${shownColumns(sql)}
      FROM enrolment_keys WHERE left(encode(key_hash, 'hex'), 16) > ${after}
      ORDER BY key_hash LIMIT ${limit}`,
  );
}

/** Returns the key itself, which is shown only once. */
export function createEnrolmentKey(
  { sql, timed }: Database,
  by: string,
  { label, uses, expiresAt, grantedPrefixes, place = {} }: EnrolmentKeyRequest,
): Promise<EnrolmentKeyRow & { readonly enrolment_key: string }> {
  const key = makeKey();
  const { location = null, country = null, asn = null, tags = [] } = place;
  return timed("admin_enrolment_key_change", () =>
    sql.begin(async (tx) => {
      const [row] = await tx<EnrolmentKeyRow[]>`
        INSERT INTO enrolment_keys (
          key_hash, label, uses_left, expires_at, granted_prefixes, location, country, asn, tags)
        VALUES (${hashKey(key)}, ${label}, ${uses}, ${expiresAt}, ${grantedPrefixes as string[]}, ${location},
          ${country}, ${asn}, ${tags as string[]})
        RETURNING ${shownColumns(tx)}`;
      if (row === undefined) {
        throw new Error("Cannot make an enrolment key: the database returned no row");
      }
      const expires_at = expiresAt?.toISOString() ?? null;
      const described = { location, country, asn, tags: [...tags] };
      const details = { label, uses, expires_at, granted_prefixes: [...grantedPrefixes], ...described };
      await writeAudit(tx, {
        actor: by,
        action: "enrolment.create",
        subject: `key:${row.key_id}`,
        details,
      });
      return { ...row, enrolment_key: key };
    }),
  );
}

/** Grants the same to all enrolment keys of this label, and to the agents that enrolled with one of them. */
export async function grantEnrolled(
  { sql, timed }: Database,
  { label, grantedPrefixes }: Pick<EnrolmentKeyRequest, "label" | "grantedPrefixes">,
): Promise<void> {
  const grants = grantedPrefixes as string[];
  await timed("admin_enrolment_key_change", () =>
    sql.begin(async (tx) => {
      await tx`UPDATE enrolment_keys SET granted_prefixes = ${grants} WHERE label = ${label}`;
      const enrolled = await tx<{ agent_id: string }[]>`
        UPDATE agents SET granted_prefixes = ${grants}
        WHERE granted_prefixes <> ${grants} AND EXISTS (
          SELECT FROM audit WHERE subject = 'agent:' || agent_id AND action = 'agent.enrol'
            AND details->>'enrolment_key' = ${label})
        RETURNING agent_id`;
      for (const { agent_id } of enrolled) {
        await grantAgain(tx, agent_id);
      }
    }),
  );
}

/** Agents that enrolled with it stay. Throws Problem 404. */
export async function revokeEnrolmentKey({ sql, timed }: Database, by: string, keyId: string): Promise<void> {
  await timed("admin_enrolment_key_change", () =>
    sql.begin(async (tx) => {
      const [row] = await tx<{ label: string }[]>`
        DELETE FROM enrolment_keys WHERE left(encode(key_hash, 'hex'), 16) = ${keyId} RETURNING label`;
      if (row === undefined) {
        throw problem(404, "unknown_key_id", `There is no enrolment key ${keyId}`);
      }
      const details = { label: row.label };
      await writeAudit(tx, { actor: by, action: "enrolment.revoke", subject: `key:${keyId}`, details });
    }),
  );
}

function shownColumns(sql: Sql | TransactionSql) {
  return sql`left(encode(key_hash, 'hex'), 16) AS key_id, label, uses_left, expires_at, created_at, granted_prefixes,
    location, country, asn, tags`;
}
