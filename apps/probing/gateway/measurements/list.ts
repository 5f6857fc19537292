/** A page of a user's measurements. */
import type { Fragment, Sql } from "postgres";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { type Cursor, cursorText, type ListQuery, type ListStatus } from "./list-query.ts";
import {
  type MeasurementRow,
  measurementColumns,
  measurementParts,
  measurementView,
} from "./measurement-view.ts";

interface Page {
  readonly measurements: readonly ReturnType<typeof measurementView>[];
  /** For the next page; null = this is the last. */
  readonly cursor: string | null;
}

export async function listMeasurements(
  database: Database,
  userHash: string,
  query: ListQuery,
): Promise<Page> {
  const rows = await database.timed("measurement_list", () => select(database.sql, userHash, query));
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const hasMore = rows.length > page.length && last !== undefined;
  return {
    measurements: page.map(({ cursor_at, ...row }) => measurementView(row)),
    cursor: hasMore ? cursorText({ at: last.cursor_at, id: last.measurement_id }) : null,
  };
}

/** One row more than asked for tells whether there is another page. */
function select(sql: Sql, userHash: string, query: ListQuery) {
  const { since, until, agent, id, status, sort, reverse, cursor, limit } = query;
  const by = sort === "started" ? sql`whole.started_at` : sql`whole.updated_at`;
  const statuses = status.flatMap((word) => statusesOf[word]);
  return sql<(MeasurementRow & { cursor_at: string })[]>`
    SELECT ${measurementColumns(sql)}, extract(epoch FROM ${by})::text AS cursor_at
    FROM measurements AS whole, ${measurementParts(sql)}
    WHERE whole.user_hash = ${userHash} AND whole.part_of IS NULL
      ${since === null ? sql`` : sql`AND whole.started_at >= ${since}`}
      ${until === null ? sql`` : sql`AND whole.started_at <= ${until}`}
      ${agent === "" ? sql`` : withAgent(sql, agent)}
      ${id === "" ? sql`` : sql`AND whole.measurement_id::text LIKE ${`${id.toLowerCase()}%`}`}
      ${statuses.length === 0 ? sql`` : sql`AND parts.status = ANY(${statuses})`}
      ${cursor === null ? sql`` : beyond(sql, by, cursor, reverse)}
    ORDER BY ${by} ${reverse ? sql`ASC` : sql`DESC`}, whole.measurement_id ${reverse ? sql`ASC` : sql`DESC`}
    LIMIT ${limit + 1}`;
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

function withAgent(sql: Sql, agent: string) {
  return sql`AND EXISTS (
    SELECT FROM measurement_agents AS part
    WHERE part.measurement_id = whole.measurement_id AND part.agent_id = ${agent})`;
}

function beyond(sql: Sql, by: Fragment, { at, id }: Cursor, reverse: boolean) {
  const place = sql`(to_timestamp(0) + ${at}::numeric * interval '1 second', ${id}::uuid)`;
  return reverse
    ? sql`AND (${by}, whole.measurement_id) > ${place}`
    : sql`AND (${by}, whole.measurement_id) < ${place}`;
}
