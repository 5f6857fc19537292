/** A user's view of a measurement: fields that existing clients read, and ours. */
import type { Sql, TransactionSql } from "postgres";
import type { measurementAnswer, measurementPartAnswer } from "../../../../lib/base/api/measurements.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import { originOf } from "../../../../lib/measuring/probing/measurement-origin.ts";
import { kindOf, type ProbeSummary, titleOf } from "../../../../lib/measuring/probing/measurement-title.ts";

type Answer = StoredAnswer<typeof measurementAnswer>;

/** Derived from the columns of `Findings`. */
type Derived =
  | "title"
  | "kind"
  | "destinations"
  | "origin"
  | "measurement_complete"
  | "measurement_cancelled";

export type MeasurementRow = Omit<Answer, Derived> & Findings;

/** Columns from which titles and origins are derived. */
interface Findings {
  readonly summary: ProbeSummary | null;
  readonly first_agents: readonly string[];
  readonly made_by: string | null;
  readonly token_id: string | null;
  readonly token_name: string | null;
  readonly campaign_id: string | null;
  readonly campaign_name: string | null;
  readonly campaign_run: number | null;
  readonly discovery_round: number | null;
}

export type PartRow = Omit<StoredAnswer<typeof measurementPartAnswer>, "is_complete" | "cancelled">;

/** From `measurements AS whole` and `measurementParts`. `status` is wholeStatus of lifecycle.ts. */
export function measurementColumns(sql: Sql | TransactionSql) {
  return sql`
    whole.measurement_id, whole.name, whole.tags, whole.note, whole.summary, whole.made_by, whole.token_id,
    whole.campaign_id, whole.campaign_run, whole.discovery_round, parts.first_agents,
    (SELECT name FROM campaigns AS campaign WHERE campaign.campaign_id = whole.campaign_id) AS campaign_name,
    (SELECT name FROM api_tokens AS token WHERE token.token_id = whole.token_id) AS token_name,
    parts.total_agents, parts.completed_agents, parts.total_expected_probes,
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
        (array_agg(agent_id ORDER BY agent_id))[1:2] AS first_agents,
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
export function measurementView(row: MeasurementRow): Answer {
  const { summary, first_agents, made_by, token_name, campaign_name, campaign_run, ...columns } = row;
  const { token_id, campaign_id, discovery_round, ...shown } = columns;
  return {
    ...shown,
    ...findingsOf(row),
    origin: originOf({
      madeBy: made_by,
      token: token_id === null ? null : { id: token_id, name: token_name },
      campaign:
        campaign_id === null
          ? null
          : { id: campaign_id, name: campaign_name, run: campaign_run ?? 0, round: discovery_round },
    }),
    measurement_complete: row.ended_at !== null,
    measurement_cancelled: row.status === "cancelled",
  };
}

type Found = Pick<MeasurementRow, "summary" | "name" | "probes" | "first_agents" | "total_agents">;

/** The readable columns of one's own or a public measurement. */
function findingsOf({ summary, name, probes, first_agents: agents, total_agents: agentCount }: Found) {
  return {
    title: name ?? titleOf({ summary, probes, agents, agentCount }),
    kind: summary === null ? null : kindOf(summary),
    destinations: summary?.destinations ?? null,
  };
}

/** The same for other readers: without the note and the origin. */
export function publicMeasurementView(row: MeasurementRow) {
  const { note: _note, origin: _origin, ...shown } = measurementView(row);
  return shown;
}

export function partView(row: PartRow) {
  return { ...row, is_complete: row.status === "complete", cancelled: row.status === "cancelled" };
}
