/** Runs of a campaign, with their measurements. */
import type { campaignRunAnswer } from "../../../lib/base/api/campaigns.ts";
import type { StoredAnswer } from "../../../lib/base/api/stored-answer.ts";
import type { Owned } from "../../../lib/engines/http/owned.ts";
import { type ListPage, type PageOrder, readPage } from "../../../lib/engines/store/postgres/list-page.ts";
import type { Database } from "../../../lib/engines/store/postgres/open.ts";
import { reasonCharsMax } from "./limits.ts";

type RunRow = StoredAnswer<typeof campaignRunAnswer>;

/** Newest first. */
export function listRuns(
  database: Database,
  { id }: Owned,
  page: PageOrder<number>,
): Promise<ListPage<RunRow>> {
  const { sql } = database;
  return readPage(
    database,
    "campaign_runs",
    page,
    (limit, below) => sql<RunRow[]>`
      SELECT run, last_run, revision, planned_at, state, coalesce(reason, ${missingAgents(sql)}) AS reason, ended_at,
        coalesce((
        SELECT jsonb_agg(jsonb_build_object('measurement_id', measurement_id, 'agents', agents, 'state', step.state,
          'taken_at', to_char(taken_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY step)
        FROM campaign_steps AS step
        WHERE (step.campaign_id, step.run) = (runs.campaign_id, runs.run) AND kind = 'measure'
          AND step.state <> 'spread'
      ), '[]') AS measurements
      FROM campaign_runs AS runs
      WHERE campaign_id = ${id} ${below === undefined ? sql`` : sql`AND run < ${below}`}
      ORDER BY run DESC LIMIT ${limit}`,
  );
}

/** Why agents are missing in a run that continues without them; null = all take part. */
function missingAgents(sql: Database["sql"]) {
  return sql`(
    SELECT left(string_agg(DISTINCT missing, '; '), ${reasonCharsMax})
    FROM campaign_steps AS step LEFT JOIN measurements AS made USING (measurement_id), LATERAL (
      SELECT step.reason AS missing WHERE step.state = 'spread' AND step.reason IS NOT NULL
      UNION ALL
      SELECT concat(one->>'id', ': ', one->>'reason') FROM jsonb_array_elements(made.answer->'rejected') AS one
    ) AS missing
    WHERE (step.campaign_id, step.run) = (runs.campaign_id, runs.run))`;
}
