/** The measurements of a user's campaign, for reading its results. */
import { Problem } from "../../../lib/http/problem.ts";
import { campaignRunsMax } from "../../../lib/results/limits.ts";
import type { CampaignRun } from "../../../lib/store/clickhouse/reply-filter.ts";
import type { Database } from "../../../lib/store/postgres/open.ts";

/** The newest, in the order of their runs. Throws Problem 404 for a campaign of another user. */
export async function campaignRuns(
  { sql, timed }: Database,
  userHash: string,
  campaignId: string,
): Promise<readonly CampaignRun[]> {
  const rows = await timed(
    "campaign_results",
    () => sql<{ measurement_id: string | null; run: number | null; planned_at: Date | null }[]>`
      SELECT measurement_id, run.run, planned_at
      FROM campaigns AS campaign LEFT JOIN campaign_steps AS step
          ON step.campaign_id = campaign.campaign_id AND measurement_id IS NOT NULL
        LEFT JOIN campaign_runs AS run ON (run.campaign_id, run.run) = (step.campaign_id, step.run)
      WHERE campaign.campaign_id::text = ${campaignId.toLowerCase()} AND user_hash = ${userHash}
      ORDER BY run.run DESC, step.step DESC LIMIT ${campaignRunsMax}`,
  );
  if (rows.length === 0) {
    throw new Problem({ status: 404, code: "campaign_not_found", message: "Campaign not found" });
  }
  return rows
    .flatMap(({ measurement_id: measurementId, run, planned_at }) =>
      measurementId === null || run === null || planned_at === null
        ? []
        : [{ measurementId, run, plannedMs: planned_at.getTime() }],
    )
    .toReversed();
}
