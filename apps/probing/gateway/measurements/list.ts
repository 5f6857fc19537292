/** A page of a user's measurements. */
import type { Fragment, Sql } from "postgres";
import { rowsCountedMax } from "../../../../lib/engines/store/postgres/list-page.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import type { AsTargets } from "./as-targets.ts";
import { type Cursor, cursorText, type ListQuery, type ListStatus } from "./list-query.ts";
import {
  type MeasurementRow,
  measurementColumns,
  measurementParts,
  measurementView,
} from "./measurement-view.ts";

export interface ListServices {
  readonly database: Database;
  readonly asTargets: Pick<AsTargets, "listsOf">;
}

/** With hashes of the target lists to which a search by AS is limited; null = no such search. */
interface Wanted extends ListQuery {
  readonly ofAs: readonly string[] | null;
}

interface Page {
  readonly measurements: readonly ReturnType<typeof measurementView>[];
  /** For the next page; null = this is the last. */
  readonly cursor: string | null;
  /** Up to `rowsCountedMax` + 1; null = not counted. */
  readonly total: number | null;
}

/** The caller. For a token, the measurements that it made count as made by hand. */
interface Asker {
  readonly userHash: string;
  readonly tokenId: string | null;
}

/** Throws Problem 400 where a search by AS cannot be answered. */
export async function listMeasurements(
  { database, asTargets }: ListServices,
  asker: Asker,
  given: ListQuery,
): Promise<Page> {
  const { sql } = database;
  const { asn } = given;
  const ofAs = asn === null ? null : await asTargets.listsOf(database, asn, ownLists(sql, asker, given));
  const query = { ...given, ofAs };
  const rows = await database.timed("measurement_list", () => select(sql, asker, query));
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const hasMore = rows.length > page.length && last !== undefined;
  return {
    measurements: page.map(({ cursor_at, folded_runs, ...row }) => ({
      ...measurementView(row),
      ...(query.fold && row.campaign_id !== null ? { folded_runs: Number(folded_runs) } : {}),
    })),
    cursor: hasMore ? cursorText({ at: last.cursor_at, id: last.measurement_id }) : null,
    total: query.count ? await countAll(database, asker, query) : null,
  };
}

/** Reads one row more than requested, to detect another page. */
function select(sql: Sql, asker: Asker, query: Wanted) {
  const { sort, reverse, cursor, limit } = query;
  const by = sort === "started" ? sql`whole.started_at` : sql`whole.updated_at`;
  return sql<(MeasurementRow & { cursor_at: string; folded_runs: string })[]>`
    SELECT ${measurementColumns(sql)}, extract(epoch FROM ${by})::text AS cursor_at,
      ${isFolded(query) ? foldedRuns(sql, asker, query) : sql`1`} AS folded_runs
    FROM measurements AS whole, ${measurementParts(sql)}
    WHERE ${isListed(sql, asker, query)}
      ${cursor === null ? sql`` : beyond(sql, by, cursor, reverse)}
    ORDER BY ${by} ${reverse ? sql`ASC` : sql`DESC`}, whole.measurement_id ${reverse ? sql`ASC` : sql`DESC`}
    LIMIT ${limit + 1}`;
}

async function countAll({ sql, timed }: Database, asker: Asker, query: Wanted): Promise<number> {
  const parts = statusesIn(query).length === 0 ? sql`` : sql`, ${measurementParts(sql)}`;
  const [row] = await timed(
    "measurement_count",
    () => sql<{ total: number }[]>`
      SELECT count(*)::integer AS total FROM (
        SELECT FROM measurements AS whole ${parts} WHERE ${isListed(sql, asker, query)}
        LIMIT ${rowsCountedMax + 1}) AS listed`,
  );
  return row?.total ?? 0;
}

function statusesIn({ status }: Wanted): string[] {
  return status.flatMap((word) => statusesOf[word]);
}

function isFolded(query: Wanted): boolean {
  return query.fold && statusesIn(query).length === 0;
}

/** On all pages; with statuses, `parts` is joined. */
function isListed(sql: Sql, asker: Asker, query: Wanted) {
  const { id } = query;
  const statuses = statusesIn(query);
  return sql`
    ${isWanted(sql, asker, query, "whole")}
    ${id === "" ? sql`` : sql`AND whole.measurement_id::text LIKE ${`${id.toLowerCase()}%`}`}
    ${statuses.length === 0 ? sql`` : sql`AND parts.status = ANY(${statuses})`}
    ${isFolded(query) ? isNewest(sql, asker, query) : sql``}`;
}

