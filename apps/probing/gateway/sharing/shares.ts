/** Creates, changes and ends a user's shares. Published results stay public: others may have cited them. */
import { randomBytes } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import type { sharingAnswer } from "../../../../lib/base/api/sharing.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import { hashKey } from "../../../../lib/engines/auth/secret-key.ts";
import { type ObjectName, Owned } from "../../../../lib/engines/http/owned.ts";
import { Problem, problem } from "../../../../lib/engines/http/problem.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";

type Sharing = StoredAnswer<typeof sharingAnswer>;

interface PublicTerms {
  readonly licence: string;
  readonly contact: string | null;
  readonly citation: string | null;
  /** Null = now. */
  readonly publicAt: Date | null;
}

const unshared: Sharing = {
  visibility: "private",
  has_link: false,
  public_at: null,
  licence: null,
  contact: null,
  citation: null,
  hidden_at: null,
  hidden_because: null,
};

/** Throws Problem 404. */
export async function readSharing({ sql, timed }: Database, owned: Owned): Promise<Sharing> {
  return timed("share_read", async () => {
    await checkOwned(sql, owned);
    return await sharingOf(sql, owned);
  });
}

/** Creates a link, or replaces it; `hasPages`: the console has a page for it. Throws Problem 404. */
export async function makeLink({ sql, timed }: Database, owned: Owned, hasPages: boolean): Promise<Sharing> {
  const secret = randomBytes(32).toString("base64url");
  const sharing = await timed("share_link", () =>
    sql.begin(async (tx) => {
      await checkOwned(tx, owned);
      await addRow(tx, owned);
      await tx`UPDATE shares SET link_hash = ${hashKey(secret)}, linked_at = now() WHERE ${isOf(tx, owned)}`;
      return await sharingOf(tx, owned);
    }),
  );
  const page = hasPages ? { page: `/console/shared/${secret}` } : {};
  return { ...sharing, link: `/api/shared/${secret}`, ...page };
}

/** Throws Problem: 404, and 409 for another day when it is already public. */
export function publish({ sql, timed }: Database, owned: Owned, terms: PublicTerms): Promise<Sharing> {
  return timed("share_public", () =>
    sql.begin(async (tx) => {
      await checkOwned(tx, owned);
      await addRow(tx, owned);
      const { visibility } = await sharingOf(tx, owned);
      if (visibility === "public" && terms.publicAt !== null && terms.publicAt.getTime() > Date.now()) {
        throw alreadyPublic();
      }
      const publicAt =
        visibility === "public" ? tx`public_at` : tx`coalesce(${terms.publicAt}::timestamptz, now())`;
      await tx`
        UPDATE shares SET public_at = ${publicAt}, licence = ${terms.licence}, contact = ${terms.contact},
          citation = ${terms.citation}
        WHERE ${isOf(tx, owned)}`;
      return await sharingOf(tx, owned);
    }),
  );
}

/** Revokes the link, and cancels a later publication. Throws Problem: 404, 409 when public. */
export function endSharing({ sql, timed }: Database, owned: Owned): Promise<Sharing> {
  return timed("share_end", () =>
    sql.begin(async (tx) => {
      await checkOwned(tx, owned);
      await tx`SELECT FROM shares WHERE ${isOf(tx, owned)} FOR UPDATE`;
      const { visibility, has_link: hasLink } = await sharingOf(tx, owned);
      if (visibility === "public" && !hasLink) {
        throw alreadyPublic();
      }
      await tx`
        UPDATE shares SET link_hash = NULL, linked_at = NULL,
          public_at = CASE WHEN public_at <= now() THEN public_at END
        WHERE ${isOf(tx, owned)}`;
      return await sharingOf(tx, owned);
    }),
  );
}

interface Hiding extends ObjectName {
  /** Null = show it again. */
  readonly because: string | null;
}

/** Hides it from all but its user, shared or not yet; a campaign with its measurements. Throws Problem 404. */
export async function hide(tx: TransactionSql, { because, ...shared }: Hiding): Promise<Sharing> {
  const [owner] =
    shared.kind === "measurement"
      ? await tx<{ user_hash: string }[]>`
          SELECT user_hash FROM measurements WHERE measurement_id = ${shared.id} AND part_of IS NULL`
      : await tx<{ user_hash: string }[]>`SELECT user_hash FROM campaigns WHERE campaign_id = ${shared.id}`;
  if (owner === undefined) {
    throw unknownObject(shared.kind);
  }
  await addRow(tx, Owned.of(owner.user_hash, shared));
  await tx`
    UPDATE shares SET hidden_because = ${because}, hidden_at = ${because === null ? null : tx`now()`}
    WHERE ${isOf(tx, shared)}`;
  return await sharingOf(tx, shared);
}

function isOf(sql: Sql | TransactionSql, { kind, id }: ObjectName) {
  return kind === "measurement" ? sql`measurement_id = ${id}` : sql`campaign_id = ${id}`;
}

/** Locks the row for a change. */
async function addRow(tx: TransactionSql, { kind, id, userHash }: Owned): Promise<void> {
  const column = kind === "measurement" ? tx`measurement_id` : tx`campaign_id`;
  await tx`INSERT INTO shares (${column}, user_hash) VALUES (${id}, ${userHash}) ON CONFLICT DO NOTHING`;
  await tx`SELECT FROM shares WHERE ${isOf(tx, { kind, id })} FOR UPDATE`;
}

async function sharingOf(sql: Sql | TransactionSql, shared: ObjectName): Promise<Sharing> {
  const [row] = await sql<Sharing[]>`
    SELECT CASE WHEN public_at <= now() THEN 'public' WHEN public_at IS NOT NULL THEN 'embargoed'
        WHEN link_hash IS NOT NULL THEN 'link' ELSE 'private' END AS visibility,
      link_hash IS NOT NULL AS has_link, public_at, licence, contact, citation, hidden_at, hidden_because
    FROM shares WHERE ${isOf(sql, shared)}`;
  return row ?? unshared;
}

async function checkOwned(sql: Sql | TransactionSql, owned: Owned): Promise<void> {
  const { kind, id, userHash } = owned;
  const [found] =
    kind === "measurement"
      ? await sql`
          SELECT FROM measurements WHERE measurement_id = ${id} AND user_hash = ${userHash} AND part_of IS NULL`
      : await sql`SELECT FROM campaigns WHERE campaign_id = ${id} AND user_hash = ${userHash}`;
  if (found === undefined) {
    throw unknownObject(kind);
  }
}

function unknownObject(kind: ObjectName["kind"]): Problem {
  const name = kind === "measurement" ? "Measurement" : "Campaign";
  return new Problem({ status: 404, code: `${kind}_not_found`, message: `${name} not found` });
}

function alreadyPublic(): Problem {
  return problem(
    409,
    "already_public",
    "It is public and can't be withdrawn, as others may have cited it; ask the operator to hide it",
  );
}
