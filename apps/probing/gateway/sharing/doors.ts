/**
 * Access without a login: public results, and those shared by a link. Everything else (another user's, embargoed,
 * hidden, or with a revoked link) gets the same response as what does not exist.
 */
import type { Fragment, Sql } from "postgres";
import type { sharedItemAnswer } from "../../../../lib/base/api/sharing.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import { hashKey } from "../../../../lib/engines/auth/secret-key.ts";
import { type ObjectName, Owned } from "../../../../lib/engines/http/owned.ts";
import { type Problem, problem } from "../../../../lib/engines/http/problem.ts";
import { type ListPage, type PageOrder, readPage } from "../../../../lib/engines/store/postgres/list-page.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { type ProbeSummary, titleOf } from "../../../../lib/measuring/probing/measurement-title.ts";
import {
  holdsText,
  isAmong,
  isOfKind,
  type ListServices,
  targetSets,
  withAgent,
} from "../measurements/list.ts";

type SharedItem = StoredAnswer<typeof sharedItemAnswer>;

/** Null = public access. */
export type Link = string | null;

interface Opened {
  /** For queries only: the user must not appear in responses. */
  readonly own: Owned;
  readonly terms: Pick<SharedItem, "public_at" | "licence" | "contact" | "citation">;
}

type OpenedRow = Opened["terms"] & { readonly user_hash: string };

/** 32 bytes in base64url. */
const linkForm = /^[\w-]{43}$/;

/** Throws Problem 404. A measurement is accessible by its own share, or by its campaign's. */
export async function openShared(
  { sql, timed }: Database,
  link: Link,
  { kind, id }: ObjectName,
): Promise<Opened> {
  checkLink(link);
  const object =
    kind === "campaign"
      ? sql`share.campaign_id = ${id}`
      : sql`EXISTS (
          SELECT FROM measurements AS whole
          WHERE whole.measurement_id = ${id} AND whole.user_hash = share.user_hash AND part_of IS NULL)
        AND (share.measurement_id = ${id} OR share.campaign_id IN (
          SELECT campaign_id FROM campaign_steps AS step WHERE step.measurement_id = ${id}))
        AND NOT EXISTS (
          SELECT FROM shares AS hidden WHERE hidden.measurement_id = ${id} AND hidden.hidden_at IS NOT NULL)`;
  const [row] = await timed(
    "share_open",
    () => sql<OpenedRow[]>`
      SELECT user_hash, CASE WHEN public_at <= now() THEN public_at END AS public_at, licence, contact, citation
      FROM shares AS share WHERE ${isOpen(sql, link)} AND ${object}
      ORDER BY measurement_id NULLS LAST LIMIT 1`,
  );
  if (row === undefined) {
    throw notShared();
  }
  const { user_hash: userHash, ...terms } = row;
  return { own: Owned.of(userHash, { kind, id }), terms };
}

/** The link's object. Throws Problem 404. */
export async function linked({ sql, timed }: Database, link: string): Promise<SharedItem> {
  checkLink(link);
  const [item] = await timed("share_linked", () => select(sql, isOpen(sql, link), 1));
  if (item === undefined) {
    throw notShared();
  }
  return itemOf(item);
}

interface Search {
  /** Null or empty = any. The first five apply to measurements only. */
  readonly target: string;
  readonly asn: number | null;
  readonly agent: string;
  readonly kind: "" | "trace" | "ping";
  readonly tag: string;
  readonly name: string;
  readonly since: Date | null;
  readonly until: Date | null;
}

/** Public results, newest first. Throws Problem 400 where a search by AS cannot be answered. */
export async function listPublic(
  { database, asTargets }: ListServices,
  order: PageOrder & Search,
): Promise<ListPage<SharedItem>> {
  const { sql } = database;
  const { asn } = order;
  const ofAs = asn === null ? null : await asTargets.listsOf(database, asn, publicLists(sql, order));
  const isOfAs = ofAs === null ? sql`` : sql`AND ${isAmong(sql, sql`whole.target_set`, ofAs)}`;
  const where = (after: string | undefined) =>
    sql`${isOpen(sql, null)} ${beyond(sql, after)} ${isFound(sql, order)} ${isOfAs}`;
  const { rows, total } = await readPage(database, "share_list", order, (limit, after) =>
    select(sql, where(after), limit),
  );
  return { rows: rows.map(itemOf), total };
}