/** Conditions on the row `alias` of `measurements` alone. */
function isWanted(sql: Sql, { userHash, tokenId }: Asker, query: Wanted, alias: string) {
  const { since, until, agent, target, kind, name, tag, campaign } = query;
  const of = (column: string) => sql`${sql(`${alias}.${column}`)}`;
  const tags = tag.split(",").flatMap((one) => one.trim() || []);
  return sql`
    ${of("user_hash")} = ${userHash} AND ${of("part_of")} IS NULL
    ${since === null ? sql`` : sql`AND ${of("started_at")} >= ${since}`}
    ${until === null ? sql`` : sql`AND ${of("started_at")} <= ${until}`}
    ${agent === "" ? sql`` : withAgent(sql, of("measurement_id"), agent)}
    ${target === "" ? sql`` : sql`AND ${of("target_set")} IN (${targetSets(sql, userHash, target)})`}
    ${query.ofAs === null ? sql`` : sql`AND ${isAmong(sql, of("target_set"), query.ofAs)}`}
    ${kind === "" ? sql`` : sql`AND ${isOfKind(sql, of("summary"), kind)}`}
    ${name === "" ? sql`` : sql`AND ${holdsText(sql, [of("name"), of("note")], name)}`}
    ${tags.length === 0 ? sql`` : sql`AND ${of("tags")} @> ${tags}`}
    ${campaign === "" ? sql`` : sql`AND ${of("campaign_id")} = ${campaign}`}
    ${
      query.by_hand
        ? sql`AND ${of("campaign_id")} IS NULL AND coalesce(${of("made_by")}, '') NOT LIKE ${`${experimentProgram}%`}
            AND (${of("token_id")} IS NULL OR ${of("token_id")} = ${tokenId})`
        : sql``
    }`;
}

/** Measurements of experiments are created by their controller, one after another. */
const experimentProgram = "vantage experiment";

/** A user's target sets that contain an address or a prefix, or lie in it. */
export function targetSets(sql: Sql, userHash: string | Fragment, target: string): Fragment {
  return sql`
    SELECT sets.target_set FROM target_sets AS sets
    WHERE sets.user_hash = ${userHash}
      AND EXISTS (SELECT FROM unnest(sets.targets) AS known WHERE known && ${target}::cidr)`;
}

/** The target sets of what the user measured in this time. */
function ownLists(sql: Sql, { userHash }: Asker, { since, until }: ListQuery): Fragment {
  return sql`sets.user_hash = ${userHash} AND EXISTS (
    SELECT FROM measurements AS whole
    WHERE whole.user_hash = sets.user_hash AND whole.target_set = sets.target_set
      ${since === null ? sql`` : sql`AND whole.started_at >= ${since}`}
      ${until === null ? sql`` : sql`AND whole.started_at <= ${until}`})`;
}

/** Whether a target set is one of these, by their hashes in hex. */
export function isAmong(sql: Sql, targetSet: Fragment, hashes: readonly string[]): Fragment {
  return sql`${targetSet} IN (SELECT decode(one, 'hex') FROM unnest(${[...hashes]}::text[]) AS one)`;
}

/** The same as kindOf in lib/measuring/probing/measurement-title.ts. */
export function isOfKind(sql: Sql, summary: Fragment, kind: "trace" | "ping"): Fragment {
  const hasOne = sql`(${summary}->>'ttl_min' = ${summary}->>'ttl_max')`;
  return kind === "ping" ? hasOne : sql`NOT ${hasOne}`;
}

/** Whether one of the texts contains the search text, ignoring case. */
export function holdsText(sql: Sql, texts: readonly Fragment[], wanted: string): Fragment {
  const pattern = `%${wanted.replaceAll(/[\\%_]/g, "\\$&")}%`;
  const any = texts.reduce<Fragment>((all, text) => sql`${all} OR ${text} ILIKE ${pattern}`, sql`false`);
  return sql`(${any})`;
}

/** Its campaign's newest among those that match. */
function isNewest(sql: Sql, asker: Asker, query: Wanted) {
  const column = query.sort === "started" ? "started_at" : "updated_at";
  return sql`
    AND NOT EXISTS (
      SELECT FROM measurements AS newer
      WHERE newer.campaign_id = whole.campaign_id AND ${isWanted(sql, asker, query, "newer")}
        AND (${sql(`newer.${column}`)}, newer.measurement_id) > (${sql(`whole.${column}`)}, whole.measurement_id))`;
}

function foldedRuns(sql: Sql, asker: Asker, query: Wanted) {
  return sql`(
    SELECT count(*) FROM measurements AS fellow
    WHERE fellow.campaign_id = whole.campaign_id AND ${isWanted(sql, asker, query, "fellow")})`;
}

const statusesOf: Readonly<Record<ListStatus, readonly string[]>> = {
  queued: ["queued"],
  running: ["running"],
  "in-progress": ["queued", "running"],
  complete: ["complete"],
  cancelled: ["cancelled"],
  failed: ["failed"],
  expired: ["expired"],
};

export function withAgent(sql: Sql, measurementId: Fragment, agent: string): Fragment {
  return sql`AND EXISTS (
    SELECT FROM measurement_agents AS part
    WHERE part.measurement_id = ${measurementId} AND part.agent_id = ${agent})`;
}

function beyond(sql: Sql, by: Fragment, { at, id }: Cursor, reverse: boolean) {
  const place = sql`(to_timestamp(0) + ${at}::numeric * interval '1 second', ${id}::uuid)`;
  return reverse
    ? sql`AND (${by}, whole.measurement_id) > ${place}`
    : sql`AND (${by}, whole.measurement_id) < ${place}`;
}
