/** A user's view of a measurement: fields that existing clients read, and ours. */
import type { Sql, TransactionSql } from "postgres";
import type { measurementAnswer, measurementPartAnswer } from "../../../../lib/base/api/measurements.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";

export type MeasurementRow = Omit<
  StoredAnswer<typeof measurementAnswer>,
  "measurement_complete" | "measurement_cancelled"
>;

export type PartRow = Omit<StoredAnswer<typeof measurementPartAnswer>, "is_complete" | "cancelled">;

/** From `measurements AS whole` and `measurementParts`. `status` is wholeStatus of lifecycle.ts. */
export function measurementColumns(sql: Sql | TransactionSql) {
  return sql`
    whole.measurement_id, parts.total_agents, parts.completed_agents, parts.total_expected_probes,
    parts.total_sent_probes, parts.total_received_replies, parts.total_failed_probes,
    parts.total_held_probes, parts.status, pieces.probes, pieces.published_probes, whole.started_at,
    whole.updated_at AS last_updated, whole.ended_at, whole.not_after,
    whole.finished_at IS NOT NULL AND total_sent_probes + total_failed_probes < total_expected_probes
      AS finished_early`;
}

/** Status of `part` of `whole` for users: a part cancelled because it was no longer needed is complete. */
export function partStatus(sql: Sql | TransactionSql) {
  return sql`
    CASE WHEN part.status = 'cancelled' AND whole.finished_at IS NOT NULL THEN 'complete' ELSE part.status END`;
}

/** `parts`, the sums over its agents; `pieces`, those over its probes and what was added while it was open. */
export function measurementParts(sql: Sql | TransactionSql) {
  return sql`
    LATERAL (
      SELECT count(*)::integer AS total_agents,
        count(*) FILTER (WHERE seen = 'complete')::integer AS completed_agents,
        sum(expected_probes)::bigint AS total_expected_probes,
        sum(sent_probes)::bigint AS total_sent_probes,
        sum(received_replies)::bigint AS total_received_replies,
        sum(failed_probes)::bigint AS total_failed_probes,
        sum(held_probes)::bigint AS total_held_probes,
        CASE
          WHEN bool_and(seen = 'queued') THEN 'queued'
          WHEN bool_or(seen IN ('queued', 'running')) THEN 'running'
          WHEN bool_or(seen = 'cancelled') THEN 'cancelled'
          WHEN bool_or(seen = 'failed') THEN 'failed'
          WHEN bool_or(seen = 'expired') THEN 'expired'
          ELSE 'complete'
        END AS status
      FROM measurement_agents AS part, LATERAL (SELECT ${partStatus(sql)} AS seen) AS as_seen
      WHERE part.measurement_id = whole.measurement_id
    ) AS parts, LATERAL (
      SELECT sum(piece.probes)::bigint AS probes, sum(piece.published_probes)::bigint AS published_probes
      FROM measurements AS piece
      WHERE piece.measurement_id = whole.measurement_id OR piece.part_of = whole.measurement_id
    ) AS pieces`;
}

/** Existing clients wait for `measurement_complete`, so it is true of every ended measurement. */
export function measurementView(row: MeasurementRow) {
  return {
    ...row,
    measurement_complete: row.ended_at !== null,
    measurement_cancelled: row.status === "cancelled",
  };
}

export function partView(row: PartRow) {
  return { ...row, is_complete: row.status === "complete", cancelled: row.status === "cancelled" };
}