function beyond(sql: Sql, after: string | undefined) {
  return after === undefined
    ? sql``
    : sql`AND (public_at, coalesce(share.measurement_id, share.campaign_id)) < (
          SELECT public_at, coalesce(measurement_id, campaign_id) FROM shares AS share
          WHERE coalesce(measurement_id, campaign_id) = ${after} AND ${isOpen(sql, null)} LIMIT 1)`;
}

function isFound(sql: Sql, { target, agent, kind, tag, name, since, until }: Search) {
  const tags = tag.split(",").flatMap((one) => one.trim() || []);
  return sql`
    ${target === "" ? sql`` : sql`AND whole.target_set IN (${targetSets(sql, sql`whole.user_hash`, target)})`}
    ${agent === "" ? sql`` : withAgent(sql, sql`whole.measurement_id`, agent)}
    ${kind === "" ? sql`` : sql`AND ${isOfKind(sql, sql`whole.summary`, kind)}`}
    ${tags.length === 0 ? sql`` : sql`AND whole.tags @> ${tags}`}
    ${name === "" ? sql`` : sql`AND ${holdsText(sql, [sql`whole.name`, sql`campaign.name`], name)}`}
    ${since === null ? sql`` : sql`AND ${startedAt(sql)} >= ${since}`}
    ${until === null ? sql`` : sql`AND ${startedAt(sql)} <= ${until}`}`;
}

/** The target sets of public measurements of this time. */
function publicLists(sql: Sql, { since, until }: Search): Fragment {
  return sql`EXISTS (
    SELECT FROM measurements AS whole JOIN shares AS share USING (measurement_id)
    WHERE whole.user_hash = sets.user_hash AND whole.target_set = sets.target_set AND ${isOpen(sql, null)}
      ${since === null ? sql`` : sql`AND whole.started_at >= ${since}`}
      ${until === null ? sql`` : sql`AND whole.started_at <= ${until}`})`;
}

function startedAt(sql: Sql) {
  return sql`coalesce(whole.started_at, campaign.created_at)`;
}

interface ItemRow extends Omit<SharedItem, "title"> {
  readonly summary: ProbeSummary | null;
  readonly probes: number | null;
  readonly agents: readonly string[];
}

function select(sql: Sql, where: Fragment, limit: number) {
  return sql<ItemRow[]>`
    SELECT CASE WHEN share.campaign_id IS NULL THEN 'measurement' ELSE 'campaign' END AS kind,
      coalesce(share.measurement_id, share.campaign_id) AS id, coalesce(whole.name, campaign.name) AS name,
      coalesce(whole.tags, '{}') AS tags, whole.summary, whole.probes, ARRAY(
        SELECT agent_id FROM measurement_agents AS part WHERE part.measurement_id = whole.measurement_id
        ORDER BY agent_id) AS agents,
      ${startedAt(sql)} AS started_at,
      CASE WHEN public_at <= now() THEN public_at END AS public_at, licence, contact, citation
    FROM shares AS share LEFT JOIN measurements AS whole USING (measurement_id)
      LEFT JOIN campaigns AS campaign ON campaign.campaign_id = share.campaign_id
    WHERE ${where}
    ORDER BY share.public_at DESC, id DESC LIMIT ${limit}`;
}

function itemOf({ summary, probes, agents, ...item }: ItemRow): SharedItem {
  const title = item.name ?? titleOf({ summary, probes: probes ?? 0, agents, agentCount: agents.length });
  return { ...item, title };
}

function isOpen(sql: Sql, link: Link) {
  return link === null
    ? sql`public_at <= now() AND share.hidden_at IS NULL`
    : sql`link_hash = ${hashKey(link)} AND share.hidden_at IS NULL`;
}

function checkLink(link: Link): void {
  if (link !== null && !linkForm.test(link)) {
    throw notShared();
  }
}

function notShared(): Problem {
  return problem(
    404,
    "not_shared",
    "There is nothing that is shown to you here: the link was revoked, or it is not public",
  );
}
