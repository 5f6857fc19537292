/**
 * What a reader's SQL may see, as this database has it at this moment: own measurements, public ones, and those of
 * given links; and for replies without a measurement, the prefixes that only this user sends from.
 *
 * The column store's views show the rows of sets of ids (docs/internals/sql.md). A set never changes, so a change of
 * the database is another set. Its name is a keyed digest: it cannot be forged for known ids, and is
 * another one with each `setMs`, so that one that was seen is soon good for nothing.
 */
import { createHmac } from "node:crypto";
import type { Sql } from "postgres";
import { hashKey } from "../../../../lib/engines/auth/secret-key.ts";
import type { ReadableSet } from "../../../../lib/engines/store/clickhouse/readable-sets.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { parsePrefix } from "../../../../lib/net/ip/prefix.ts";
import { readableMeasurementsMax, readableSourcesMax } from "./limits.ts";

interface Reader {
  /** Null = the public reader. */
  readonly userHash: string | null;
  readonly links: readonly string[];
}

/** `leftOut`: whether there were more measurements than the limit; the newest are in the sets. */
interface Readable {
  readonly sets: readonly ReadableSet[];
  readonly leftOut: boolean;
}

export async function readableOf(
  database: Database,
  { userHash, links }: Reader,
  name: SetName,
): Promise<Readable> {
  const [shown, own] = await Promise.all([
    database.timed("sql_public", () => sharedIds(database.sql, links)),
    userHash === null ? null : database.timed("sql_own", () => ownRows(database.sql, userHash)),
  ]);
  const setOf = (ids: readonly string[], sources: readonly string[]): ReadableSet => {
    const kept = ids.slice(0, readableMeasurementsMax).toSorted();
    const prefixes = sources.flatMap((text) => parsePrefix(text) ?? []);
    return { digest: digestOf(kept, sources, name), ids: kept, sources: prefixes };
  };
  const sets = [setOf(shown, []), ...(own === null ? [] : [setOf(own.ids, own.sources)])];
  return {
    sets: sets.filter(({ ids, sources }) => ids.length + sources.length > 0),
    leftOut: [shown, own?.ids ?? []].some((ids) => ids.length > readableMeasurementsMax),
  };
}

/** What names of sets are made with. */
export interface SetName {
  /** One for each process. */
  readonly key: Uint8Array;
  /** Counts `setMs`. */
  readonly period: number;
}

/** The name of a set of sorted ids, and of prefixes. */
function digestOf(ids: readonly string[], sources: readonly string[], { key, period }: SetName): string {
  return createHmac("sha256", key)
    .update(JSON.stringify([period, ids, sources]))
    .digest("hex");
}

/** All pieces of the user's measurements, the newest first. */
async function ownRows(sql: Sql, userHash: string) {
  const [row] = await sql<{ ids: string[]; sources: string[] }[]>`
    SELECT
      ARRAY(SELECT measurement_id::text FROM measurements WHERE user_hash = ${userHash}
        ORDER BY started_at DESC, measurement_id LIMIT ${readableMeasurementsMax + 1}) AS ids,
      ARRAY(SELECT user_prefix::text FROM user_prefixes
        WHERE user_hash = ${userHash} AND family(user_prefix) = 6
        ORDER BY user_prefix::text LIMIT ${readableSourcesMax}) AS sources`;
  return { ids: row?.ids ?? [], sources: row?.sources ?? [] };
}

/** As sharing/doors.ts opens them: by a measurement's own share, or its campaign's; nothing that is hidden. */
async function sharedIds(sql: Sql, links: readonly string[]): Promise<string[]> {
  const hashes = links.map((link) => hashKey(link).toHex());
  const isOpen = sql`share.hidden_at IS NULL AND (public_at <= now() OR link_hash IN (
    SELECT decode(hex, 'hex') FROM unnest(${hashes}::text[]) AS given (hex)))`;
  const rows = await sql<{ id: string }[]>`
    WITH shown AS (
      SELECT share.measurement_id AS id, share.user_hash FROM shares AS share
      WHERE share.measurement_id IS NOT NULL AND ${isOpen}
      UNION
      SELECT step.measurement_id, share.user_hash FROM shares AS share JOIN campaign_steps AS step USING (campaign_id)
      WHERE step.measurement_id IS NOT NULL AND ${isOpen}
    )
    SELECT piece.measurement_id::text AS id
    FROM shown JOIN measurements AS whole ON whole.measurement_id = shown.id AND whole.user_hash = shown.user_hash
      AND whole.part_of IS NULL
      JOIN measurements AS piece ON piece.measurement_id = whole.measurement_id OR piece.part_of = whole.measurement_id
    WHERE NOT EXISTS (
      SELECT FROM shares AS hidden WHERE hidden.measurement_id = whole.measurement_id AND hidden.hidden_at IS NOT NULL)
    ORDER BY piece.started_at DESC, piece.measurement_id LIMIT ${readableMeasurementsMax + 1}`;
  return rows.map(({ id }) => id);
}
