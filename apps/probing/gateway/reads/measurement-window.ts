/** The window of a measurement for reading results: its times, and the sources of its probes. */
import type { Sql } from "postgres";
import type { Owned } from "../../../../lib/engines/http/owned.ts";
import { problem } from "../../../../lib/engines/http/problem.ts";
import type { Attribution, Sending } from "../../../../lib/engines/store/clickhouse/attribution.ts";
import { clockErrorMs, earlyMsMax, rivalsMax } from "../../../../lib/engines/store/clickhouse/limits.ts";
import type { CampaignRun } from "../../../../lib/engines/store/clickhouse/reply-filter.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { type Address, address, formatAddress } from "../../../../lib/net/ip/address.ts";
import { unknownMeasurement } from "../measurements/find-measurement.ts";
import { answersAfterMs, rivalAgeHoursMax, stopMs } from "./limits.ts";

export interface MeasurementWindow {
  readonly id: string;
  readonly startedAt: Date;
  /** Null while it is running. */
  readonly endedAt: Date | null;
  /** When all its probes had been sent; null while some may still be sent. */
  readonly sentAt: Date | null;
  /** By the database's clock, like the other times. */
  readonly askedAt: Date;
  /** Number of agents and sources that send each probe. */
  readonly targets: number;
  /** Sources given by the user. */
  readonly sources: readonly Address[];
  /** Agents that choose the source themselves. */
  readonly agents: readonly string[];
}

interface MeasuredRow extends Omit<MeasurementWindow, "sources"> {
  readonly sources: readonly string[];
}

/** Throws Problem 404 for a measurement of another user. */
export async function findMeasurementWindow(
  { sql, timed }: Database,
  { userHash, id: measurementId }: Owned,
): Promise<MeasurementWindow> {
  const [row] = await timed(
    "measurement_sources",
    () => sql<MeasuredRow[]>`
      SELECT measurement_id AS id, started_at AS "startedAt", ended_at AS "endedAt", now() AS "askedAt",
        ${sentAt(sql)} AS "sentAt",
        (SELECT count(*)::integer FROM measurement_targets AS target
          WHERE target.measurement_id = whole.measurement_id) AS targets,
        ARRAY(SELECT DISTINCT host(source_address) FROM measurement_targets AS target
          WHERE target.measurement_id = whole.measurement_id AND source_address IS NOT NULL) AS sources,
        ARRAY(SELECT agent_id FROM measurement_targets AS target
          WHERE target.measurement_id = whole.measurement_id AND source_address IS NULL) AS agents
      FROM measurements AS whole
      WHERE measurement_id = ${measurementId} AND user_hash = ${userHash} AND part_of IS NULL`,
  );
  if (row === undefined) {
    throw unknownMeasurement();
  }
  return { ...row, sources: row.sources.map(address) };
}

/**
 * When the probes of `whole` had all been sent. Existing agents do not learn that a measurement was cancelled: they
 * may send the rest until `not_after`. Our agents, which report details of their health, stop.
 */
function sentAt(sql: Sql) {
  return sql`CASE WHEN ended_at IS NULL THEN NULL ELSE ended_at + (
    SELECT coalesce(max(CASE
        WHEN part.status = 'complete' OR part.sent_probes >= part.expected_probes THEN interval '0'
        WHEN agent.health_details IS NOT NULL THEN ${stopMs} * interval '1 millisecond'
        ELSE greatest(interval '0', whole.not_after - whole.ended_at) END), interval '0')
    FROM measurement_agents AS part JOIN agents AS agent USING (agent_id)
    WHERE part.measurement_id = whole.measurement_id) END`;
}

/** How to find its replies without a measurement id, from the measurement alone. */
export function attributionOf({
  id,
  startedAt,
  sentAt: sent,
  askedAt,
  sources,
  agents,
}: MeasurementWindow): Attribution {
  const own = sendingOf(id, sent, askedAt);
  return {
    fromMs: startedAt.getTime() - earlyMsMax,
    untilMs: own.answersUntilMs,
    sources,
    agents,
    own,
    rivals: [],
    isCrowded: false,
  };
}

function sendingOf(id: string, sent: Date | null, askedAt: Date): Sending {
  return {
    id,
    endMs: sent?.getTime() ?? null,
    answersUntilMs: (sent ?? askedAt).getTime() + answersAfterMs,
  };
}

/** Adds the other measurements, of any user, that may have sent the same probes from the same sources at the time. */
export async function withRivals(
  { sql, timed }: Database,
  measured: MeasurementWindow,
  attribution: Attribution,
): Promise<Attribution> {
  const { id, startedAt, askedAt, sources, agents } = measured;
  const from = new Date(startedAt.getTime() - clockErrorMs - answersAfterMs);
  const texts = sources.map(formatAddress);
  const rows = await timed(
    "measurement_rivals",
    () => sql<{ id: string; sentAt: Date | null }[]>`
      SELECT id, sent_at AS "sentAt" FROM (
        SELECT measurement_id AS id, started_at, ${sentAt(sql)} AS sent_at FROM measurements AS whole
        WHERE started_at BETWEEN ${from}::timestamptz - ${rivalAgeHoursMax} * interval '1 hour'
            AND ${new Date(attribution.untilMs)}
          AND measurement_id <> ${id}
          AND EXISTS (SELECT FROM measurement_targets AS target
            WHERE target.measurement_id = whole.measurement_id
              AND (source_address = ANY(${texts}::inet[])
                OR source_address IS NULL AND agent_id = ANY(${agents as string[]})))
      ) AS rival
      WHERE sent_at IS NULL OR sent_at >= ${from}
      ORDER BY started_at DESC LIMIT ${rivalsMax + 1}`,
  );
  const rivals = rows.slice(0, rivalsMax).map((row) => sendingOf(row.id, row.sentAt, askedAt));
  return { ...attribution, rivals, isCrowded: rows.length > rivalsMax };
}

interface RunRange {
  /** By the planned times; null = unbounded. */
  readonly since: Date | null;
  readonly until: Date | null;
  /** Measurements at most, the newest ones. */
  readonly max: number;
}

/** Measurements of a campaign, in the order of its runs. Throws Problem 404 for one of another user. */
export async function campaignRuns(
  { sql, timed }: Database,
  { userHash, id: campaignId }: Owned,
  { since, until, max }: RunRange,
): Promise<readonly CampaignRun[]> {
  const rows = await timed(
    "campaign_results",
    () => sql<{ measurement_id: string | null; run: number | null; planned_at: Date | null }[]>`
      SELECT measurement_id, run.run, planned_at
      FROM campaigns AS campaign LEFT JOIN (campaign_steps AS step
          JOIN campaign_runs AS run ON (run.campaign_id, run.run) = (step.campaign_id, step.run))
        ON step.campaign_id = campaign.campaign_id AND measurement_id IS NOT NULL
          AND (${since}::timestamptz IS NULL OR planned_at >= ${since})
          AND (${until}::timestamptz IS NULL OR planned_at < ${until})
      WHERE campaign.campaign_id::text = ${campaignId} AND user_hash = ${userHash}
      ORDER BY run.run DESC, step.step DESC LIMIT ${max}`,
  );
  if (rows.length === 0) {
    throw problem(404, "campaign_not_found", "Campaign not found");
  }
  return rows
    .flatMap(({ measurement_id: measurementId, run, planned_at }) =>
      measurementId === null || run === null || planned_at === null
        ? []
        : [{ measurementId, run, plannedMs: planned_at.getTime() }],
    )
    .toReversed();
}
